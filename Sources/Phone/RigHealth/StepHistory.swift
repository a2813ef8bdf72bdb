internal import Foundation

/// Steps counted between two readings.
struct StepSpan: Sendable, Hashable {
    var steps: UInt64
    var start, end: Date
}

/// The known readings of a counter: 0 at boot, and those made since.
///
/// A chip keeps a count and no history, so steps are known only between readings. An interval with fewer than two
/// readings has no result, and a result is never too high.
struct StepHistory: Sendable, Hashable {
    private struct Reading: Hashable {
        var date: Date
        var count: UInt64
    }

    /// The maximum number of readings; beyond it every second one is dropped, except the first and the last.
    private static let limit = 4096

    private var readings: [Reading]

    /// Starts with a boot time.
    init(boot: Date) { readings = [Reading(date: boot, count: 0)] }

    /// Adds a reading; one from before the last reading, by a clock that was set back, is ignored.
    mutating func note(_ count: UInt64, at date: Date) {
        guard let last = readings.last, date > last.date else { return }
        readings.append(Reading(date: date, count: count))
        guard readings.count > Self.limit else { return }
        let kept = readings.enumerated().filter { $0.offset % 2 == 0 || $0.offset == readings.count - 1 }
        readings = kept.map(\.element)
    }

    /// The steps between the first and the last reading within an interval; nil if there are fewer than two.
    func steps(in time: AskedTime) -> StepSpan? {
        let within = readings.filter {
            $0.date >= time.start ?? .distantPast && $0.date <= time.end ?? .distantFuture
        }
        guard let first = within.first, let last = within.last, first != last else { return nil }
        var steps: UInt64 = 0
        for (one, next) in zip(within, within.dropFirst()) {
            // A count that fell was restarted.
            let more = next.count >= one.count ? next.count - one.count : next.count
            let (sum, isTooMuch) = steps.addingReportingOverflow(more)
            steps = isTooMuch ? .max : sum
        }
        return StepSpan(steps: steps, start: first.date, end: last.date)
    }
}
