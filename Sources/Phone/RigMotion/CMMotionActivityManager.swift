internal import DriverKit
public import Foundation
internal import IIOCapture
internal import Readiness
internal import PhoneKit
internal import Synchronization

/// Called with the activities of an interval, or with an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void
/// Called with the current activity.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void

/// Reports the activity of this rig's bearer, if a chip has activity channels or a step counter.
open class CMMotionActivityManager: NSObject, @unchecked Sendable {
    /// The time limit of a chip's answer in seconds.
    private static let patience = 10.0
    /// Seconds that count as the present: an app takes its `now` before its first call, which probes the rig.
    private static let present = 10.0
    /// Seconds between two readings while updates run.
    private static let pace = 1.0

    private let rig: PhoneRig
    private let updates = Mutex<Waker?>(nil)

    /// Creates a manager of this process's rig; accesses no sensor and does not ask the user.
    public override init() {
        rig = .current
        super.init()
    }

    deinit { stopActivityUpdates() }

    /// Whether the rig lists a chip that reports activities or counts steps.
    open class func isActivityAvailable() -> Bool { ActivitySource.find(in: PhoneRig.current.settings.world) != nil }

    /// Whether motion may be used; does not ask the user.
    open class func authorizationStatus() -> CMAuthorizationStatus {
        CMAuthorizationStatus(MotionPermission(rig: .current).authorization.status)
    }

    /// Queries the activities in an interval; the first call asks the user, if nothing was decided.
    ///
    /// Nothing is recorded here, so only an interval that ends now, later, or less than ten seconds ago has a result:
    /// the current activity. The handler receives an error in `CMErrorDomain`: `CMErrorMotionActivityNotAuthorized`,
    /// `CMErrorMotionActivityNotAvailable`, `CMErrorInvalidParameter`, `CMErrorNilData` for a chip that does not
    /// answer.
    open func queryActivityStarting(
        from start: Date, to end: Date, to queue: OperationQueue,
        withHandler handler: @escaping CMMotionActivityQueryHandler
    ) {
        let handlers = HandlerQueue(queue, handler)
        query(from: start, to: end) { outcome in
            switch outcome {
            case .success(let activities): handlers.send(activities)
            case .failure(let error): handlers.send(error)
            }
        }
    }

    /// Queries the activities in an interval, likewise; the queue is not used.
    open func queryActivityStarting(
        from start: Date, to end: Date, to queue: OperationQueue
    ) async throws -> [CMMotionActivity] {
        try await withCheckedThrowingContinuation { continuation in
            query(from: start, to: end) { continuation.resume(with: $0) }
        }
    }

    /// Reads once a second, and calls at first and at each change; a chip that does not answer is not reported.
    open func startActivityUpdates(to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler) {
        stopActivityUpdates()
        guard let halt = try? Waker() else { return }
        updates.withLock { $0 = halt }
        let handlers = HandlerQueue<CMMotionActivity>(queue) { activity, _ in
            if !halt.isWoken { handler(activity) }
        }
        let permission = MotionPermission(rig: rig)
        let world = rig.settings.world
        _ = Worker.start {
            permission.obtain(CMErrorMotionActivityNotAuthorized) { refusal in
                guard refusal == nil else { return }
                _ = Worker.start { Self.look(in: world, permission, until: halt, handlers) }
            }
        }
    }

    /// Stops; the handler is not called again.
    open func stopActivityUpdates() { updates.withLock { $0.take() }?.wake() }

    private static func look(
        in world: any World, _ permission: MotionPermission, until halt: Waker,
        _ handlers: HandlerQueue<CMMotionActivity>
    ) {
        var latest: ObservedActivity?
        while !halt.wait(until: Instant.now.advanced(bySeconds: latest == nil ? 0 : pace)) {
            guard permission.refusal(CMErrorMotionActivityNotAuthorized) == nil,
                let source = ActivitySource.find(in: world)
            else { return }
            guard let observed = try? source.observe() else {
                // It may answer the next time.
                if halt.wait(until: Instant.now.advanced(bySeconds: pace)) { return }
                continue
            }
            if observed != latest { handlers.send(activity(observed)) }
            latest = observed
        }
    }

    private func query(
        from start: Date, to end: Date, _ then: @escaping @Sendable (Result<[CMMotionActivity], NSError>) -> Void
    ) {
        let asked = Date()
        let rig = rig
        let isStarted = Worker.start {
            MotionPermission(rig: rig).obtain(CMErrorMotionActivityNotAuthorized) { refusal in
                if let refusal { return then(.failure(refusal)) }
                guard start <= end else {
                    return then(.failure(CMErrorInvalidParameter.error("the time begins after its end")))
                }
                guard let source = ActivitySource.find(in: rig.settings.world) else {
                    return then(
                        .failure(
                            CMErrorMotionActivityNotAvailable.error(
                                "no chip of this rig reports activities or counts steps")))
                }
                guard end > asked.addingTimeInterval(-Self.present) else {
                    return then(
                        .failure(
                            CMErrorMotionActivityNotAvailable.error(
                                "no activities are recorded: only the current activity is known")))
                }
                @Sendable func observe() throws(DriverError) -> ObservedActivity { try source.observe() }
                BoundedRead.start(of: "the activity chip", within: Self.patience, observe) { answer in
                    then(answer.map { [Self.activity($0)] }.mapError { CMError.error($0) })
                }
            }
        }
        if !isStarted { then(.failure(CMErrorUnknown.error("no thread can be started"))) }
    }

    private static func activity(_ observed: ObservedActivity) -> CMMotionActivity {
        CMMotionActivity(observed, at: Date(), uptime: ProcessInfo.processInfo.systemUptime)
    }
}
