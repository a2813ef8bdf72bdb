import Readiness
import Rendering

/// The report for people: the verdicts first with their causes, the remedies below, the hardware last.
struct TextReport {
    let assessment: Assessment
    let terminal: Terminal

    var text: String {
        var page = Page(terminal)
        header(&page)
        services(&page)
        causes(&page)
        page.sensors(assessment.sensors, isFull: false)
        notices(&page)
        return page.text
    }

    private func header(_ page: inout Page) {
        let rig = assessment.rig
        let elapsed = assessment.inventory.drivers.map(\.elapsedMilliseconds).max() ?? 0
        var words = [rig.host, "Linux \(rig.kernel)", "rules \(assessment.request.evaluator.rules.profile)"]
        if rig.source == .recording {
            words.append("recorded \(rig.takenAt)")
        } else {
            words.append("\(Int(elapsed.rounded())) ms")
        }
        if assessment.inventory.depth != .sample { words.append("depth \(assessment.inventory.depth.rawValue)") }
        let (tally, style) = assessment.tallyWords
        page.ends(words.joined(separator: " · "), tally, style)
        page.blank()
    }

    private func services(_ page: inout Page) {
        let names = assessment.services.map { ($0.service.parent == nil ? "" : "  ") + $0.service.title }
        let column = (names.map(\.count).max() ?? 0) + 4
        for (result, name) in zip(assessment.services, names) {
            let mark = Mark(result.verdict)
            page.row(
                (mark.sign, mark.style), (name.padded(to: column), result.asked ? nil : .faint),
                rest: assessment.reason(for: result), style: mark.style == .good ? .faint : mark.style)
        }
        page.blank()
    }

    private func causes(_ page: inout Page) {
        let told = assessment.unmet
        let titles = told.map(\.requirement.title)
        let first = (titles.map(\.count).max() ?? 0) + 2
        let second = (told.compactMap { $0.cause?.title.count }.max() ?? 0) + 2
        for result in told {
            page.row(
                (result.requirement.title.padded(to: first), .strong),
                ((result.cause?.title ?? "").padded(to: second), result.status == .unmet ? .bad : .doubtful),
                rest: result.detail ?? "")
            if let remedy = result.remedies.commandLine { page.remedy(first + 2, remedy) }
        }
        if !told.isEmpty { page.blank() }
    }

    private func notices(_ page: inout Page) {
        guard !assessment.notices.isEmpty else { return }
        page.blank()
        for notice in assessment.notices { page.row(rest: "note: \(notice.detail)", style: .faint) }
    }
}

struct Mark {
    var sign: String
    var style: Terminal.Style

    init(_ verdict: Verdict) {
        switch verdict {
        case .runs: (sign, style) = ("✓ ", .good)
        case .degraded: (sign, style) = ("! ", .doubtful)
        case .undetermined: (sign, style) = ("? ", .doubtful)
        case .fails, .blocked, .unauthorized: (sign, style) = ("✗ ", .bad)
        }
    }
}

extension RequirementResult {
    /// The result in two or three words, for the line of a service.
    var brief: String {
        switch (requirement, cause) {
        case (_, nil), (_, .indeterminate): requirement.title
        case (.location, .absent): "no receiver"
        case (.location, .noFix): "no fix"
        case (.location, .unreachable): "gpsd unreachable"
        case (.bluetooth, .absent): "no Bluetooth controller"
        case (.motion, .absent), (.motion, .noDriver): "no motion sensor"
        case (_, .absent), (_, .noDriver): "no \(requirement.title)"
        case (_, .some(let cause)): "\(requirement.title) \(cause.title)"
        }
    }
}

extension Assessment {
    /// The number of services asked for that do not run, with its style.
    var tallyWords: (text: String, style: Terminal.Style) {
        let tally = tally
        let of = tally.asked == 1 ? "the service" : "\(tally.asked) services"
        if tally.failing > 0 {
            let text =
                tally.asked == 1
                ? "the service fails" : "\(tally.failing) of \(of) \(tally.failing == 1 ? "fails" : "fail")"
            return (text, .bad)
        }
        if tally.undetermined > 0 {
            return (tally.asked == 1 ? "cannot tell" : "\(tally.undetermined) of \(of) undetermined", .doubtful)
        }
        let all = tally.asked == 1 ? "the service runs" : "all \(of) run"
        return tally.degraded > 0 ? ("\(all), \(tally.degraded) degraded", .doubtful) : (all, .good)
    }

    /// The reasons of a service's verdict, in a few words.
    func reason(for result: ServiceResult) -> String {
        func words(_ requirements: RequirementSet) -> String {
            requirements.members.compactMap { self.result(of: $0)?.brief }.joined(separator: ", ")
        }
        switch result.verdict {
        case .runs: return result.unknown.isEmpty ? "" : "cannot tell: \(words(result.unknown))"
        case .degraded: return words(result.warnings)
        case .fails: return words(result.failures)
        case .undetermined:
            return result.unknown.isEmpty
                ? "\(result.service.parent?.title ?? "the session") undetermined"
                : "cannot tell: \(words(result.unknown))"
        case .unauthorized: return "not in the licence"
        case .blocked:
            let own = words(result.failures)
            let by = result.blockedBy == .session ? "another service stops the session" : "its parent does not run"
            return own.isEmpty ? by : "\(by); \(own)"
        }
    }
}
