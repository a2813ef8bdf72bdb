import Readiness
import Rendering

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
                found("\(item.kind.id) \(item.key)", take { item.isMeant(by: $0) }, seconds: seconds(of: item.kind)))
        }
        for (kind, count) in expected.counts.sorted(by: { $0.key < $1.key }) {
            let told = take { difference in
                if case .sensor(kind, key: nil, _) = difference.subject { true } else { false }
            }
            sensors.append(found("\(kind.id) of \(count)", told, seconds: seconds(of: kind)))
        }
        let services = request.evaluator.rules.rows.map { row in
            let result = self.services.first { $0.service == row.service }
            let told = take { $0.subject == .service(row.service) }
            return found(
                row.service.id, told, isExpected: expected.services[row.service] != nil,
                seconds: result.flatMap(seconds), of: result)
        }
        let rest = left.map { found($0.name, [$0], seconds: nil) }
        return list(of: services + sensors + rest)
    }

    private func seconds(of kind: SensorKind) -> Double? { seconds { $0.kinds.contains(kind) } }

    /// The outcome of one expected thing: the worst of its differences.
    private func found(
        _ name: String, _ differences: [Difference], isExpected: Bool = true, seconds: Double?,
        of result: ServiceResult? = nil
    ) -> Case {
        let outcome: CaseOutcome
        if let worst = differences.first {
            let account = account(of: worst, result)
            switch worst.id {
            case .missing, .worse: outcome = .failed(account)
            case .unknown: outcome = .errored(account)
            case .moved, .new, .better, .changed: outcome = .passed(account)
            }
        } else {
            outcome = isExpected ? .passed(nil) : .skipped("not expected")
        }

        return Case(name: name, className: "rigready.compare", outcome: outcome, seconds: isExpected ? seconds : nil)
    }

    /// Describes a difference; for a service with all reasons of its verdict.
    private func account(of difference: Difference, _ result: ServiceResult?) -> CaseDescription {
        let change = [difference.before, difference.after].compactMap { $0 }.joined(separator: " -> ")
        let reason = result.map(reason) ?? difference.detail ?? ""
        let lines = result.map(lines) ?? difference.remedies.commandLine.map { ["remedy: \($0)"] } ?? []
        return CaseDescription(
            word: difference.id.rawValue,
            message: "\(difference.id.rawValue): \(change)" + (reason.isEmpty ? "" : ": \(reason)"), lines: lines)
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
    fileprivate var name: String {
        let names = subject.names
        return if case .sensor = subject { "\(names.kind) \(names.key ?? "")" } else { names.key ?? "" }
    }
}
