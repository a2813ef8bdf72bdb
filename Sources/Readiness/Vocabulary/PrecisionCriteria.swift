/// The criteria that a position must meet to count as precise.
public struct PrecisionCriteria: Sendable, Equatable {
    /// The greatest horizontal error, in metres (95 %).
    public var maximumError: Double
    /// Whether a position counts that was extrapolated (dead reckoning) or assumed (time-only).
    public var allowsEstimated: Bool

    /// Creates criteria; 100 m is ten times the error of a receiver without corrections.
    public init(maximumError: Double = 100, allowsEstimated: Bool = false) {
        self.maximumError = maximumError
        self.allowsEstimated = allowsEstimated
    }
}
