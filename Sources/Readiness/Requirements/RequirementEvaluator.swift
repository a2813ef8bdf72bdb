/// Whether a requirement is met.
public enum RequirementStatus: String, CaseIterable, Sendable, Hashable {
    case met
    case unmet
    /// Cannot be determined; never counts as met, nor as absent.
    case unknown
    /// Not checked, because its authorization is undetermined; only for Bluetooth (MOVE SDK,
    /// Permissions Handling: Bluetooth Permission).
    case unchecked
}

/// The status of one requirement on one rig, and why.
public struct RequirementResult: Sendable, Equatable {
    /// The requirement.
    public var requirement: Requirement
    /// The status.
    public var status: RequirementStatus
    /// Every cause, in report order; empty if the requirement is met.
    public var causes: [Cause] = []
    /// The requirement whose cause this one repeats.
    public var rootCause: Requirement?
    /// The keys of the sensors that determined the status.
    public var decidedBy: [String] = []
    /// The cause in one clause.
    public var detail: String?
    /// What fixes it: a command, or what to plug in.
    public var remedies: [Remedy] = []
    /// What was observed.
    public var evidence: [Evidence] = []
    /// Every reason; empty if the requirement is met.
    var reasons: [UnmetReason] = []

    /// The cause to report.
    public var cause: Cause? { causes.first }
}

/// Evaluates each requirement from what a probe found and what the user may do.
///
/// The depth of the probe is reflected in the sensors: at `presence` a listed motion sensor is available and a listed
/// receiver is unknown. Source: the mapping in `Documentation/architecture.md`.
package struct RequirementEvaluator: Sendable {
    let inventory: Inventory
    let authorizations: Authorizations
    let pins: [SensorKind: String]
    private let precision: PrecisionCriteria
    private let found: [SensorKind: [Sensor]]

    /// Creates an evaluator; `pins` names the sensor under test of a kind, as `Inventory.sensor(_:pinnedAs:)` takes it.
    package init(
        _ inventory: Inventory, _ authorizations: Authorizations, pins: [SensorKind: String] = [:],
        precision: PrecisionCriteria = PrecisionCriteria()
    ) {
        self.inventory = inventory
        self.authorizations = authorizations
        self.pins = pins
        self.precision = precision
        found = Dictionary(grouping: inventory.sensors, by: \.kind)
    }

    /// Returns the results of the nine requirements, in table order.
    package func results() -> [RequirementResult] {
        let source = sensor(.locationReceiver, for: .location)
        let location = limited(source, by: authorizations.location)
        let store = healthStore()
        return [
            location, preciseLocation(under: location), backgroundLocation(from: source), motion(),
            sensor(.gyroscope, for: .gyroscope), sensor(.accelerometer, for: .accelerometer), bluetooth(), store,
            stepsRead(under: store),
        ]
    }

    private func preciseLocation(under location: RequirementResult) -> RequirementResult {
        if authorizations.location.status.refusal == nil, authorizations.accuracy.status == .reducedAccuracy {
            let reason = UnmetReason(
                .extent, .reducedAccuracy, "only a coarse location is allowed", authorizations.accuracy)
            return RequirementResult(.preciseLocation, for: reason, beside: location.reasons)
        }
        guard location.status == .met else { return location.repeated(as: .preciseLocation) }
        let receivers = inventory.sensors.filter {
            $0.kind == .locationReceiver && location.decidedBy.contains($0.key)
        }
        let flaws = receivers.compactMap { receiver in receiver.imprecision(under: precision) }
        guard flaws.count == receivers.count, !flaws.isEmpty else {
            let flawed = flaws.compactMap(\.key)
            return RequirementResult(
                requirement: .preciseLocation, status: .met,
                decidedBy: location.decidedBy.filter { !flawed.contains($0) })
        }
        return weigh(.preciseLocation, flaws, of: [.locationReceiver], absent: "")
    }

    /// Follows from a location that exists: a receiver that has no position yet is one, a dead or a missing one is not.
    private func backgroundLocation(from source: RequirementResult) -> RequirementResult {
        let location = authorizations.location
        if location.status == .authorizedWhenInUse {
            let reason = UnmetReason(.extent, .foregroundOnly, "location is allowed only while in use", location)
            return RequirementResult(.backgroundLocation, for: reason)
        }
        let works = source.status == .met || source.cause == .noFix || source.cause == .stale
        let allowed = RequirementResult(
            requirement: .backgroundLocation, status: .met, evidence: [Evidence(said: location.evidence)])
        var result = limited(works ? allowed : source.repeated(as: .backgroundLocation), by: location)
        if result.status != .met { result.rootCause = .location }
        return result
    }

    private func bluetooth() -> RequirementResult {
        if authorizations.bluetooth.status == .notDetermined {
            let reason = UnmetReason(
                .authorization, .notDetermined, "not checked while the authorization for Bluetooth is undecided",
                authorizations.bluetooth)
            return RequirementResult(.bluetooth, .unchecked, for: reason)
        }
        return limited(sensor(.bluetoothAdapter, for: .bluetooth), by: authorizations.bluetooth)
    }

    /// A counter that is there and switched on is a store, whether or not this user may read its count.
    private func healthStore() -> RequirementResult {
        var counter = sensor(.stepCounter, for: .healthStore)
        if counter.status == .unmet, counter.cause == .denied {
            counter = RequirementResult(
                requirement: .healthStore, status: .met, decidedBy: counter.decidedBy, evidence: counter.evidence)
        }
        return counter
    }

    private func stepsRead(under store: RequirementResult) -> RequirementResult {
        guard store.status == .met else { return store.repeated(as: .stepsRead, root: .healthStore) }
        let denied = candidates(.stepCounter).sensors.filter { $0.access == .denied }
        if authorizations.health.isDeniedByAccess, !denied.isEmpty {
            let reasons = denied.map { UnmetReason(capturingFrom: $0) }
            return weigh(.stepsRead, reasons, of: [.stepCounter], absent: "")
        }
        return limited(sensor(.stepCounter, for: .stepsRead), by: authorizations.health)
    }

    /// Needs a sensor that this user may capture from and that delivers; otherwise the best sensor's obstacle is the cause.
    private func motion() -> RequirementResult {
        let (accelerometers, gyroscopes) = (candidates(.accelerometer), candidates(.gyroscope))
        let sensors = accelerometers.sensors + gyroscopes.sensors
        let good = sensors.filter { $0.availability == .available && $0.access == .readable }
        guard good.isEmpty else {
            let open = RequirementResult(
                requirement: .motion, status: .met, decidedBy: good.map(\.key).unique,
                evidence: good.compactMap(\.accessEvidence).unique)
            return limited(open, by: authorizations.motion)
        }
        var reasons = sensors.map(UnmetReason.init(capturingFrom:))
        reasons += (accelerometers.obstacles + gyroscopes.obstacles).map(UnmetReason.init)
        var closed = weigh(
            .motion, reasons, of: [.accelerometer, .gyroscope], absent: "no motion sensor was found")
        // Who may not open one node is unlikely to be allowed that of a chip whose driver is still to come.
        if reasons.contains(where: { $0.cause == .denied }) { closed.reasons.removeAll { $0.cause == .noDriver } }
        // What access denies is already reported for the sensors that count.
        return authorizations.motion.isDeniedByAccess ? closed : limited(closed, by: authorizations.motion)
    }

    /// One available sensor of the kind is enough; otherwise the best one's cause is reported.
    private func sensor(_ kind: SensorKind, for requirement: Requirement) -> RequirementResult {
        let (sensors, obstacles) = candidates(kind)
        let available = sensors.filter { $0.availability == .available && !$0.hasFewAxes }
        let whole = available.filter { !$0.isRaw }
        let good = whole.isEmpty ? available : whole
        guard good.isEmpty else {
            return RequirementResult(
                requirement: requirement, status: .met, decidedBy: good.map(\.key),
                evidence: good.map { Evidence(sensor: $0.key, path: $0.path, said: $0.proof) })
        }
        let missing = pins[kind].map { inventory.reasonForMissing(kind, pinnedAs: $0) }
        return weigh(
            requirement,
            sensors.map { $0.hasFewAxes ? UnmetReason(fewAxesOf: $0) : UnmetReason($0) }
                + obstacles.map(UnmetReason.init), of: [kind],
            absent: missing?.detail ?? "no \(kind.title) was found", remedies: missing?.remedies ?? [])
    }

    /// Returns the sensors that count for a kind, and the obstacles to finding others; a pinned sensor that is there is the
    /// only one.
    private func candidates(_ kind: SensorKind) -> (sensors: [Sensor], obstacles: [Obstacle]) {
        let obstacles = inventory.obstacles.filter { $0.kind == kind }
        guard let pin = pins[kind] else { return (found[kind] ?? [], obstacles) }
        return inventory.sensor(kind, pinnedAs: pin).map { ([$0], []) } ?? ([], obstacles)
    }
}

extension Sensor {
    /// Why it counts as available.
    fileprivate var proof: String {
        switch reading {
        case .axes, .steps: "it delivered a sample"
        case .adapter: "it is powered on"
        case .position(let position): "it reported a \(position.fix.rawValue) fix"
        case nil: detail ?? "it is listed"
        }
    }
}

extension RequirementEvaluator {
    /// Combines the reasons against a requirement: an indeterminate one leaves it unknown, since that sensor may be
    /// available.
    func weigh(
        _ requirement: Requirement, _ reasons: [UnmetReason], of kinds: [SensorKind], absent: String,
        remedies: [Remedy] = []
    ) -> RequirementResult {
        let sorted = reasons.inRankOrder
        let decisive = sorted.first { $0.cause == .indeterminate } ?? sorted.first
        guard let decisive else {
            let reason = UnmetReason(
                .availability, .absent, absentKinds: kinds.contains { pins[$0] != nil } ? [] : kinds, detail: absent,
                // Where sensors of the kind were found, none needs to be connected.
                remedies: remedies.isEmpty ? requirement.remediesForAbsence : remedies,
                evidence: inventory.drivers.filter { driver in kinds.contains(where: driver.kinds.contains) }
                    .compactMap(\.searched).unique)
            return RequirementResult(requirement, for: reason)
        }
        let causes = ([decisive.cause] + sorted.map(\.cause)).unique
        let same = sorted.filter { $0.cause == decisive.cause }
        return RequirementResult(
            requirement: requirement, status: decisive.cause == .indeterminate ? .unknown : .unmet, causes: causes,
            decidedBy: same.compactMap(\.key).unique, detail: decisive.detail, remedies: decisive.remedies,
            evidence: same.flatMap(\.evidence), reasons: sorted)
    }

    /// Returns the result under an authorization: why that does not allow it, followed by the causes of the hardware.
    func limited(
        _ result: RequirementResult, by authorization: Authorization<some PermissionStatus>
    ) -> RequirementResult {
        guard let cause = authorization.status.refusal else { return result }
        // What is certainly not met stays so, whatever is allowed.
        if cause == .indeterminate, result.status != .met { return result }
        let reason = UnmetReason(.authorization, cause, authorization.evidence, authorization)
        // Without access to the service, what is known of its hardware follows from that.
        let others = authorization.isDeniedByAccess ? [] : result.reasons
        var refused = RequirementResult(
            result.requirement, cause == .indeterminate ? .unknown : .unmet, for: reason, beside: others)
        refused.causes = ([cause] + result.causes).unique
        refused.rootCause = result.rootCause
        // The evidence of the hardware stays only if it has the same cause.
        if result.cause == cause { refused.evidence = result.evidence }
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
    /// Creates the result of a requirement that is not met for one reason, and for others that are told after it.
    fileprivate init(
        _ requirement: Requirement, _ status: RequirementStatus = .unmet, for reason: UnmetReason,
        beside others: [UnmetReason] = []
    ) {
        self.init(
            requirement: requirement, status: status, causes: [reason.cause], detail: reason.detail,
            remedies: reason.remedies, evidence: reason.evidence, reasons: [reason] + others)
    }

    /// Copies the result to a requirement that depends on this one.
    func repeated(as requirement: Requirement, root: Requirement = .location) -> RequirementResult {
        var copy = self
        copy.requirement = requirement
        copy.rootCause = root
        return copy
    }
}

extension [UnmetReason] {
    /// The reasons by rank, and else as they are; most rigs have reasons of one rank alone.
    fileprivate var inRankOrder: [UnmetReason] {
        let ranks = Set(map(\.rank))
        return ranks.count < 2 ? self : ranks.sorted().flatMap { rank in filter { $0.rank == rank } }
    }
}

extension Array where Element: Hashable {
    /// The elements without duplicates, in order.
    package var unique: [Element] {
        guard count > 1 else { return self }
        var known = Set<Element>(minimumCapacity: count)
        return filter { known.insert($0).inserted }
    }
}
