internal import Foundation

/// Steps that were counted between two readings.
struct StepSpan: Sendable, Hashable {
    var steps: UInt64
    var start, end: Date
}

/// What is known of a counter: it stood at 0 at boot, and as read since.
///
/// A chip keeps a count and no history, so steps are known between readings alone. Nothing is told of a time in which fewer
/// than two readings lie, and never too much.
struct StepHistory: Sendable, Hashable {
    private struct Reading: Hashable {
        var date: Date
        var count: UInt64
    }

    /// How many readings are kept; beyond that every second one is let go, the first and the last aside.
    private static let limit = 4096

    private var readings: [Reading]

    /// Begins at a boot.
    init(boot: Date) { readings = [Reading(date: boot, count: 0)] }

    /// Notes what the counter says; one from before the last reading, by a clock that was set back, is not kept.
    mutating func note(_ count: UInt64, at date: Date) {
        guard let last = readings.last, date > last.date else { return }
        readings.append(Reading(date: date, count: count))
        guard readings.count > Self.limit else { return }
        let kept = readings.enumerated().filter { $0.offset % 2 == 0 || $0.offset == readings.count - 1 }
        readings = kept.map(\.element)
    }

    /// The steps between the first and the last reading within a time; nil where there are not two.
    func steps(in time: AskedTime) -> StepSpan? {
        let within = readings.filter {
            $0.date >= time.start ?? .distantPast && $0.date <= time.end ?? .distantFuture
        }
        guard let first = within.first, let last = within.last, first != last else { return nil }
        var steps: UInt64 = 0
        for (one, next) in zip(within, within.dropFirst()) {
            // A count that fell was begun anew.
            let more = next.count >= one.count ? next.count - one.count : next.count
            let (sum, isTooMuch) = steps.addingReportingOverflow(more)
            steps = isTooMuch ? .max : sum
        }
        return StepSpan(steps: steps, start: first.date, end: last.date)
    }
}
