internal import DriverKit
public import Foundation
internal import IIOCapture
internal import Readiness
internal import PhoneKit
internal import Synchronization

/// Called with the activities of a time, or with an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void
/// Called with what is done now.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void

/// Tells what the bearer of this rig does, where a chip with activity channels or a step counter says so.
open class CMMotionActivityManager: NSObject, @unchecked Sendable {
    /// Seconds that a chip may take to answer.
    private static let patience = 10.0
    /// Seconds that the present lasts: an app takes its `now` before it makes its first call, which looks at the whole rig.
    private static let present = 10.0
    /// Seconds between two looks while updates run.
    private static let pace = 1.0

    private let rig: PhoneRig
    private let updates = Mutex<Waker?>(nil)

    /// Makes a manager of this process's rig; touches no sensor and asks nobody.
    public override init() {
        rig = .current
        super.init()
    }

    deinit { stopActivityUpdates() }

    /// Whether the rig lists a chip that tells activities or counts steps.
    open class func isActivityAvailable() -> Bool { ActivitySource.find(in: PhoneRig.current.settings.world) != nil }

    /// Whether motion may be used; asks nobody.
    open class func authorizationStatus() -> CMAuthorizationStatus {
        CMAuthorizationStatus(MotionPermission(rig: .current).authorization.status)
    }

    /// Asks what was done in a time; the first call asks the user, where nobody has decided.
    ///
    /// Nothing is recorded here, so only a time that ends now, later, or less than ten seconds ago has an answer: what is done now. The handler gets an
    /// error in `CMErrorDomain`: `CMErrorMotionActivityNotAuthorized`, `CMErrorMotionActivityNotAvailable`,
    /// `CMErrorInvalidParameter`, `CMErrorNilData` for a chip that does not answer.
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

    /// Asks what was done in a time, likewise; the queue is not used.
    open func queryActivityStarting(
        from start: Date, to end: Date, to queue: OperationQueue
    ) async throws -> [CMMotionActivity] {
        try await withCheckedThrowingContinuation { continuation in
            query(from: start, to: end) { continuation.resume(with: $0) }
        }
    }

    /// Looks once a second, and calls at first and whenever something else is done; a chip that does not answer is not told.
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
                                "no chip of this rig tells activities or counts steps")))
                }
                guard end > asked.addingTimeInterval(-Self.present) else {
                    return then(
                        .failure(
                            CMErrorMotionActivityNotAvailable.error(
                                "no activities are recorded: only what is done now can be told")))
                }
                @Sendable func observe() throws(DriverError) -> ObservedActivity { try source.observe() }
                BoundedRead.start(of: "the activity chip", within: Self.patience, observe) { answer in
                    then(answer.map { [Self.activity($0)] }.mapError { CMError.error($0) })
                }
            }
        }
        if !isStarted { then(.failure(CMErrorUnknown.error("the system has no thread to give"))) }
    }

    private static func activity(_ observed: ObservedActivity) -> CMMotionActivity {
        CMMotionActivity(observed, at: Date(), uptime: ProcessInfo.processInfo.systemUptime)
    }
}
