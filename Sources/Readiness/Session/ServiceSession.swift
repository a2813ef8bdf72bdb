/// An SDK session on a rig: its state, what fails and why.
///
/// `running` does not mean that every service runs: a service runs while the session runs and nothing fails it. Under
/// the whole-session rule of 1.x a missing requirement puts the session itself into `error`; once it is fixed, the
/// session is `ready` and waits for a start. It is a value without input or output: its owner passes it the statuses.
///
/// Source: MOVE SDK, Services and Permissions Handling, 1.x and 2.x.
package struct ServiceSession: Sendable {
    /// The state of a session.
    package enum State: Sendable, Equatable {
        case uninitialized, ready, running
        /// Something that the whole session requires is missing; only under the whole-session rule.
        case error(RequirementSet)
    }

    /// When automatic detection works.
    package enum Reach: CaseIterable, Sendable, Equatable {
        /// Also while the app is not in use: background location is allowed.
        case full
        /// Only while the app is in use.
        case foregroundOnly
        /// Not at all.
        case off
    }

    /// The result of a set-up.
    package enum SetUpResult: Sendable, Equatable {
        case success
        /// The session is set up already.
        case alreadySetUp
        /// The licence lacks these services; only under the whole-session rule, which has no failures of single
        /// services.
        case configMismatch(ServiceSet)
    }

    /// The result of a shutdown.
    package enum ShutdownResult: Sendable, Equatable {
        case success
        /// There was nothing to shut down.
        case uninitialized
        /// Recorded data could not be handed over; the session is unchanged.
        case networkError
    }

    /// The current state.
    package private(set) var state = State.uninitialized
    /// All failures; empty if nothing fails, and before the set-up.
    package private(set) var failures: [ServiceFailure] = []
    /// All warnings: what is missing without failing a service.
    package private(set) var warnings: [ServiceWarning] = []
    /// Whether a manually started trip is in progress.
    package private(set) var isOnTrip = false

    private var evaluator: Evaluator?
    private var statuses = RequirementStatuses(met: [])
    private var notices: [Notice] = []
    /// The results of the services, in table order; empty before the set-up.
    package private(set) var current: [ServiceResult] = []

    /// Creates a session that is not set up.
    package init() {}

    // MARK: State

    /// Sets the session up with what an evaluator evaluates: services, rules, option flags and licence.
    ///
    /// `start` starts automatic detection immediately.
    package mutating func setUp(_ evaluator: Evaluator, start: Bool = false) -> SetUpResult {
        guard state == .uninitialized else { return .alreadySetUp }
        let missing = evaluator.listed.subtracting(evaluator.licence)
        guard !evaluator.wholeSession || missing.isEmpty else { return .configMismatch(missing) }
        self.evaluator = evaluator
        state = .ready
        evaluate()
        if start { _ = startAutomaticDetection() }
        return .success
    }

    /// Replaces the evaluator; returns false before the set-up.
    ///
    /// The state stays; failures and warnings are evaluated again.
    package mutating func update(_ evaluator: Evaluator) -> Bool {
        guard state != .uninitialized else { return false }
        self.evaluator = evaluator
        evaluate()
        return true
    }

    /// Starts automatic detection; returns false unless the session is ready.
    package mutating func startAutomaticDetection() -> Bool {
        guard state == .ready else { return false }
        state = .running
        return true
    }

    /// Stops automatic detection; returns false unless the session is running.
    package mutating func stopAutomaticDetection() -> Bool {
        guard state == .running else { return false }
        state = .ready
        return true
    }

    /// Ends the session.
    ///
    /// Recorded data must be handed over first, unless `force` discards it.
    package mutating func shutDown(force: Bool, isHandedOver: Bool) -> ShutdownResult {
        guard state != .uninitialized else { return .uninitialized }
        guard force || isHandedOver else { return .networkError }
        var ended = ServiceSession()
        ended.statuses = statuses
        ended.notices = notices
        self = ended
        return .success
    }

    /// Starts a trip manually; returns false unless the session is ready and driving can run.
    ///
    /// The mandatory flags are ignored.
    package mutating func startTrip() -> Bool {
        guard state == .ready, !isOnTrip, let evaluator, evaluator.listed.contains(ServiceSet(.driving)) else {
            return false
        }
        let plain = try? Evaluator(of: evaluator.asked, rules: evaluator.rules, licence: evaluator.licence)
        isOnTrip = plain?.verdicts(for: statuses)[.driving].map { [.runs, .degraded].contains($0) } ?? false
        return isOnTrip
    }

    /// Ends a manually started trip; returns false if there is none.
    package mutating func finishTrip() -> Bool { exchange(&isOnTrip, with: false) }

    // MARK: The rig

    /// Evaluates the current statuses and returns what changed.
    package mutating func observe(_ statuses: RequirementStatuses, notices: [Notice] = []) -> Delivery {
        let before = self
        self.statuses = statuses
        self.notices = notices
        evaluate()
        return Delivery(from: before, to: self)
    }

    /// The services that run now.
    package var running: ServiceSet {
        guard state == .running else { return [] }
        return ServiceSet(current.filter { $0.asked && [.runs, .degraded].contains($0.verdict) }.map(\.service))
    }

    /// Whether anything is recorded: a session can run without a recording service, and an assistance call records
    /// nothing.
    package var isRecording: Bool { isOnTrip || !running.subtracting(ServiceSet(.assistanceCall)).isEmpty }

    /// When automatic detection works.
    package var reach: Reach {
        guard state == .running else { return .off }
        return statuses.met.contains(RequirementSet(.backgroundLocation)) ? .full : .foregroundOnly
    }

    private mutating func evaluate() {
        guard let evaluator else { return }
        current = evaluator.results(for: statuses)
        failures = current.compactMap(ServiceFailure.init)
        warnings =
            current.compactMap(ServiceWarning.init)
            + notices.map { ServiceWarning(service: nil, reason: .notice($0)) }
        guard evaluator.wholeSession else { return }
        let missing = failures.reduce(into: RequirementSet()) { missing, failure in
            if case .missing(let requirements) = failure.reason { missing.formUnion(requirements) }
        }
        if !missing.isEmpty {
            state = .error(missing)
        } else if case .error = state {
            // Fixed, it waits for a start.
            state = .ready
        }
    }
}

/// A service that does not run, and why.
package struct ServiceFailure: Sendable, Equatable {
    /// The reason.
    package enum Reason: Sendable, Equatable {
        /// The unmet requirements.
        case missing(RequirementSet)
        /// The licence does not include it.
        case unauthorized
    }

    /// The service.
    package let service: Service
    /// The reason.
    package let reason: Reason
}

extension ServiceFailure {
    init?(_ result: ServiceResult) {
        guard result.verdict == .unauthorized || !result.failures.isEmpty else { return nil }
        service = result.service
        reason = result.verdict == .unauthorized ? .unauthorized : .missing(result.failures)
    }
}

/// A reduced quality of a service, or of all.
package struct ServiceWarning: Sendable, Equatable {
    /// The reason.
    package enum Reason: Sendable, Equatable {
        /// The unmet optional requirements.
        case missing(RequirementSet)
        /// A notice about the rig.
        case notice(Notice)
    }

    /// The service; nil if it concerns all.
    package let service: Service?
    /// The reason.
    package let reason: Reason
}

extension ServiceWarning {
    init?(_ result: ServiceResult) {
        guard !result.warnings.isEmpty else { return nil }
        service = result.service
        reason = .missing(result.warnings)
    }
}

/// What an observation changed: each list complete, nil if unchanged.
package struct Delivery: Sendable, Equatable {
    /// The new state.
    package let state: ServiceSession.State?
    /// The failures; empty once nothing fails.
    package let failures: [ServiceFailure]?
    /// The warnings.
    package let warnings: [ServiceWarning]?

    init(from before: ServiceSession, to after: ServiceSession) {
        state = before.state == after.state ? nil : after.state
        failures = before.failures == after.failures ? nil : after.failures
        warnings = before.warnings == after.warnings ? nil : after.warnings
    }

    /// Whether nothing changed.
    package var isEmpty: Bool { state == nil && failures == nil && warnings == nil }
}
