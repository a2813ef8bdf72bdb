/// The life of an SDK session on a rig: set up, started, stopped, shut down, and at each moment what fails and why.
///
/// `running` does not mean that every service runs: a service runs while the session runs and nothing fails it. With the
/// whole-session rule of 1.x a missing requirement puts the session itself into `error`, and once mended back to `ready`,
/// where it waits for a start. A value: who holds it decides where it lives, and hands it the facts.
///
/// Source: mission model, sections 3 and 4.1; seeds 000 and 002.
public struct ServiceSession: Sendable {
    /// Where in its life a session is.
    public enum State: Sendable, Equatable {
        case uninitialized, ready, running
        /// Something that the whole session requires is missing; with the whole-session rule alone.
        case error(RequirementSet)
    }

    /// How far automatic detection reaches.
    public enum Reach: Sendable, Equatable {
        /// Also while nobody uses the app: background location is allowed.
        case full
        /// Only while in use.
        case foregroundOnly
        /// Not at all.
        case off
    }

    /// What a session was told to do.
    public struct Configuration: Sendable, Equatable {
        /// The services; nil stands for all.
        public var services: ServiceSet?
        /// The option flags.
        public var flags: OptionFlags
        /// The services that the licence allows, literally; nil stands for all.
        public var licence: ServiceSet?

        /// Makes a configuration.
        public init(services: ServiceSet? = nil, flags: OptionFlags = [], licence: ServiceSet? = nil) {
            self.services = services
            self.flags = flags
            self.licence = licence
        }
    }

    /// How a set-up ended.
    public enum SetUpResult: Sendable, Equatable {
        case success
        /// The session is set up already.
        case alreadySetUp
        /// The licence does not have these services; with the whole-session rule alone, which has no failure of one service.
        case configMismatch(ServiceSet)
    }

    /// How a shutdown ended.
    public enum ShutdownResult: Sendable, Equatable {
        case success
        /// There was nothing to shut down.
        case uninitialized
        /// What was recorded could not be handed over; the session stays as it was.
        case networkError
    }

    /// The rules of the session.
    public let rules: Rules
    /// Where it is in its life.
    public private(set) var state = State.uninitialized
    /// What fails, whole; empty while all is well, and before the set-up.
    public private(set) var failures: [ServiceFailure] = []
    /// What is wanting without failing anything, whole.
    public private(set) var warnings: [ServiceWarning] = []
    /// Whether a trip that was started by hand goes on.
    public private(set) var isOnTrip = false

    private var evaluator: Evaluator?
    private var services: ServiceSet?
    private var licence: ServiceSet?
    private var statuses = RequirementStatuses(met: [])
    private var notices: [Notice] = []
    private var results: [ServiceResult] = []

    /// Makes a session that is not set up.
    public init(rules: Rules = .newest) { self.rules = rules }

    // MARK: The life

    /// Sets the session up; throws where the rules lack a service or a flag.
    ///
    /// `start` begins automatic detection at once.
    public mutating func setUp(_ configuration: Configuration, start: Bool = false) throws(RulesError) -> SetUpResult {
        guard state == .uninitialized else { return .alreadySetUp }
        let evaluator = try evaluator(configuration)
        if evaluator.wholeSession, let licence = configuration.licence {
            let missing = evaluator.listed.subtracting(licence)
            guard missing.isEmpty else { return .configMismatch(missing) }
        }
        take(evaluator, configuration)
        state = .ready
        evaluate()
        if start { _ = startAutomaticDetection() }
        return .success
    }

    /// Replaces the configuration; false before the set-up.
    ///
    /// The state stays, failures and warnings are told anew.
    public mutating func update(_ configuration: Configuration) throws(RulesError) -> Bool {
        guard state != .uninitialized else { return false }
        take(try evaluator(configuration), configuration)
        evaluate()
        return true
    }

    /// Starts automatic detection; false unless the session is ready.
    public mutating func startAutomaticDetection() -> Bool {
        guard state == .ready else { return false }
        state = .running
        return true
    }

    /// Stops automatic detection; false unless the session is running.
    public mutating func stopAutomaticDetection() -> Bool {
        guard state == .running else { return false }
        state = .ready
        return true
    }

    /// Ends the session.
    ///
    /// What was recorded must be handed over first, unless `force` gives it up.
    public mutating func shutDown(force: Bool, isHandedOver: Bool) -> ShutdownResult {
        guard state != .uninitialized else { return .uninitialized }
        guard force || isHandedOver else { return .networkError }
        let statuses = statuses, notices = notices
        self = ServiceSession(rules: rules)
        self.statuses = statuses
        self.notices = notices
        return .success
    }

    /// Starts a trip by hand; false unless the session is ready and driving can run.
    ///
    /// The mandatory flags are ignored.
    public mutating func startTrip() -> Bool {
        guard state == .ready, !isOnTrip, let evaluator, evaluator.listed.contains(ServiceSet(.driving)) else {
            return false
        }
        let plain = try? Evaluator(of: services, rules: rules, licence: licence, wholeSession: evaluator.wholeSession)
        guard let verdict = plain?.verdicts(for: statuses)[.driving], [.runs, .degraded].contains(verdict) else {
            return false
        }
        isOnTrip = true
        return true
    }

    /// Ends a trip that was started by hand; false where none goes on.
    public mutating func finishTrip() -> Bool {
        defer { isOnTrip = false }
        return isOnTrip
    }

    // MARK: The rig

    /// Takes in how the rig stands by now; what of it is another than before is to be delivered.
    public mutating func observe(_ statuses: RequirementStatuses, notices: [Notice] = []) -> Delivery {
        let before = self
        self.statuses = statuses
        self.notices = notices
        evaluate()
        return Delivery(from: before, to: self)
    }

    /// The results of the services, in table order; empty before the set-up.
    public var current: [ServiceResult] { results }

    /// The services that run by now.
    public var running: ServiceSet {
        guard state == .running else { return [] }
        return results.filter { $0.asked && [.runs, .degraded].contains($0.verdict) }
            .reduce(into: []) { $0.formUnion(ServiceSet($1.service)) }
    }

    /// Whether anything is recorded: a session can run without a service that does, and an assistance call records nothing.
    public var isRecording: Bool { isOnTrip || !running.subtracting(ServiceSet(.assistanceCall)).isEmpty }

    /// How far automatic detection reaches.
    public var reach: Reach {
        guard state == .running else { return .off }
        return statuses.met.contains(RequirementSet(.backgroundLocation)) ? .full : .foregroundOnly
    }

    private func evaluator(_ configuration: Configuration) throws(RulesError) -> Evaluator {
        try Evaluator(
            of: configuration.services, rules: rules, flags: configuration.flags, licence: configuration.licence)
    }

    private mutating func take(_ evaluator: Evaluator, _ configuration: Configuration) {
        self.evaluator = evaluator
        services = configuration.services
        licence = configuration.licence
    }

    private mutating func evaluate() {
        guard let evaluator, state != .uninitialized else { return }
        results = evaluator.results(for: statuses)
        failures = results.compactMap(ServiceFailure.init)
        warnings = results.compactMap(ServiceWarning.init) + notices.map { ServiceWarning($0) }
        guard evaluator.wholeSession else { return }
        let missing = failures.reduce(into: RequirementSet()) { missing, failure in
            if case .missing(let requirements) = failure.reason { missing.formUnion(requirements) }
        }
        if !missing.isEmpty {
            state = .error(missing)
        } else if case .error = state {
            // Mended, it waits for a start.
            state = .ready
        }
    }
}

/// Why a service does not run.
public struct ServiceFailure: Sendable, Equatable {
    /// The reason.
    public enum Reason: Sendable, Equatable {
        /// What it requires and lacks.
        case missing(RequirementSet)
        /// The licence does not have it.
        case unauthorized
    }

    /// The service.
    public let service: Service
    /// The reason.
    public let reason: Reason

    /// Makes a failure.
    public init(_ service: Service, _ reason: Reason) {
        self.service = service
        self.reason = reason
    }

    init?(_ result: ServiceResult) {
        service = result.service
        if result.verdict == .unauthorized {
            reason = .unauthorized
        } else if !result.failures.isEmpty {
            reason = .missing(result.failures)
        } else {
            return nil
        }
    }
}

/// What lowers the quality of a service, or of all.
public struct ServiceWarning: Sendable, Equatable {
    /// The reason.
    public enum Reason: Sendable, Equatable {
        /// What it could use and lacks.
        case missing(RequirementSet)
        /// What is said of the rig as a whole.
        case notice(Notice)
    }

    /// The service; nil for what concerns all.
    public let service: Service?
    /// The reason.
    public let reason: Reason

    init?(_ result: ServiceResult) {
        guard !result.warnings.isEmpty else { return nil }
        service = result.service
        reason = .missing(result.warnings)
    }

    init(_ notice: Notice) {
        service = nil
        reason = .notice(notice)
    }
}

/// What an observation changed: each list whole, nil where it is as it was.
public struct Delivery: Sendable, Equatable {
    /// The state.
    public let state: ServiceSession.State?
    /// What fails; empty once nothing does any more.
    public let failures: [ServiceFailure]?
    /// What is wanting.
    public let warnings: [ServiceWarning]?

    init(from before: ServiceSession, to after: ServiceSession) {
        state = before.state == after.state ? nil : after.state
        failures = before.failures == after.failures ? nil : after.failures
        warnings = before.warnings == after.warnings ? nil : after.warnings
    }

    /// Whether nothing is to be told.
    public var isEmpty: Bool { state == nil && failures == nil && warnings == nil }
}
