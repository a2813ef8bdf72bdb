internal import Configuration
internal import DriverKit
internal import Foundation
internal import IIOCapture
internal import Readiness
internal import PhoneKit
internal import Synchronization

/// Reads a rig's step counter and stores the readings; shared by all stores of a process.
final class StepRecorder: Sendable {
    /// The time limit of a read in seconds.
    private static let patience = 10.0
    /// Seconds that count as the present: an app takes its `now` before it asks.
    private static let present = 10.0

    private let world: any World
    private let history: Mutex<StepHistory>
    private let pin: @Sendable () -> String?

    init(_ rig: PhoneRig) {
        world = rig.settings.world
        pin = { [weak rig] in rig?.state.configuration.pins[.stepCounter] }
        let up = Double(rig.settings.world.now().nanoseconds) / 1e9
        history = Mutex(StepHistory(boot: Date(timeIntervalSinceNow: -up)))
    }

    /// Whether the rig lists a counter.
    var isListed: Bool { ((try? StepCounter(in: world, pinned: pin())) ?? nil) != nil }

    /// Reads the counter, stores the reading, and returns the steps of an interval.
    func steps(in time: AskedTime, _ then: @escaping @Sendable (Result<StepSpan, HKError>) -> Void) {
        let asked = Date()
        let world = world
        let pin = pin()
        @Sendable func count() throws(DriverError) -> UInt64? { try StepCounter(in: world, pinned: pin)?.count() }
        BoundedRead.start(of: "the step counter", within: Self.patience, count) { [self] outcome in
            switch outcome {
            case .failure(let error): then(.failure(HKError(error)))
            case .success(nil): then(.failure(HKError(.errorHealthDataUnavailable, "this rig has no step counter")))
            case .success(let count?):
                var time = time
                // An interval that ends now ended a moment before the counter was read.
                if let end = time.end, end > asked.addingTimeInterval(-Self.present) { time.end = nil }
                let span = history.withLock { history in
                    history.note(count, at: Date())
                    return history.steps(in: time)
                }
                let nothing = HKError(
                    .errorNoData, "a step counter keeps no history: there are fewer than two readings of this time")
                then(span.map { .success($0) } ?? .failure(nothing))
            }
        }
    }
}
