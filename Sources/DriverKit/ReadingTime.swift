public import Readiness

/// How long reading a sensor takes at its own sampling rate.
public struct ReadingTime: Sendable, Equatable {
    /// The duration of one reading.
    public var duration: Duration
    /// The reason in one clause, such as `samples at 1 Hz: three axes take 6 s`.
    public var reason: String
    /// Whether the sensor is known to take that long; false for an upper bound.
    public var isExact: Bool
    /// What makes the sensor sample faster.
    public var remedies: [Remedy]

    /// Makes a reading time.
    public init(_ duration: Duration, reason: String, isExact: Bool = true, remedies: [Remedy] = []) {
        self.duration = duration
        self.reason = reason
        self.isExact = isExact
        self.remedies = remedies
    }
}
