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
        page.causes(assessment.rootCauses)
        accepted(&page)
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
            let isAccepted = assessment.acceptedServices.contains(result.service)
            let style: Terminal.Style = isAccepted || mark.style == .good ? .faint : mark.style
            page.row(
                (mark.sign, isAccepted ? .doubtful : mark.style),
                (name.padded(to: column), result.asked ? nil : .faint),
                rest: assessment.reason(for: result) + (isAccepted ? " (accepted)" : ""), style: style)
        }
        page.blank()
    }

    private func accepted(_ page: inout Page) {
        for accepted in assessment.accepted {
            let words = "\(accepted.finding.reason) (until \(accepted.finding.until))"
            page.row(
                (accepted.state.title.padded(to: 10), accepted.state == .expired ? .bad : .doubtful),
                (accepted.finding.id + "  ", .strong), rest: words)
        }
        if !assessment.accepted.isEmpty { page.blank() }
    }

    private func notices(_ page: inout Page) {
        // What does not work beside what does is told with each service.
        let notices = assessment.notices.filter { $0.id != .unreadSameKind }
        guard !notices.isEmpty else { return }
        page.blank()
        for notice in notices { page.row(rest: "note: \(notice.detail)", style: .faint) }
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

extension Acceptance.State {
    var title: String { self == .applies ? "accepted" : rawValue }
}

extension Page {
    /// Adds the causes in the order in which to repair them, each with what it unlocks and what fixes it.
    mutating func causes(_ causes: [RootCause]) {
        for (index, cause) in causes.enumerated() {
            row((causes.heading(of: index), .strong))
            if let detail = cause.detail { row(("  ", nil), rest: detail, style: cause.cause.style) }
            for remedy in cause.remedies { self.remedy(4, remedy.commandLine) }
        }
        if !causes.isEmpty { blank() }
    }
}

extension [RootCause] {
    /// The place of a cause in the order, what is wrong and what its repair unlocks, on one line.
    func heading(of index: Int) -> String {
        let cause = self[index]
        let earlier = firstIndex { $0.id == cause.alternativeTo }
        return [
            "\(index + 1) of \(count)", cause.title,
            earlier.map { "or this instead of \($0 + 1)" } ?? cause.unlocks.unlocking,
        ].joined(separator: " · ")
    }
}

extension [Service] {
    /// What a repair unlocks, in a few words.
    fileprivate var unlocking: String {
        switch count {
        case 0: "unlocks nothing alone"
        case 1: "unlocks \(self[0].title)"
        default: "unlocks \(count) services"
        }
    }
}

extension Cause {
    fileprivate var style: Terminal.Style { self == .indeterminate || self == .notDetermined ? .doubtful : .bad }
}

extension Assessment {
    /// The number of services asked for that do not run, with its style.
    var tallyWords: (text: String, style: Terminal.Style) {
        let tally = tally
        let of = tally.asked == 1 ? "the service" : "\(tally.asked) services"
        let apart = tally.accepted > 0 ? ", \(tally.accepted) accepted" : ""
        if tally.failing > 0 {
            let text =
                tally.asked == 1
                ? "the service fails" : "\(tally.failing) of \(of) \(tally.failing == 1 ? "fails" : "fail")"
            return (text + apart, .bad)
        }
        if tally.undetermined > 0 {
            let text = tally.asked == 1 ? "cannot tell" : "\(tally.undetermined) of \(of) undetermined"
            return (text + apart, .doubtful)
        }
        if tally.asked == 1, tally.accepted == 1 { return ("the service is accepted as it is", .doubtful) }
        var words =
            tally.accepted > 0
            ? "\(tally.asked - tally.accepted) of \(of) run" : tally.asked == 1 ? "the service runs" : "all \(of) run"
        if tally.degraded > 0 { words += ", \(tally.degraded) degraded" }
        return (words + apart, tally.degraded + tally.accepted > 0 ? .doubtful : .good)
    }

    /// The reasons of a service's verdict, in a few words.
    func reason(for result: ServiceResult) -> String {
        func words(_ requirements: RequirementSet) -> String {
            requirements.members.map { $0.brief(self.result(of: $0)?.cause) }.joined(separator: ", ")
        }
        switch result.verdict {
        case .runs, .degraded:
            let reasons =
                result.verdict == .degraded
                ? words(result.warnings) : result.unknown.isEmpty ? "" : "cannot tell: \(words(result.unknown))"
            let deciding = result.verdict == .runs ? sensors(deciding: result).names : ""
            return [reasons, deciding.isEmpty ? "" : "by \(deciding)", sensors(failingBeside: result).troubles]
                .filter { !$0.isEmpty }.joined(separator: "; ")
        case .fails: return words(result.failures)
        case .undetermined:
            return result.unknown.isEmpty
                ? "\(result.service.parent?.title ?? "the session") undetermined"
                : "cannot tell: \(words(result.unknown))"
        case .unauthorized: return "not in the licence"
        case .blocked:
            let own = words(result.failures.union(result.warnings))
            let by =
                result.blockedBy == .session
                ? "another service stops the session" : "needs \(result.service.parent?.title ?? "its parent")"
            return own.isEmpty ? by : "\(by); \(own)"
        }
    }
}

extension [Sensor] {
    /// The names of at most three, each once.
    fileprivate var names: String {
        var names: [String] = []
        for name in map({ ($0.label ?? $0.name).singleLine }) where !names.contains(name) { names.append(name) }
        return names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }

    /// How many do not work, by cause; one that stands alone by its name.
    fileprivate var troubles: String {
        var causes: [(cause: Cause, keys: Set<String>, sensor: Sensor)] = []
        for sensor in self {
            guard case .unavailable(let cause) = sensor.availability else { continue }
            if let place = causes.firstIndex(where: { $0.cause == cause }) {
                causes[place].keys.insert(sensor.key)
            } else {
                causes.append((cause, [sensor.key], sensor))
            }
        }
        return causes.map { cause, keys, sensor in
            "\(keys.count == 1 ? [sensor].names : keys.count.counted("sensor")) \(cause.title)"
        }.joined(separator: ", ")
    }
}

extension Sensor {
    /// The reading, or why there is none, on one line.
    var summary: String {
        let state =
            switch availability {
            case .available: summaryWhenAvailable
            case .unavailable(let cause): [cause.title, detail].compactMap { $0 }.joined(separator: ": ")
            }
        return access == .denied ? state + " (no access to capture)" : state
    }

    /// The reading and the detail, which may begin with the same words.
    private var summaryWhenAvailable: String {
        guard let said = reading?.summary else { return detail ?? "present" }
        guard let detail else { return said }
        return detail.hasPrefix(said) ? detail : "\(said); \(detail)"
    }
}

extension Reading {
    var summary: String {
        switch self {
        case .axes(let axes):
            let values = [("x", axes.x), ("y", axes.y), ("z", axes.z)].compactMap { axis, value in
                value.map { "\(axis) \($0.fixed(axes.unit == .raw ? 0 : 3))" }
            }
            return values.joined(separator: "  ") + "  " + (axes.unit == .raw ? "raw" : axes.unit.symbol)
        case .steps(let steps): return "\(steps) steps"
        case .adapter(let adapter):
            let blocks = [
                adapter.softBlocked == true ? "soft blocked" : nil, adapter.hardBlocked == true ? "hard blocked" : nil,
            ]
            return ([adapter.state.words] + blocks.compactMap { $0 }).joined(separator: ", ")
        case .position(let position): return position.summary
        }
    }
}

extension PositionReading {
    /// The fix on one line; the position itself is only in the JSON.
    var summary: String {
        var words = [fix == .none ? "no fix" : "\(fix.rawValue) fix"]
        if let horizontalError { words[0] += " ±\(horizontalError.fixed(1)) m" }
        if let satellitesUsed { words.append("\(satellitesUsed) satellites") }
        if let ageSeconds { words.append("\(ageSeconds.fixed(1)) s old") }
        return words.joined(separator: ", ") + (simulated ? " (simulated)" : "")
    }
}

extension AxesReading.Unit {
    var symbol: String {
        switch self {
        case .metresPerSecondSquared: "m/s²"
        case .radiansPerSecond: "rad/s"
        case .raw: "raw"
        }
    }
}

extension AdapterReading.State {
    var words: String {
        switch self {
        case .poweredOn: "powered on"
        case .poweredOff: "powered off"
        default: id
        }
    }
}
