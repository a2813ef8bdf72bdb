internal import LocalRig
internal import PhoneKit
internal import Synchronization

/// An authorization goal of the app: asks for what is missing, and reports how the status differs from the goal.
///
/// Several may be held at once. A session asks again when an authorization has expired.
public final class CLServiceSession: Sendable {
    /// The authorization that the app wants.
    @nonexhaustive(warn)
    public enum AuthorizationRequirement: Int, Sendable {
        /// With `none` nothing is asked.
        case none, whenInUse, always
    }

    private let goal: SessionGoal

    /// Sets a goal, and asks the user for what is missing.
    ///
    /// With the key of a purpose of the configuration the goal includes full accuracy, which is asked for an hour.
    public init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String? = nil) {
        goal = SessionGoal(authorization, fullAccuracyPurpose: fullAccuracyPurposeKey, .of(.current))
    }

    deinit { goal.end() }

    /// Ends the session: nothing more is asked, and its diagnostics end.
    public func invalidate() { goal.end() }

    /// How the status differs from the goal, immediately and at each change.
    public var diagnostics: Diagnostics { Diagnostics(goal: goal) }

    /// How the status differs from a session's goal; no flag is set if it is reached.
    public struct Diagnostic: Sendable, Hashable {
        /// The user refused, or the operating system denies this user access to gpsd.
        public internal(set) var authorizationDenied = false
        /// The operating system refuses, whatever the user decided.
        public internal(set) var authorizationDeniedGlobally = false
        /// The system's policy forbids it.
        public internal(set) var authorizationRestricted = false
        /// The user is being asked, or is about to be.
        public internal(set) var authorizationRequestInProgress = false
        /// Full accuracy is the goal, but location is reduced.
        public internal(set) var fullAccuracyDenied = false
        /// Always is the goal, but location is allowed only while in use.
        public internal(set) var alwaysAuthorizationDenied = false
        /// The program is in the background, but must be in the foreground; or it could ask nobody.
        public internal(set) var insufficientlyInUse = false
        /// The app opted into explicit service sessions, and holds none with a goal.
        public internal(set) var serviceSessionRequired = false

        /// Whether the goal is reached.
        package var isClear: Bool { self == Diagnostic() }
    }

    /// The sequence of diagnostics; ends with the session, or with the task.
    public struct Diagnostics: AsyncSequence, Sendable {
        let goal: SessionGoal

        /// Subscribes.
        public func makeAsyncIterator() -> AsyncThrowingStream<Diagnostic, any Error>.Iterator {
            goal.diagnostics().makeAsyncIterator()
        }
    }
}

/// The goal of a service session, its requests and its readers.
final class SessionGoal: Sendable {
    typealias Diagnostic = CLServiceSession.Diagnostic

    /// What is missing and can be had by asking.
    private enum Lack { case location, always, accuracy }

    private struct State {
        var observation: Observation?
        var isOver = false
        /// What it last asked for; nil if nothing was missing since.
        var asked: Lack?
        /// Whether that request is under way.
        var isAsking = false
        /// Whether nobody answered it.
        var isUnanswered = false
        var latest: Diagnostic?
        var readers: Set<AsyncThrowingStream<Diagnostic, any Error>.Continuation> = []
    }

    private let requirement: CLServiceSession.AuthorizationRequirement
    private let purpose: String?
    private let center: LocationCenter
    private let state = Mutex(State())

    init(
        _ requirement: CLServiceSession.AuthorizationRequirement, fullAccuracyPurpose: String?, _ center: LocationCenter
    ) {
        self.requirement = requirement
        purpose = fullAccuracyPurpose
        self.center = center
        if requirement != .none { center.session(isHeld: true) }
        let observation = center.begin(locations: false) { [weak self] event in
            if let self, case .standing(let standing) = event { take(standing) }
        }
        state.withLock { $0.observation = observation }
    }

    func end() {
        let before = state.withLock { exchange(&$0, with: State(isOver: true)) }
        if !before.isOver, requirement != .none { center.session(isHeld: false) }
        for reader in before.readers { reader.finish() }
    }

    /// The current diagnostic, and each that follows; a slow reader gets the newest sixteen.
    func diagnostics() -> AsyncThrowingStream<Diagnostic, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Diagnostic.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(16))
        continuation.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.readers.remove(continuation) } }
        let isOver = state.withLock { state in
            if !state.isOver { state.readers.insert(continuation) }
            if let latest = state.latest { continuation.yield(latest) }
            return state.isOver
        }
        if isOver { continuation.finish() }
        return stream
    }

    // MARK: Events

    private func take(_ standing: LocationState) {
        let lack = lack(of: standing)
        let request = state.withLock { state -> Lack? in
            guard !state.isOver, lack != state.asked else { return nil }
            (state.asked, state.isAsking, state.isUnanswered) = (lack, lack != nil, false)
            return lack
        }
        report(diagnostic(of: standing))
        if let request { ask(for: request) }
    }

    /// What asking could provide; nothing from the background.
    private func lack(of standing: LocationState) -> Lack? {
        guard requirement != .none, standing.isInForeground else { return nil }
        if standing.status == .notDetermined { return .location }
        if requirement == .always, standing.status == .authorizedWhenInUse { return .always }
        return lacksAccuracy(standing) ? .accuracy : nil
    }

    private func lacksAccuracy(_ standing: LocationState) -> Bool {
        purpose != nil && standing.isAuthorized && standing.accuracy == .reducedAccuracy
    }

    private func ask(for lack: Lack) {
        let request: PermissionRequest =
            if lack == .accuracy, let purpose {
                .fullAccuracy(purpose: purpose, seconds: 3600)
            } else {
                .location(always: requirement == .always)
            }
        center.ask(request, then: { [weak self] answered in self?.finish(lack, answered) })
    }

    /// Asks for what is missing besides what was just answered, or asks again if another question was open.
    private func finish(_ lack: Lack, _ answered: PhoneRig.Answered) {
        if answered == .waiting {
            // Another program's question; its end is not reported.
            center.queue.asyncAfter(deadline: .now() + 1) { [weak self] in
                guard let self else { return }
                state.withLock { $0.asked = nil }
                take(center.current)
            }
            return
        }
        let standing = center.current
        // A refused Always leaves the question of accuracy.
        let asksOn = lack == .always && self.lack(of: standing) == .always && lacksAccuracy(standing)
        state.withLock { ($0.isAsking, $0.isUnanswered) = (asksOn, answered.isWithoutAnswer) }
        if asksOn { ask(for: .accuracy) }
        report(diagnostic(of: standing))
    }

    private func diagnostic(of standing: LocationState) -> Diagnostic {
        guard requirement != .none else { return Diagnostic(serviceSessionRequired: center.lacksSession) }
        let (asks, isUnanswered) = state.withLock { ($0.isAsking, $0.isUnanswered) }
        let isAsking = standing.isAsking || asks
        return Diagnostic(
            authorizationDenied: standing.status == .denied,
            authorizationDeniedGlobally: standing.isDeniedForAll,
            authorizationRestricted: standing.status == .restricted,
            authorizationRequestInProgress: isAsking,
            fullAccuracyDenied: lacksAccuracy(standing) && !isAsking,
            alwaysAuthorizationDenied: requirement == .always && standing.status == .authorizedWhenInUse
                && !isAsking,
            insufficientlyInUse: standing.isInsufficientlyInUse(ifUnanswered: isUnanswered),
            serviceSessionRequired: center.lacksSession)
    }

    private func report(_ diagnostic: Diagnostic) {
        let readers = state.withLock { state -> Set<AsyncThrowingStream<Diagnostic, any Error>.Continuation> in
            guard !state.isOver, state.latest != diagnostic else { return [] }
            state.latest = diagnostic
            return state.readers
        }
        for reader in readers { reader.yield(diagnostic) }
    }
}
