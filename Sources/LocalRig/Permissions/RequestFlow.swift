package import Readiness

/// What a request asks for.
package enum PermissionRequest: Sendable, Equatable {
    case location(always: Bool)
    /// Full accuracy for a number of seconds, for the purpose with that key.
    case fullAccuracy(purpose: String, seconds: Double)
    case motion, bluetooth, health

    /// What is asked for by a permission's name; `always` is only for location.
    package init(_ permission: Permission, always: Bool) {
        self =
            switch permission {
            case .location: .location(always: always)
            case .motion: .motion
            case .bluetooth: .bluetooth
            case .health: .health
            }
    }
}

/// The next step of a request.
package enum RequestStep: Sendable, Equatable {
    /// The user has to be asked.
    case ask(PermissionQuestion)
    /// There is nothing to ask.
    case settled(RequestOutcome)
    /// An earlier question is still open; this request has no effect (C3-PRO, System Service Permissions).
    case waiting(PermissionQuestion)
}

/// The outcome of a request.
package enum RequestOutcome: Sendable, Equatable {
    case granted
    /// Not granted, with the reason and what changes it.
    case refused(reason: String, remedies: [Remedy])
    /// The answer is recorded, and whether the operating system allows it cannot be determined.
    case undetermined(reason: String, remedies: [Remedy])
    /// No answer; nothing was recorded.
    case deferred
}

extension RequestFlow {
    /// The text of a purpose is missing, so the request cannot be made.
    public struct MissingPurpose: Error, Sendable, Equatable, CustomStringConvertible {
        /// The key in the configuration.
        public var key: String
        /// The key of Info.plist.
        public var appleKey: String

        /// The missing purpose, with both keys.
        public var description: String {
            "purposes.\(key) (\(appleKey)) is missing: the reason for the request, which the user is shown"
        }
    }
}

/// The state machine of permission requests: at most one question is open, and only an answer changes a record.
///
/// What the user cannot change is never asked: restricted, denied, or refused by the operating system. Sources:
/// MOVE SDK, Permissions Handling (two-step Always); Core Location, Authorization & Permissions Reference (temporary
/// full accuracy).
package struct RequestFlow: Sendable, Equatable {
    /// The question that is open.
    package private(set) var question: PermissionQuestion?
    private var request: PermissionRequest?
    private var decisions: Decisions
    private let access: Authorizations
    private let purposes: Purposes

    /// Creates the flow of one user: the decisions, what the operating system allows, and the app's purposes.
    package init(_ decisions: Decisions, access: Authorizations, purposes: Purposes) {
        self.decisions = decisions
        self.access = access
        self.purposes = purposes
    }

    /// The current records.
    package var grants: Grants { decisions.grants }

    /// The current authorizations.
    package var authorizations: Authorizations { access.narrowed(by: decisions) }

    private var now: GrantContext { decisions.now }

    /// Starts a request.
    package mutating func begin(_ request: PermissionRequest) throws(MissingPurpose) -> RequestStep {
        if let question { return .waiting(question) }
        let text = try purpose(of: request)
        guard let kind = kind(of: request) else { return .settled(outcome(of: request)) }
        let background = kind == .locationConfirmation ? purposes.texts[.backgroundLocation] : nil
        let asked = PermissionQuestion(kind, background ?? text)
        question = asked
        self.request = request
        return .ask(asked)
    }

    /// Applies the answer to the open question; nil if none is open, or it does not offer that answer.
    package mutating func answer(_ answer: PermissionAnswer) -> RequestOutcome? {
        guard let question, let request, question.answers.contains(answer) else { return nil }
        self.question = nil
        self.request = nil
        record(answer, to: question, request)
        return outcome(of: request)
    }

    // MARK: Questions

    private func purpose(of request: PermissionRequest) throws(MissingPurpose) -> String {
        func text(_ purpose: Purposes.Purpose) throws(MissingPurpose) -> String {
            if let text = purposes.texts[purpose] { return text }
            throw MissingPurpose(key: purpose.rawValue, appleKey: purpose.appleKey)
        }
        switch request {
        case .location(always: false): return try text(.location)
        case .location(always: true):
            // Always needs both texts, since its first question is the one of when-in-use.
            let first = try text(.location)
            let second = try text(.backgroundLocation)
            return authorizations.location.status == .notDetermined ? first : second
        case .fullAccuracy(let purpose, _):
            if let text = purposes.fullAccuracy[purpose] { return text }
            let appleKey = "NSLocationTemporaryUsageDescriptionDictionary.\(purpose)"
            throw MissingPurpose(key: "preciseLocation.\(purpose)", appleKey: appleKey)
        case .motion: return try text(.motion)
        case .bluetooth: return try text(.bluetooth)
        case .health: return try text(.health)
        }
    }

    /// What to ask for a request; nil if there is nothing to ask.
    private func kind(of request: PermissionRequest) -> PermissionQuestionKind? {
        let current = authorizations
        switch request {
        case .location(let always):
            switch current.location.status {
            case .notDetermined: return .locationWhenInUse
            case .authorizedAlways where grants.location?.isConfirmationDue(now) == true: return .locationConfirmation
            case .authorizedWhenInUse where always && current.location.from == .grant && decisions.mayAskForAlways:
                return .locationAlways
            default: return nil
            }
        case .fullAccuracy:
            // Without a reduction there is nothing to ask, and the user cannot change one by the policy.
            guard current.location.status.refusal == nil, current.accuracy.status == .reducedAccuracy,
                current.accuracy.from == .grant || access.accuracy.status == .fullAccuracy && grants.location == nil,
                !decisions.policy.isReduced
            else { return nil }
            return .fullAccuracy
        case .motion: return current.motion.status == .notDetermined ? .motion : nil
        case .bluetooth: return current.bluetooth.status == .notDetermined ? .bluetooth : nil
        case .health: return current.health.status == .notDetermined ? .health : nil
        }
    }

    // MARK: Answers

    private mutating func record(
        _ answer: PermissionAnswer, to question: PermissionQuestion, _ request: PermissionRequest
    ) {
        switch question.kind {
        case .motion: decisions.grants.motion = answer == .allow ? .allowed : .denied
        case .bluetooth: decisions.grants.bluetooth = answer == .allow ? .allowed : .denied
        case .health: decisions.grants.health = answer == .allow ? .allowed : .denied
        case .locationWhenInUse: decisions.grants.location = location(answer, request)
        case .locationAlways:
            // A refusal changes nothing, but the question is not asked again.
            decisions.grants.location?.wasAskedForAlways = true
            if answer == .allow { decisions.grants.location?.decision = .always }
        case .locationConfirmation:
            decisions.grants.location?.provisional = nil
            decisions.grants.location?.wasUsedOutside = false
            decisions.grants.location?.wasAskedForAlways = true
            if answer == .deny { decisions.grants.location?.decision = .whenInUse }
        case .fullAccuracy:
            guard answer == .allow, case .fullAccuracy(let purpose, let seconds) = request else { return }
            let lifetime = Validity(boot: now.boot, until: now.uptime + seconds)
            if grants.location == nil {
                // Reduced by default: what access allows becomes a record, to which the exception belongs.
                let isAlways = access.location.status == .authorizedAlways
                decisions.grants.location = LocationGrant(isAlways ? .always : .whenInUse, isReduced: true)
            }
            decisions.grants.location?.fullAccuracy = .init(purpose: purpose, lifetime: lifetime)
        case .notifications, .microphone: break
        }
    }

    /// The first location question: a request for Always gets it provisionally.
    private func location(_ answer: PermissionAnswer, _ request: PermissionRequest) -> LocationGrant {
        let isUndecided = grants.location.map { $0.decision(now) == .notDetermined } ?? true
        let isReduced = grants.location?.isReduced ?? false || isUndecided && decisions.isReducedByDefault
        switch answer {
        case .deny: return LocationGrant(.denied, isReduced: isReduced)
        case .once: return LocationGrant(.whenInUse, isReduced: isReduced, once: .once(now))
        case .allow:
            guard request == .location(always: true) else { return LocationGrant(.whenInUse, isReduced: isReduced) }
            var grant = LocationGrant(.always, isReduced: isReduced)
            grant.provisional = .once(now)
            return grant
        }
    }

    // MARK: Outcomes

    private func outcome(of request: PermissionRequest) -> RequestOutcome {
        func outcome(_ authorization: Authorization<some Sendable>, isGranted: Bool, isUnclear: Bool = false)
            -> RequestOutcome
        {
            let (reason, remedies) = (authorization.evidence, authorization.remedies)
            if isUnclear { return .undetermined(reason: reason, remedies: remedies) }
            return isGranted ? .granted : .refused(reason: reason, remedies: remedies)
        }
        func outcome(_ authorization: Authorization<AuthorizationStatus>) -> RequestOutcome {
            outcome(
                authorization, isGranted: authorization.status == .allowed,
                isUnclear: authorization.status == .indeterminate)
        }
        let current = authorizations
        let status = current.location.status
        switch request {
        case .location(let always):
            return outcome(
                current.location, isGranted: always ? status == .authorizedAlways : status.refusal == nil,
                isUnclear: status == .indeterminate)
        case .fullAccuracy:
            if status.refusal != nil {
                return outcome(current.location, isGranted: false, isUnclear: status == .indeterminate)
            }
            return outcome(current.accuracy, isGranted: current.accuracy.status == .fullAccuracy)
        case .motion: return outcome(current.motion)
        case .bluetooth: return outcome(current.bluetooth)
        case .health: return outcome(current.health)
        }
    }
}
