import Permissions
import Readiness

/// One rig, probed and judged: everything that a report tells.
struct Assessment {
    let host: RigIdentity
    let evaluator: Evaluator
    let inventory: Inventory
    let authorizations: Authorizations
    let requirementResults: [RequirementResult]
    let results: [ServiceResult]
    let pins: [SensorKind: String]
    let exitStatus: Int32
    /// How the rig is watched; nil in a single probe.
    var watch: Watch?

    /// How a rig is watched.
    struct Watch {
        /// Seconds after which sensors are read again; nil never.
        var resample: Double?
    }

    init(
        _ host: RigIdentity, _ inventory: Inventory, _ evaluator: Evaluator, decisions: Decisions,
        pins: [SensorKind: String], strict: Bool, isBlind: Bool = false
    ) {
        self.host = host
        self.evaluator = evaluator
        self.pins = pins
        authorizations = Authorizations(access: inventory).narrowed(by: decisions)
        requirementResults = RequirementEvaluator(inventory, authorizations, pins: pins).requirementResults()
        self.inventory = inventory.narrowed(to: authorizations)
        results = evaluator.results(for: RequirementStatuses(requirementResults))
        // Where nothing was seen at all, nothing can be told, not even of a service that requires nothing.
        exitStatus = isBlind ? ReadinessStatus.undetermined.rawValue : results.outcome(strict: strict).rawValue
    }

    /// What is said of the rig besides: the drivers' notices and those of the process, each once, in a fixed order.
    var notices: [Notice] {
        var notices = inventory.notices + inventory.notices(under: authorizations)
        if host.uid == 0 {
            notices.append(Notice(.superuser, detail: "running as root: what an ordinary user may read is not shown"))
        }
        if evaluator.wholeSession {
            notices.append(Notice(.wholeSession, detail: "rules 1.x: one failing service stops every other"))
        }
        if let watch, watch.resample == nil {
            notices.append(
                Notice(.resampleOff, detail: "a sensor that falls silent makes no event, and none is read again"))
        }
        var seen: Set<Notice> = []
        return notices.filter { seen.insert($0).inserted }.sorted {
            ($0.id.rawValue, $0.sensor ?? "", $0.detail) < ($1.id.rawValue, $1.sensor ?? "", $1.detail)
        }
    }

    /// The judgements that concern the listed services and are not met, without those that repeat a root cause told.
    var told: [RequirementResult] {
        let listed = results.reduce(RequirementSet()) { $0.union($1.required).union($1.optional) }
        return requirementResults.filter { result in
            listed.contains(result.requirement) && result.status != .met
                && !(result.rootCause.map(listed.contains) ?? false)
        }
    }

    /// The state of the best controller, as `CBManager` would say it.
    var bluetoothState: AdapterReading.State {
        if authorizations.bluetooth.status == .denied || authorizations.bluetooth.status == .restricted {
            return .unauthorized
        }
        let result = requirementResults.first { $0.requirement == .bluetooth }
        switch (result?.status, result?.cause) {
        case (.met, _): return .poweredOn
        case (.unmet, .absent): return .unsupported
        case (.unmet, .poweredOff), (.unmet, .softBlocked), (.unmet, .hardBlocked): return .poweredOff
        default: return .unknown
        }
    }

    /// Whether two examinations come to the same.
    func judges(as other: Assessment) -> Bool {
        requirementResults == other.requirementResults && results == other.results
            && authorizations == other.authorizations
    }

    /// How many of the services asked for do not run, in words, and how good that is.
    var tally: (String, Terminal.Style) {
        let asked = results.filter(\.asked)
        let failing = asked.count { [.fails, .blocked, .unauthorized].contains($0.verdict) }
        let unclear = asked.count { $0.verdict == .undetermined }
        let degraded = asked.count { $0.verdict == .degraded }
        let of = asked.count == 1 ? "the service" : "\(asked.count) services"
        if failing > 0 {
            return (
                asked.count == 1 ? "the service fails" : "\(failing) of \(of) \(failing == 1 ? "fails" : "fail")", .bad
            )
        }
        if unclear > 0 { return (asked.count == 1 ? "cannot tell" : "\(unclear) of \(of) cannot be told", .doubtful) }
        let all = asked.count == 1 ? "the service runs" : "all \(of) run"
        return degraded > 0 ? ("\(all), \(degraded) degraded", .doubtful) : (all, .good)
    }

    /// Why a service has its verdict, in a few words.
    func reason(for result: ServiceResult) -> String {
        func words(_ requirements: RequirementSet) -> String {
            requirements.members.compactMap { requirement in
                requirementResults.first { $0.requirement == requirement }?.brief
            }.joined(separator: ", ")
        }
        switch result.verdict {
        case .runs: return result.unknown.isEmpty ? "" : "cannot tell: \(words(result.unknown))"
        case .degraded: return words(result.warnings)
        case .fails: return words(result.failures)
        case .undetermined:
            return result.unknown.isEmpty
                ? "waits for \(result.service.parent?.title ?? "the session")" : "cannot tell: \(words(result.unknown))"
        case .unauthorized: return "not in the licence"
        case .blocked:
            let own = words(result.failures)
            let by = result.blockedBy == .session ? "another service stops the session" : "its parent does not run"
            return own.isEmpty ? by : "\(by); \(own)"
        }
    }
}

extension Report {
    init(_ assessment: Assessment) {
        let host = assessment.host
        version = RigReady.version
        takenAt = host.takenAt
        rig = Rig(
            host: host.name, kernel: host.kernel, boot: host.boot, source: host.source,
            user: Rig.User(name: host.user, uid: host.uid))
        depth = assessment.inventory.depth.rawValue
        rules = assessment.evaluator.rules.profile.description
        wholeSession = assessment.evaluator.wholeSession
        drivers = assessment.inventory.drivers.map { driver in
            DriverLine(
                name: driver.name, state: driver.state.rawValue, detail: driver.detail,
                elapsedMilliseconds: (driver.elapsedMilliseconds * 1000).rounded() / 1000)
        }
        sensors = assessment.inventory.sensors.map(SensorLine.init)
        authorizations = AuthorizationLines(
            assessment.authorizations, bluetoothState: assessment.bluetoothState)
        requirements = assessment.requirementResults.map { result in
            RequirementLine(
                id: result.requirement.id, standing: result.status.rawValue, cause: result.cause?.id,
                causes: result.causes.map(\.id), rootCause: result.rootCause?.id,
                decidedBy: result.decidedBy, detail: result.detail, remedy: result.remedy,
                evidence: result.evidence.map { evidence in
                    EvidenceLine(
                        sensor: evidence.sensor, path: evidence.path, errno: evidence.errno, said: evidence.said)
                })
        }
        services = assessment.results.map { result in
            ServiceLine(
                id: result.service.id, asked: result.asked, verdict: result.verdict.id,
                required: result.required.members.map(\.id), optional: result.optional.members.map(\.id),
                failures: result.failures.members.map(\.id), warnings: result.warnings.members.map(\.id),
                unknown: result.unknown.members.map(\.id), unchecked: result.unchecked.members.map(\.id),
                blockedBy: result.blockedBy?.id)
        }
        notices = assessment.notices.map { NoticeLine(id: $0.id.rawValue, sensor: $0.sensor, detail: $0.detail) }
        exitStatus = assessment.exitStatus
        resample = assessment.watch?.resample
    }
}
