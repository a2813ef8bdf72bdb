internal import DriverKit
public import Foundation
internal import IIO
internal import LocalRig
internal import PhoneKit
internal import Readiness
internal import Synchronization

/// Whether this process may use motion data: undecided, so that the first query asks; restricted by the policy; denied
/// by the user's grants or the operating system; or allowed.
@nonexhaustive(warn)
public enum CMAuthorizationStatus: Int, Sendable {
    case notDetermined, restricted, denied, authorized
}

/// Called with the activities of an interval, or with an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void
/// Called with the current activity.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void

/// Reports the activity of this rig's bearer, if a chip has activity channels or a step counter.
///
/// Creating a manager accesses no sensor and does not ask the user.
open class CMMotionActivityManager: NSObject, @unchecked Sendable {
    /// Seconds that a chip's answer may take, and that count as the present: an app takes its `now` before its first
    /// call, which probes the rig.
    private static let patience = 10.0
    /// Seconds between two readings while updates run.
    private static let pace = 1.0

    private let rig = PhoneRig.current
    private let updates = Mutex<Waker?>(nil)

    deinit { stopActivityUpdates() }

    /// Whether the rig lists a chip that reports activities or counts steps.
    open class func isActivityAvailable() -> Bool { activitySource(in: PhoneRig.current.settings.world) != nil }

    /// Whether motion may be used; does not ask the user.
    open class func authorizationStatus() -> CMAuthorizationStatus {
        CMAuthorizationStatus(rawValue: PhoneRig.current.state.authorizations.motion.status.rawValue) ?? .notDetermined
    }

    /// Queries the activities in an interval; the first call asks the user, if nothing was decided.
    ///
    /// Nothing is recorded here, so only an interval that ends now, later, or less than ten seconds ago has a result:
    /// the current activity. Errors: `CMErrorMotionActivityNotAuthorized`, `CMErrorMotionActivityNotAvailable`,
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
        rig.obtainMotion(CMErrorMotionActivityNotAuthorized) { [rig] refusal in
            guard refusal == nil else { return }
            _ = Worker.start { Self.look(on: rig, until: halt, handlers) }
        }
    }

    /// Stops; the handler is not called again.
    open func stopActivityUpdates() { updates.withLock { $0.take() }?.wake() }

    private static func look(on rig: PhoneRig, until halt: Waker, _ handlers: HandlerQueue<CMMotionActivity>) {
        var latest: CMMotionActivity?
        var pause = 0.0
        while !halt.wait(until: Instant.now.advanced(bySeconds: pause)) {
            guard rig.motionRefusal(CMErrorMotionActivityNotAuthorized) == nil,
                let observe = activitySource(in: rig.settings.world)
            else { return }
            pause = pace
            // One that does not answer may do so the next time.
            guard let activity = try? observe(), !activity.isRepeated(from: latest) else { continue }
            handlers.send(activity)
            latest = activity
        }
    }

    private func query(
        from start: Date, to end: Date, _ then: @escaping @Sendable (Result<[CMMotionActivity], NSError>) -> Void
    ) {
        let asked = Date()
        @Sendable func fail(_ code: CMError, _ reason: String, _ remedy: String) {
            then(.failure(code.error(reason, remedy: remedy)))
        }
        rig.obtainMotion(CMErrorMotionActivityNotAuthorized) { [rig] refusal in
            if let refusal { return then(.failure(refusal)) }
            guard start <= end else {
                return fail(CMErrorInvalidParameter, "the time begins after its end", "exchange start and end")
            }
            guard let observe = activitySource(in: rig.settings.world) else {
                return fail(
                    CMErrorMotionActivityNotAvailable, "no chip of this rig reports activities or counts steps",
                    rig.state.remedy(for: nil, of: [.healthStore]))
            }
            guard end > asked.addingTimeInterval(-Self.patience) else {
                return fail(
                    CMErrorMotionActivityNotAvailable,
                    "no activities are recorded: only the current activity is known",
                    "query a time that ends now, or start updates")
            }
            BoundedRead.start(of: "the activity chip", within: Self.patience, observe) { answer in
                then(
                    answer.map { [$0] }.mapError { error in
                        CMError.error(error, remedy: rig.state.remedy(for: error, of: [.motion, .healthStore]))
                    })
            }
        }
    }
}

extension PhoneRig {
    /// Calls, on any thread, with nil if motion may be used, else with the reason; if nothing was decided, asks first.
    ///
    /// Returns immediately: the first probe of a rig takes a moment.
    func obtainMotion(_ code: CMError, _ then: @escaping @Sendable (NSError?) -> Void) {
        let isStarted = Worker.start { [self] in
            guard state.authorizations.motion.status == .notDetermined else { return then(motionRefusal(code)) }
            request(.motion) { [self] _ in then(motionRefusal(code)) }
        }
        if !isStarted {
            then(CMErrorUnknown.error("no thread can be started", remedy: "end other threads of this program"))
        }
    }

    func motionRefusal(_ code: CMError) -> NSError? {
        let motion = state.authorizations.motion
        // Of a right that could not be checked the capture itself tells, by the kernel's answer.
        guard motion.status != .allowed, motion.status != .indeterminate else { return nil }
        let remedy = motion.remedies.words ?? state.remedy(for: nil, of: [.motion])
        return code.error("motion is not authorized: \(motion.evidence)", remedy: remedy)
    }
}
