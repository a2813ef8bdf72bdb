internal import DriverKit

/// The time limits of one probe.
public struct ProbeLimit: Sendable, Equatable {
    /// The time that each driver has.
    public var timeout: Duration
    /// The time that sensors have whose own sampling rate needs more than `timeout`.
    public var longest: Duration

    /// Makes limits; without `longest` no sensor has more time than the others.
    public init(_ timeout: Duration, longest: Duration? = nil) {
        self.timeout = timeout
        self.longest = max(timeout, longest ?? timeout)
    }

    func extended(by patience: Duration) -> ProbeLimit { ProbeLimit(timeout + patience, longest: longest + patience) }

    /// The time for a reading that takes this long: twice as much, within the limits.
    func time(for reading: ReadingTime) -> Duration { max(timeout, min(reading.duration * 2, longest)) }

    /// Whether a reading needs more than `timeout` to be told from no answer.
    func isSlow(_ reading: ReadingTime) -> Bool { reading.duration * 2 > timeout }
}
