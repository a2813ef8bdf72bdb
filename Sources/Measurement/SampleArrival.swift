/// When a block of samples arrived on the rig's clock, and the time of its last sample on the device's.
package struct SampleArrival: Sendable, Hashable {
    /// When it was received, in seconds of the rig's monotonic clock since the capture began.
    package var received: Double
    /// The time of its last sample, in nanoseconds on the clock of the samples.
    package var time: Int64
}

extension [SampleArrival] {
    /// Fewer in a third of a capture may all be late.
    private static var leastOfThird: Int { 5 }
    /// Seconds that even a timely arrival may be late.
    private static var patience: Double { 0.25 }
    /// The share of the time below which a clock is wrong: on an overloaded rig the samples of a good one come ever later.
    ///
    /// Of 1,000 captures of healthy sensors on an emulated machine of which others took the processors, the worst covered 59 %.
    private static var leastShare: Double { 0.5 }

    /// The times in seconds that passed on the samples' clock and on the rig's, if one tells less than half of the other;
    /// nil if that is not so, or cannot be determined.
    ///
    /// A block arrives as soon as the kernel has it, or later on a busy rig. Of the first third and of the last one an
    /// arrival is taken that few are less late than: a wrong time among them does not count. Arrivals that are late by
    /// `patience` do not make it so.
    var contradiction: (samples: Double, rig: Double)? {
        let third = count / 3
        guard third >= Self.leastOfThird else { return nil }
        func timely(_ part: ArraySlice<SampleArrival>) -> SampleArrival {
            part.sorted { $0.received - Double($0.time) * 1e-9 < $1.received - Double($1.time) * 1e-9 }[third / 5]
        }
        let (first, last) = (timely(prefix(third)), timely(suffix(third)))
        guard last.received > first.received else { return nil }
        let (samples, rig) = ((Double(last.time) - Double(first.time)) * 1e-9, last.received - first.received)
        let isOff = samples + Self.patience < Self.leastShare * rig || rig + Self.patience < Self.leastShare * samples
        return isOff ? (samples, rig) : nil
    }
}
