import Readiness
import Rendering

extension Assessment {
    /// Explains some services: each requirement with its status, causes and evidence; then what fixes them.
    func explanation(of services: [ServiceResult], on terminal: Terminal) -> String {
        var page = Page(terminal)
        // The service that shows the evidence of a requirement.
        var places: [Requirement: Service] = [:]
        for result in services {
            let mark = Mark(result.verdict)
            let reason = reason(for: result)
            page.row(
                (mark.sign + " ", mark.tone.style), (result.service.title + " ", .strong),
                rest: result.verdict.id + (reason.isEmpty ? "" : ": \(reason)"), style: mark.tone.style)
            for requirement in requirements {
                let isRequired = result.required.contains(requirement.requirement)
                guard isRequired || result.optional.contains(requirement.requirement) else { continue }
                let need = isRequired ? "required" : "optional"
                page.requirement(requirement, need, of: self, at: places[requirement.requirement])
                if places[requirement.requirement] == nil { places[requirement.requirement] = result.service }
            }
            page.blank()
        }
        page.causes(rootCauses)
        page.repeatVerdict(self)
        return page.text
    }

    /// Explains, in report order, each service that does not run, unless all its findings are accepted; one line if there
    /// is no such service.
    func explanationOfFailures(on terminal: Terminal) -> String {
        let failing = services.filter { isShort($0) && !acceptedServices.contains($0.service) }
        guard failing.isEmpty else { return explanation(of: failing, on: terminal) }
        var page = Page(terminal)
        page.hanging(0, tallyWords.text, tallyWords.tone.style)
        // A strict check has failures that are only notices.
        if status != .ready { page.notices(noticesOfRig) }
        return page.text
    }

    /// What keeps the exit status from 0: the services with their reasons, else what only a strict check counts.
    var shortcomings: [String] {
        let failing = services.filter {
            ($0.asked || request.strict) && isShort($0) && !acceptedServices.contains($0.service)
        }
        guard failing.isEmpty else { return failing.map { "\($0.id) (\(reason(for: $0)))" } }
        return notices.filter { $0.id == .rawValue }.map(\.detail)
    }

    /// Whether the exit status counts a service as failing; a missing optional requirement counts only with `--strict`.
    private func isShort(_ result: ServiceResult) -> Bool {
        switch result.verdict {
        case .unauthorized, .blocked, .fails, .undetermined: true
        case .degraded: request.strict
        case .runs: request.strict && !result.unknown.isEmpty
        }
    }

    /// Explains a finding: its meaning, its detection and its fix; then the parts of the report that concern it.
    func explanation(of query: FindingQuery, on terminal: Terminal, breaksWords: Bool = false) -> Page {
        var page = Page(terminal, breaksWords: breaksWords)
        page.row((query.id, .strong))
        for explanation in [query.cause?.explanation, query.notice?.explanation].compactMap(\.self) {
            page.row(("  meaning   ", .faint), rest: explanation.meaning)
            page.row(("  detected  ", .faint), rest: explanation.detection)
            page.row(("  fix       ", .faint), rest: explanation.fix)
        }
        page.blank()
        let matches = matches(of: query)
        if matches.isEmpty { page.row(rest: "This finding is not in the report of this rig.") }
        let repaired = RequirementSet(matches.rootCauses.flatMap(\.requirements))
        for result in matches.requirements {
            page.requirement(result, nil, of: self, at: nil)
            if !repaired.contains(result.requirement), result.rootCause == nil { page.remedies(result.remedies) }
        }
        if !matches.requirements.isEmpty { page.blank() }
        if !matches.sensors.isEmpty {
            page.sensors(matches.sensors, isFull: false)
            for sensor in matches.sensors {
                let isDenied = sensor.access == .denied && query.cause == .denied
                let evidence = isDenied ? [sensor.accessEvidence].compactMap(\.self) : sensor.evidence
                for line in evidence.lines(besides: sensor.detail) {
                    page.hanging(6, "\(sensor.name): \(line)", .faint)
                }
                page.remedies(isDenied ? sensor.accessRemedies : sensor.remedies)
            }
            page.blank()
        }
        let ids = Set(matches.rootCauses.map(\.id))
        page.causes(rootCauses) { ids.contains($0.id) }
        for notice in matches.notices { page.row(rest: "note: \(notice.detail)") }
        return page
    }
}

extension Page {
    /// Adds a requirement: how a service needs it, its status and its causes, then its evidence, or where that is.
    fileprivate mutating func requirement(
        _ result: RequirementResult, _ need: String?, of assessment: Assessment, at place: Service?
    ) {
        let status = Mark(result.status).tone.style
        let (detail, facts) = result.explanation
        let hasEvidence = detail != nil || !facts.isEmpty
        let words = [result.causeWords, place.flatMap { hasEvidence ? "see \($0.title)" : nil } ?? ""]
        row(
            ("  " + result.requirement.title.padded(to: 22), nil),
            (need.map { $0.padded(to: 10) } ?? "", .faint), (result.status.rawValue.padded(to: 11), status),
            rest: words.filter { !$0.isEmpty }.joined(separator: "; "), style: status)
        guard place == nil else { return }
        if let detail { hanging(6, detail, nil) }
        for fact in facts { hanging(6, fact, .faint) }
        for accepted in assessment.accepted where accepted.requirements.contains(result.requirement) {
            hanging(
                6, "\(accepted.state.title) until \(accepted.finding.until): \(accepted.finding.reason)", nil)
        }
    }

    fileprivate mutating func remedies(_ remedies: [Remedy]) {
        for remedy in remedies { self.remedy(6, remedy) }
    }
}
