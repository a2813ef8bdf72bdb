/// When a block of samples arrived on the rig's clock, and the time of its last sample on the device's.
public struct SampleArrival: Sendable, Hashable {
    /// When it was received, in seconds of the rig's monotonic clock since the capture began.
    public var received: Double
    /// The time of its last sample, in nanoseconds on the clock of the samples.
    public var time: Int64

    /// Creates an arrival.
    public init(received: Double, time: Int64) {
        self.received = received
        self.time = time
    }
}

extension [SampleArrival] {
    /// Fewer in a third of a capture may all be late.
    private static var leastOfThird: Int { 5 }
    /// Seconds that even the earliest arrival of a third may be late.
    private static var patience: Double { 0.5 }

    /// The time that the samples' clock tells for the time that passed on the rig's, in seconds; nil if that cannot be told.
    ///
    /// A block arrives as soon as the kernel has it, or later on a busy rig. Of the first third and of the last one, the
    /// arrival that is late the least is taken.
    var elapsed: (samples: Double, rig: Double)? {
        let third = count / 3
        guard third >= Self.leastOfThird else { return nil }
        func earliest(_ part: ArraySlice<SampleArrival>) -> SampleArrival? {
            part.min { $0.received - Double($0.time) * 1e-9 < $1.received - Double($1.time) * 1e-9 }
        }
        guard let first = earliest(prefix(third)), let last = earliest(suffix(third)), last.received > first.received
        else { return nil }
        return ((Double(last.time) - Double(first.time)) * 1e-9, last.received - first.received)
    }

    /// Whether the clock of the samples runs at less than a share of the rig's speed, or the rig's at less of its.
    ///
    /// Arrivals that are late by `patience` do not make it so.
    func isOff(byMoreThan share: Double) -> Bool? {
        guard let (samples, rig) = elapsed else { return nil }
        return samples + Self.patience < share * rig || rig + Self.patience < share * samples
    }
}
