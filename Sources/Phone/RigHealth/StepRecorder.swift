internal import LocalRig
internal import DriverKit
internal import Foundation
internal import IIO
internal import PhoneKit
internal import Readiness
internal import Synchronization

/// Reads a rig's step counter and stores the readings; shared by all stores of a process.
final class StepRecorder: Sendable {
    /// Seconds that a read may take, and that count as the present: an app takes its `now` before it asks.
    private static let patience = 10.0

    private let world: any World
    private let history: Mutex<StepHistory>
    private weak let rig: PhoneRig?

    static func of(_ rig: PhoneRig) -> StepRecorder { rig.attachment(StepRecorder.self) { StepRecorder($0) } }

    private init(_ rig: PhoneRig) {
        world = rig.settings.world
        self.rig = rig
        let up = Double(rig.settings.world.now().nanoseconds) / 1e9
        history = Mutex(StepHistory(boot: Date(timeIntervalSinceNow: -up)))
    }

    private var pin: String? { rig?.state.configuration.pins[.stepCounter] }

    var isListed: Bool { (try? StepCounter(in: world, pinned: pin)) != nil }

    /// Reads the counter, stores the reading, and returns the steps of an interval.
    func steps(in time: AskedTime, _ then: @escaping @Sendable (Result<StepSpan, HKError>) -> Void) {
        let asked = Date()
        let world = world
        let pin = pin
        @Sendable func count() throws(DriverError) -> UInt64? { try StepCounter(in: world, pinned: pin)?.count() }
        BoundedRead.start(of: "the step counter", within: Self.patience, count) { [self] outcome in
            switch outcome {
            case .failure(let error):
                let remedy = rig?.state.remedy(for: error, of: [.stepsRead]) ?? ""
                then(.failure(HKError(error, remedy: remedy)))
            case .success(nil): then(.failure(.noCounter(rig?.state)))
            case .success(let count?):
                var time = time
                // An interval that ends now ended a moment before the counter was read.
                if let end = time.end, end > asked.addingTimeInterval(-Self.patience) { time.end = nil }
                let span = history.withLock { history in
                    history.note(count, began: asked, at: Date())
                    return history.steps(in: time)
                }
                let nothing = HKError(
                    .errorNoData, "a step counter keeps no history: there are fewer than two readings of this time",
                    remedy: "query again later, a time that begins after the first reading")
                then(span.map { .success($0) } ?? .failure(nothing))
            }
        }
    }
}

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

    /// Adds a reading that was made between two times; one that may be older than the last reading is ignored.
    ///
    /// It may be older by a clock that was set back, or by a lower count when both were read side by side: a lower count
    /// shows that the counter was restarted only if its reading began after the last one had ended.
    mutating func note(_ count: UInt64, began: Date, at date: Date) {
        guard let last = readings.last, date > last.date, count >= last.count || began > last.date else { return }
        readings.append(Reading(date: date, count: count))
        guard readings.count > Self.limit else { return }
        let kept = readings.enumerated().filter { $0.offset % 2 == 0 || $0.offset == readings.count - 1 }
        readings = kept.map(\.element)
    }

    /// The steps between the first and the last reading within an interval; nil if there are fewer than two.
    func steps(in time: AskedTime) -> StepSpan? {
        let within = readings.filter { time.overlaps($0.date, $0.date) }
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
