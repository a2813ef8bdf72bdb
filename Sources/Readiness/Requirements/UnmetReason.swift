/// One reason against a requirement: a sensor that does not serve, or an obstacle before its kind.
struct UnmetReason {
    let cause: Cause
    let key: String?
    let detail: String?
    let remedies: [Remedy]
    let evidence: [Evidence]

    /// A sensor's own cause; values that this user may not read are denied, not unknown.
    init(_ sensor: Sensor) {
        let cause: Cause =
            switch sensor.availability {
            case .unavailable(.indeterminate) where sensor.isValueDenied: .denied
            case .unavailable(let cause): cause
            case .available: .indeterminate
            }
        self.init(sensor, cause: cause)
    }

    /// A sensor, for a cause that its requirement sees.
    init(_ sensor: Sensor, cause: Cause) {
        self.cause = cause
        key = sensor.key
        // What is told of a sensor that serves is no reason against anything.
        let reason = sensor.availability == .available ? nil : sensor.detail
        detail =
            reason.map { $0.hasPrefix(sensor.name) ? $0 : "\(sensor.name): \($0)" }
            ?? "\(sensor.name) is \(cause.title)"
        remedies =
            cause == .denied
            ? (sensor.accessRemedies.isEmpty ? sensor.remedies : sensor.accessRemedies) : sensor.remedies
        evidence = sensor.evidence
    }

    /// An obstacle.
    init(_ obstacle: Obstacle) {
        cause = obstacle.cause
        key = nil
        detail = obstacle.detail
        remedies = obstacle.remedies
        evidence = obstacle.evidence
    }

    /// The order of telling among sensors: a denied sensor comes after an inactive one and before a chip without driver.
    var rank: Int { cause == .denied ? Int(Cause.inactive.rawValue) * 2 + 1 : Int(cause.rawValue) * 2 }
}

extension RequirementEvaluator {
    /// Weighs the reasons against a requirement: something that cannot be told leaves it unknown, since it may be good.
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

    /// The judgement of an authorization that does not allow, followed by the causes that the hardware has besides.
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

    /// The same for the authorizations without accuracy.
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
        // What the hardware says stays as evidence only where it speaks of the same cause.
        refused.evidence = result.cause == cause ? result.evidence : [Evidence(said: evidence)]
        return refused
    }
}

extension Requirement {
    /// What to plug in.
    fileprivate var remediesForAbsence: [Remedy] {
        switch self {
        case .location, .preciseLocation, .backgroundLocation:
            [
                .advice("connect a receiver"),
                .advice(
                    "where gpsd does not find it, look for its node with ls /dev/gnss* /dev/serial/by-id, and type it"
                        + " after: sudo gpsdctl add"),
            ]
        case .bluetooth: [.advice("connect a controller")]
        default: [.advice("connect one"), .option(.context)]
        }
    }
}

extension RequirementResult {
    /// The same judgement of a requirement that stands and falls with this one.
    func repeated(as requirement: Requirement, root: Requirement = .location) -> RequirementResult {
        var copy = self
        copy.requirement = requirement
        copy.rootCause = root
        return copy
    }
}

extension Array where Element: Equatable {
    /// The elements without repetition, in their order.
    var unique: [Element] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
