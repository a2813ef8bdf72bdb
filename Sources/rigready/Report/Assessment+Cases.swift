import Readiness
import Rendering

/// The assessment as cases: one for each service of the rules, one for each pinned sensor.
extension Assessment {
    var caseList: CaseList { list(of: serviceCases + sensorCases) }

    func list(of cases: [Case]) -> CaseList {
        CaseList(
            host: rig.host, takenAt: rig.takenAt,
            properties: [
                ("version", Release.version), ("rules", request.evaluator.rules.profile.description),
                ("depth", inventory.depth.rawValue), ("kernel", rig.kernel), ("source", rig.source.rawValue),
            ],
            seconds: seconds { _ in true } ?? 0, cases: cases)
    }

    /// A case for each service of the rules; those not asked for are skipped.
    private var serviceCases: [Case] {
        request.evaluator.rules.rows.map { row in
            let result = services.first { $0.service == row.service }
            let outcome = result.map(outcome) ?? .skipped("not asked for")
            let seconds = result.flatMap { $0.asked ? self.seconds(of: $0) : nil }
            return Case(name: row.service.id, className: "rigready.services", outcome: outcome, seconds: seconds)
        }
    }

    /// The time of the drivers that a service depends on.
    func seconds(of result: ServiceResult) -> Double? {
        let kinds = result.required.union(result.optional).members.flatMap(\.kinds)
        return seconds { driver in kinds.contains(where: driver.kinds.contains) }
    }

    private func outcome(of result: ServiceResult) -> CaseOutcome {
        let reason = reason(for: result)
        let message = result.verdict.id + (reason.isEmpty ? "" : ": \(reason)")
        guard result.asked else { return .skipped("listed only for a sub-service; \(message)") }
        if acceptedServices.contains(result.service) {
            let own = result.reasons.union(culprits(of: result).reduce(into: []) { $0.formUnion($1.reasons) })
            return .accepted("\(acceptance(of: own)); \(message)")
        }
        let account = CaseDescription(word: result.verdict.id, message: message, lines: lines(of: result))
        switch result.verdict {
        case .runs, .degraded: return .passed(account)
        case .undetermined: return .errored(account)
        case .fails, .blocked, .unauthorized: return .failed(account)
        }
    }

    /// Why some requirements are accepted, each reason once.
    private func acceptance(of requirements: RequirementSet) -> String {
        let shown = accepted.filter { $0.state == .applies && !$0.requirements.isDisjoint(with: requirements) }
        return shown.map { "accepted until \($0.finding.until): \($0.finding.reason)" }.joined(separator: "; ")
    }

    /// The reasons of a service's verdict: its own requirements, then those of what blocks it.
    func lines(of result: ServiceResult) -> [String] {
        if result.verdict == .unauthorized {
            return ["remedy: name it in --licence, or under licence in the configuration, if the licence includes it"]
        }
        var shown = result.reasons
        var lines = lines(of: shown)
        if result.verdict == .runs || result.verdict == .degraded {
            let row = result.required.union(result.optional).subtracting(shown)
            for met in requirements where row.contains(met.requirement) && met.status == .met {
                lines.append("\(met.requirement.title): met")
                lines += met.evidence.lines(besides: nil).map { "  " + $0 }
            }
        }
        for culprit in culprits(of: result) {
            lines.append("\(culprit.service.id) \(culprit.verdict.id): \(reason(for: culprit))")
            lines += self.lines(of: culprit.reasons.subtracting(shown))
            shown.formUnion(culprit.reasons)
        }
        return lines
    }

    private func lines(of shown: RequirementSet) -> [String] {
        requirements.filter { shown.contains($0.requirement) }.flatMap { result in
            let causes = result.causes.map(\.title).joined(separator: ", then ")
            let lines = CaseDescription.lines(
                result.evidence, besides: result.detail, remedy: result.remedies.commandLine)
            return ["\(result.requirement.title): \(causes)"]
                + ([result.detail].compactMap { $0 } + lines).map { "  " + $0 }
        }
    }

    /// A case for each sensor that is pinned, in the order of kinds.
    private var sensorCases: [Case] {
        SensorKind.allCases.compactMap { kind in request.pins[kind].map { sensorCase(kind, $0) } }
    }

    private func sensorCase(_ kind: SensorKind, _ pin: String) -> Case {
        let sensor = inventory.sensor(kind, pinnedAs: pin)
        var outcome = sensor.map(CaseOutcome.init) ?? missing(kind, pin)
        let own = acceptedRequirements.members.filter { $0.kinds == [kind] }
        if case .failed(let account) = outcome, !own.isEmpty {
            let reason = acceptance(of: RequirementSet(own))
            outcome = .accepted("\(reason); \(account.message)")
        }
        return Case(
            name: "\(kind.id) \(pin)", className: "rigready.sensors", outcome: outcome,
            seconds: seconds { driver in sensor.map { $0.driver == driver.name } ?? driver.kinds.contains(kind) })
    }

    /// The outcome of a pinned sensor that was not found: absent only if nothing prevented finding it.
    private func missing(_ kind: SensorKind, _ pin: String) -> CaseOutcome {
        let obstacles = inventory.obstacles.filter { $0.kind == kind }
        guard let shown = obstacles.first(where: { $0.cause == .indeterminate }) ?? obstacles.first else {
            let reason = inventory.reasonForMissing(kind, pinnedAs: pin)
            return .unavailable(
                .absent, detail: reason.detail,
                evidence: inventory.drivers.filter { $0.kinds.contains(kind) }.compactMap(\.searched),
                remedy: reason.remedies.commandLine)
        }
        return .unavailable(
            shown.cause, detail: shown.detail, evidence: shown.evidence, remedy: shown.remedies.commandLine)
    }

    /// The time of the slowest of some drivers, which run concurrently; nil if there are none.
    func seconds(ofDrivers counted: (DriverReport) -> Bool) -> Double? {
        inventory.drivers.filter(counted).map(\.elapsedMilliseconds).max().map { $0 / 1000 }
    }
}

extension CaseOutcome {
    /// The outcome of a sensor that was found: whether it delivers.
    fileprivate init(_ sensor: Sensor) {
        switch sensor.availability {
        case .available where sensor.access == .denied:
            let lines = CaseDescription.lines(
                sensor.evidence, besides: sensor.summary, remedy: sensor.accessRemedies.commandLine)
            self = .passed(CaseDescription(word: sensor.availability.id, message: sensor.summary, lines: lines))
        case .available: self = .passed(nil)
        case .unavailable(.indeterminate) where sensor.isValueDenied:
            self = .unavailable(
                .denied, detail: sensor.detail, evidence: sensor.evidence, remedy: sensor.accessRemedies.commandLine)
        case .unavailable(let cause):
            self = .unavailable(
                cause, detail: sensor.detail, evidence: sensor.evidence, remedy: sensor.remedies.commandLine)
        }
    }

    /// The outcome of an unavailable sensor; an indeterminate one is an error.
    fileprivate static func unavailable(
        _ cause: Cause, detail: String?, evidence: [Evidence], remedy: String?
    ) -> CaseOutcome {
        let account = CaseDescription(
            word: cause.id, message: cause.title + (detail.map { ": \($0)" } ?? ""),
            lines: CaseDescription.lines(evidence, besides: detail, remedy: remedy))
        return cause == .indeterminate ? .errored(account) : .failed(account)
    }
}

extension CaseDescription {
    /// The evidence that the detail does not include, and what fixes it.
    fileprivate static func lines(_ evidence: [Evidence], besides detail: String?, remedy: String?) -> [String] {
        evidence.lines(besides: detail) + [remedy].compactMap { $0 }.map { "remedy: " + $0 }
    }
}

extension ServiceResult {
    fileprivate var reasons: RequirementSet { failures.union(warnings).union(unknown) }
}

/// A comparison as cases: one for each sensor and each service that was expected.
extension Assessment {
    /// The cases of a comparison; an unexpected difference has a case too.
    func caseList(_ expected: Baseline, _ differences: [Difference]) -> CaseList {
        var left = differences
        func take(where isMeant: (Difference) -> Bool) -> [Difference] {
            let taken = left.filter(isMeant)
            left.removeAll(where: isMeant)
            return taken
        }
        var sensors: [Case] = []
        let items = (expected.sensors ?? []).filter { $0.availability != .unavailable(.absent) }
        for item in items.sorted(by: { ($0.kind, $0.key) < ($1.kind, $1.key) }) {
            sensors.append(
                Case(
                    "\(item.kind.id) \(item.key)", comparing: take { item.isMeant(by: $0) },
                    seconds: seconds(of: item.kind)))
        }
        for (kind, count) in expected.counts.sorted(by: { $0.key < $1.key }) {
            let shown = take { difference in
                if case .sensor(kind, key: nil, _) = difference.subject { true } else { false }
            }
            sensors.append(Case("\(kind.id) of \(count)", comparing: shown, seconds: seconds(of: kind)))
        }
        let services = request.evaluator.rules.rows.map { row in
            let result = self.services.first { $0.service == row.service }
            let shown = take { $0.subject == .service(row.service) }
            return Case(
                row.service.id, comparing: shown, isExpected: expected.services[row.service] != nil,
                seconds: result.flatMap(seconds), reason: result.map(reason), lines: result.map(lines))
        }
        let rest = left.map { Case($0.name, comparing: [$0], seconds: nil) }
        return list(of: services + sensors + rest)
    }

    private func seconds(of kind: SensorKind) -> Double? { seconds { $0.kinds.contains(kind) } }
}

extension Case {
    /// The outcome of one expected thing: the worst of its differences; of a service with all reasons of its verdict.
    init(
        _ name: String, comparing differences: [Difference], isExpected: Bool = true, seconds: Double?,
        reason: String? = nil, lines: [String]? = nil
    ) {
        let outcome: CaseOutcome
        if let worst = differences.first {
            let others = differences.dropFirst().map { $0.message() }
            let account = CaseDescription(
                word: worst.id.rawValue, message: worst.message(because: reason),
                lines: (lines ?? worst.remedies.commandLine.map { ["remedy: \($0)"] } ?? []) + others)
            switch worst.id {
            case .missing, .worse: outcome = .failed(account)
            case .unknown: outcome = .errored(account)
            case .moved, .new, .better, .changed: outcome = .passed(account)
            }
        } else {
            outcome = isExpected ? .passed(nil) : .skipped("not expected")
        }
        self.init(name: name, className: "rigready.compare", outcome: outcome, seconds: isExpected ? seconds : nil)
    }
}

extension Baseline.Item {
    /// Whether a difference is about this sensor; a controller's key may change with what is known of it.
    fileprivate func isMeant(by difference: Difference) -> Bool {
        guard case .sensor(kind, let key, let name) = difference.subject else { return false }
        if difference.id == .moved { return difference.before == self.key }
        guard difference.id != .new else { return false }
        return key == self.key || kind == .bluetoothAdapter && name != nil && name == self.name
    }
}

extension Difference {
    /// The name of the case that it belongs to.
    var name: String {
        let names = subject.names
        return if case .sensor = subject { "\(names.kind) \(names.key ?? "")" } else { names.key ?? "" }
    }

    fileprivate func message(because reason: String? = nil) -> String {
        let change = [before, after].compactMap { $0 }.joined(separator: " -> ")
        let parts: [String?] = [id.rawValue, property?.id, change, reason ?? detail ?? ""]
        return parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
