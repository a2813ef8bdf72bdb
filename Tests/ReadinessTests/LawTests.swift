import Readiness
import Testing

/// The laws of the engine, checked by enumeration over every status of the nine requirements.
@Suite("Laws")
struct LawTests {
    @Test(arguments: Setting.all)
    func `a worse fact never makes a verdict better, and every listed service has one`(setting: Setting) throws {
        let all = AllFacts.shared
        #expect(all.codes.count == 26_244)  // 3⁸ × 4
        for licence in Setting.licences {
            let evaluator = try setting.evaluator(licence: licence)
            let ladders = all.statuses.map { evaluator.verdicts(for: $0).ladder }
            let licensed = UInt64(evaluator.listed.intersection(licence ?? .all).rawValue)
            #expect(ladders.allSatisfy { $0 >> 48 == licensed })
            var broken: [Int] = []
            for position in ladders.indices {
                let lacking = ~ladders[position]
                for worse in all.worse[position] where ladders[worse] & lacking != 0 { broken.append(position) }
            }
            #expect(broken.isEmpty, "\(broken.prefix(3).map { all.statuses[$0] })")
        }
    }

    @Test(arguments: Setting.all)
    func `an unknown never reads as met, nor as unmet`(setting: Setting) throws {
        let evaluator = try setting.evaluator(licence: nil)
        var broken: [RequirementStatuses] = []
        for statuses in AllFacts.shared.statuses where !statuses.unknown.isEmpty {
            let verdicts = evaluator.verdicts(for: statuses)
            let hopeful = evaluator.verdicts(
                for: RequirementStatuses(met: statuses.met.union(statuses.unknown), unchecked: statuses.unchecked))
            let gloomy = evaluator.verdicts(for: RequirementStatuses(met: statuses.met, unchecked: statuses.unchecked))
            // What fails would fail even if the unknown were met; what runs would run even if it were unmet.
            let stopped = verdicts.fails.union(verdicts.blocked)
            let running = verdicts.runs.union(verdicts.degraded)
            let stoppedAnyway = hopeful.fails.union(hopeful.blocked)
            let runningAnyway = gloomy.runs.union(gloomy.degraded)
            if stopped != stoppedAnyway || running != runningAnyway { broken.append(statuses) }
        }
        #expect(broken.isEmpty, "\(broken.prefix(3))")
    }

    @Test(arguments: Setting.all)
    func `the core agrees with the definitions of the verdicts, read service by service`(setting: Setting) throws {
        for licence in Setting.licences {
            let evaluator = try setting.evaluator(licence: licence)
            // A stride coprime to the 4 and 3 of the codes reaches each combination of each pair.
            for position in stride(from: 0, to: AllFacts.shared.statuses.count, by: 41) {
                let statuses = AllFacts.shared.statuses[position]
                let plain = PlainEvaluation(evaluator, licence: licence, statuses: statuses)
                let verdicts = evaluator.verdicts(for: statuses)
                if let service = evaluator.listed.members.first(where: { verdicts[$0] != plain.verdicts[$0] }) {
                    Issue.record("\(service.id) in \(statuses): \(String(describing: verdicts[service]))")
                    return
                }
            }
        }
    }

    @Test func `every licence of the newest rules is literal, whatever it leaves out`() throws {
        let statuses = RequirementStatuses(met: .all)
        for mask in 0...ServiceSet.all.rawValue {
            let licence = ServiceSet(rawValue: mask)
            let verdicts = try Evaluator(licence: licence).verdicts(for: statuses)
            guard verdicts.unauthorized == ServiceSet.all.subtracting(licence), verdicts.fails.isEmpty,
                verdicts.blocked.members.allSatisfy({ $0.parent.map { !licence.contains($0) } ?? false })
            else {
                Issue.record("licence \(licence.members.map(\.id))")
                return
            }
        }
    }

    @Test func `other requested services and their order do not change a verdict`() throws {
        let whole = try Evaluator()
        let statuses = AllFacts.shared.statuses
        for service in Service.allCases {
            let alone = try Evaluator(of: ServiceSet(service))
            let broken = stride(from: 0, to: statuses.count, by: 7).filter {
                alone.verdicts(for: statuses[$0])[service] != whole.verdicts(for: statuses[$0])[service]
            }
            #expect(broken.isEmpty)
        }
        let forth = ServiceSet(Service.allCases.map { ServiceSet($0) })
        let back = ServiceSet(Service.allCases.reversed().map { ServiceSet($0) })
        let some = RequirementStatuses(met: [.location, .preciseLocation, .gyroscope])
        #expect(try Evaluator(of: forth).results(for: some) == Evaluator(of: back).results(for: some))
    }

    @Test func `every failure has a stop, and every stop a reason`() throws {
        for setting in Setting.all where setting.version == "2.14" || setting.version == "1.x" {
            let evaluator = try setting.evaluator(licence: nil)
            for position in stride(from: 0, to: AllFacts.shared.statuses.count, by: 61) {
                let statuses = AllFacts.shared.statuses[position]
                let folded = RequirementStatuses(
                    met: statuses.met, unknown: statuses.unknown, unchecked: statuses.unchecked, folded: .all)
                for result in evaluator.results(for: folded) {
                    let agrees =
                        switch result.verdict {
                        case .fails: !result.failures.isEmpty
                        case .blocked: result.blockedBy != nil
                        case .degraded: result.failures.isEmpty && !result.warnings.isEmpty
                        case .runs: result.failures.isEmpty && result.warnings.isEmpty
                        case .undetermined: result.failures.isEmpty
                        case .unauthorized: false
                        }
                    guard agrees, (result.blockedBy != nil) == (result.verdict == .blocked) else {
                        Issue.record("\(setting): \(result)")
                        return
                    }
                }
            }
        }
    }
}

/// The verdicts by the design's definitions, service by service, without the core's optimizations.
struct PlainEvaluation {
    private(set) var verdicts: [Service: Verdict] = [:]

    init(_ evaluator: Evaluator, licence: ServiceSet?, statuses: RequirementStatuses) {
        for row in evaluator.rows {
            verdicts[row.service] = verdict(of: row, evaluator, licence, statuses)
        }
        guard evaluator.wholeSession else { return }
        let open: [Verdict] = [.runs, .degraded, .undetermined]
        let fails = verdicts.values.contains(.fails)
        let undetermined = verdicts.values.contains(.undetermined)
        for (service, verdict) in verdicts where open.contains(verdict) {
            verdicts[service] = fails ? .blocked : undetermined ? .undetermined : .runs
        }
    }

    private func verdict(
        of row: ServiceRow, _ evaluator: Evaluator, _ licence: ServiceSet?, _ statuses: RequirementStatuses
    ) -> Verdict {
        let parent = row.service.parent.flatMap { verdicts[$0] }
        if let licence, !licence.contains(row.service) { return .unauthorized }
        if parent == .fails || parent == .blocked || parent == .unauthorized { return .blocked }
        let required = row.required.members
        if required.contains(where: statuses.unmet.contains) { return .fails }
        if required.contains(where: statuses.unknown.contains) || parent == .undetermined { return .undetermined }
        return row.optional.members.contains(where: statuses.unmet.contains) ? .degraded : .runs
    }
}
