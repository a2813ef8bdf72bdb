/// One reason why a requirement is not met: an unavailable sensor, or an obstacle to its kind.
struct UnmetReason {
    let cause: Cause
    let key: String?
    let detail: String?
    let remedies: [Remedy]
    let evidence: [Evidence]

    /// Creates a reason from a sensor's own cause; values that this user may not read are denied, not unknown.
    init(_ sensor: Sensor) {
        let cause: Cause =
            switch sensor.availability {
            case .unavailable(.indeterminate) where sensor.isValueDenied: .denied
            case .unavailable(let cause): cause
            case .available: .indeterminate
            }
        self.init(sensor, cause: cause)
    }

    /// Creates a reason from a sensor, for a given cause.
    init(_ sensor: Sensor, cause: Cause) {
        self.cause = cause
        key = sensor.key
        // The detail of an available sensor is no reason.
        let reason = sensor.availability == .available ? nil : sensor.detail
        detail =
            reason.map { $0.hasPrefix(sensor.name) ? $0 : "\(sensor.name): \($0)" }
            ?? "\(sensor.name) is \(cause.title)"
        remedies =
            cause == .denied
            ? (sensor.accessRemedies.isEmpty ? sensor.remedies : sensor.accessRemedies) : sensor.remedies
        evidence = sensor.evidence
    }

    /// Creates a reason from an obstacle.
    init(_ obstacle: Obstacle) {
        cause = obstacle.cause
        key = nil
        detail = obstacle.detail
        remedies = obstacle.remedies
        evidence = obstacle.evidence
    }

    /// The report order among sensors: a denied sensor comes after an inactive one and before a chip without a driver.
    var rank: Int { cause == .denied ? Int(Cause.inactive.rawValue) * 2 + 1 : Int(cause.rawValue) * 2 }
}

extension RequirementEvaluator {
    /// Combines the reasons against a requirement: an indeterminate one leaves it unknown, since that sensor may be
    /// available.
    func weigh(
        _ requirement: Requirement, _ reasons: [UnmetReason], of kinds: [SensorKind], absent: String
    ) -> RequirementResult {
        let sorted = reasons.sorted { $0.rank < $1.rank }
        let told = sorted.first { $0.cause == .indeterminate } ?? sorted.first
        guard let told else {
            return RequirementResult(
                requirement, .unmet, causes: [.absent], detail: absent, remedies: requirement.remediesForAbsence,
                evidence: inventory.drivers.filter { driver in kinds.contains(where: driver.kinds.contains) }
                    .compactMap(\.searched).unique)
        }
        let causes = ([told.cause] + sorted.map(\.cause)).unique
        let same = sorted.filter { $0.cause == told.cause }
        return RequirementResult(
            requirement, told.cause == .indeterminate ? .unknown : .unmet, causes: causes,
            decidedBy: same.compactMap(\.key), detail: told.detail, remedies: told.remedies,
            evidence: same.flatMap(\.evidence))
    }

    /// Returns the result under an authorization that does not allow, followed by the causes of the hardware; nil if
    /// allowed.
    func refusal(of authorization: Authorization<LocationStatus>, before result: RequirementResult)
        -> RequirementResult?
    {
        switch authorization.status {
        case .restricted: refusal(.restricted, authorization.evidence, authorization.remedies, before: result)
        case .denied: refusal(.denied, authorization.evidence, authorization.remedies, before: result)
        case .notDetermined: refusal(.notDetermined, authorization.evidence, authorization.remedies, before: result)
        case .authorizedAlways, .authorizedWhenInUse: nil
        }
    }

    /// The same for authorizations without accuracy.
    func refusal(of authorization: Authorization<AuthorizationStatus>, before result: RequirementResult)
        -> RequirementResult?
    {
        switch authorization.status {
        case .restricted: refusal(.restricted, authorization.evidence, authorization.remedies, before: result)
        case .denied: refusal(.denied, authorization.evidence, authorization.remedies, before: result)
        case .notDetermined: refusal(.notDetermined, authorization.evidence, authorization.remedies, before: result)
        case .allowed: nil
        }
    }

    private func refusal(
        _ cause: Cause, _ evidence: String, _ remedies: [Remedy], before result: RequirementResult
    ) -> RequirementResult {
        var refused = result
        refused.status = .unmet
        refused.causes = ([cause] + result.causes).unique
        refused.decidedBy = []
        refused.detail = evidence
        refused.remedies = remedies
        // The evidence of the hardware stays only if it has the same cause.
        refused.evidence = result.cause == cause ? result.evidence : [Evidence(said: evidence)]
        return refused
    }
}

extension Requirement {
    /// What to connect if nothing was found.
    fileprivate var remediesForAbsence: [Remedy] {
        switch self {
        case .location, .preciseLocation, .backgroundLocation:
            [
                .advice("connect a receiver"),
                .advice(
                    "if gpsd does not find it, look for its node with ls /dev/gnss* /dev/serial/by-id, and append it"
                        + " to: sudo gpsdctl add"),
            ]
        case .bluetooth: [.advice("connect a controller")]
        default: [.advice("connect one"), .option(.context)]
        }
    }
}

extension RequirementResult {
    /// Copies the result to a requirement that depends on this one.
    func repeated(as requirement: Requirement, root: Requirement = .location) -> RequirementResult {
        var copy = self
        copy.requirement = requirement
        copy.rootCause = root
        return copy
    }
}

extension Array where Element: Equatable {
    /// The elements without duplicates, in order.
    var unique: [Element] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
