internal import Permissions
internal import PhoneKit
internal import Synchronization

/// The goal of a service session, its requests and its subscribers.
final class SessionGoal: Sendable {
    typealias Diagnostic = CLServiceSession.Diagnostic

    /// What is missing and can be had by asking.
    private enum Lack { case location, always, accuracy }

    private struct State {
        var isHeld = false
        var isOver = false
        /// What it last asked for; nil if nothing was missing since.
        var asked: Lack?
        var latest: Diagnostic?
        var listeners: [Int: AsyncThrowingStream<Diagnostic, any Error>.Continuation] = [:]
        var listenersEver = 0
    }

    private let requirement: CLServiceSession.AuthorizationRequirement
    private let purpose: String?
    private let center: LocationCenter
    private let subscription = Subscription()
    private let state = Mutex(State())

    init(
        _ requirement: CLServiceSession.AuthorizationRequirement, fullAccuracyPurpose: String?,
        _ center: LocationCenter
    ) {
        self.requirement = requirement
        purpose = fullAccuracyPurpose
        self.center = center
    }

    /// Activates the goal.
    func begin() {
        if requirement != .none {
            state.withLock { $0.isHeld = true }
            center.session(isHeld: true)
        }
        center.begin(subscription, locations: false) { [weak self] event in
            guard let self, case .standing(let standing) = event else { return }
            take(standing)
        }
    }

    /// Ends the goal.
    func end() {
        let (wasHeld, listeners) = state.withLock { state in
            defer {
                state.isHeld = false
                state.isOver = true
                state.listeners = [:]
            }
            return (state.isHeld, state.listeners)
        }
        subscription.cancel()
        if wasHeld { center.session(isHeld: false) }
        for listener in listeners.values { listener.finish() }
    }

    /// The current diagnostic, and each that follows; a slow reader gets the newest sixteen.
    func diagnostics() -> AsyncThrowingStream<Diagnostic, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Diagnostic.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(16))
        let number = state.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            state.listenersEver += 1
            state.listeners[state.listenersEver] = continuation
            if let latest = state.latest { continuation.yield(latest) }
            return state.listenersEver
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    // MARK: Events

    private func take(_ standing: LocationState) {
        let lack = lack(of: standing)
        let request = state.withLock { state -> Lack? in
            guard !state.isOver else { return nil }
            defer { state.asked = lack }
            return lack == state.asked ? nil : lack
        }
        tell(diagnostic(of: standing))
        if let request { ask(for: request) }
    }

    /// What asking could provide; nothing from the background.
    private func lack(of standing: LocationState) -> Lack? {
        guard requirement != .none, standing.isInForeground else { return nil }
        if standing.status == .notDetermined { return .location }
        if requirement == .always, standing.status == .authorizedWhenInUse { return .always }
        if purpose != nil, standing.isAuthorized, standing.accuracy == .reducedAccuracy { return .accuracy }
        return nil
    }

    private func ask(for lack: Lack) {
        let request: PermissionRequest =
            if lack == .accuracy, let purpose {
                .fullAccuracy(purpose: purpose, seconds: 3600)
            } else {
                .location(always: requirement == .always)
            }
        center.rig.request(request) { [weak self] answered in
            guard let self else { return }
            center.queue.async { self.finish(lack, answered) }
        }
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
        let isRefused = requirement == .always && lack == .always && self.lack(of: standing) == .always
        // A refused Always leaves the question of accuracy.
        if isRefused, purpose != nil, standing.accuracy == .reducedAccuracy { ask(for: .accuracy) }
        tell(diagnostic(of: standing))
    }

    private func diagnostic(of standing: LocationState) -> Diagnostic {
        var diagnostic = Diagnostic()
        diagnostic.serviceSessionRequired = center.lacksSession
        guard requirement != .none else { return diagnostic }
        diagnostic.authorizationDenied = standing.status == .denied
        diagnostic.authorizationDeniedGlobally = standing.isDeniedForAll
        diagnostic.authorizationRestricted = standing.status == .restricted
        diagnostic.authorizationRequestInProgress = standing.isAsking
        diagnostic.insufficientlyInUse = standing.isInsufficientlyInUse
        diagnostic.alwaysAuthorizationDenied =
            requirement == .always && standing.status == .authorizedWhenInUse && !standing.isAsking
        diagnostic.fullAccuracyDenied =
            purpose != nil && standing.isAuthorized && standing.accuracy == .reducedAccuracy && !standing.isAsking
        return diagnostic
    }

    private func tell(_ diagnostic: Diagnostic) {
        let listeners = state.withLock { state -> [AsyncThrowingStream<Diagnostic, any Error>.Continuation] in
            guard !state.isOver, state.latest != diagnostic else { return [] }
            state.latest = diagnostic
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(diagnostic) }
    }
}
