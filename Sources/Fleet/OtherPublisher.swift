internal import DriverKit

/// Notices another machine that publishes under the same name, by the times that this one did not publish.
struct OtherPublisher {
    /// Seconds between two foreign times: a single one may be the last of a process that this one follows.
    private static let apart = 5.0
    /// Seconds after the last one for which the other machine is taken to be there.
    private static let memory = 60.0

    private var own: [[UInt8]] = []
    private var first: Instant?
    private var last: Instant?

    mutating func note(own time: [UInt8]) { own = own.suffix(7) + [time] }

    mutating func receive(_ time: [UInt8], at now: Instant) {
        guard !own.contains(time) else { return }
        if let last, last.seconds(to: now) > Self.memory { first = nil }
        first = first ?? now
        last = now
    }

    func areThere(at now: Instant) -> Bool {
        guard let first, let last else { return false }
        return first.seconds(to: last) >= Self.apart && last.seconds(to: now) <= Self.memory
    }
}
