import ConfigurationFiles
import Fleet
import Readiness
import Rendering

/// The fleet for people: one line a rig, with what it runs, when it was seen, and what stops it.
struct FleetPage {
    let rigs: [(name: RigName, standing: RigStanding)]
    /// The broker that was read; nil if none answers.
    let broker: BrokerURL?
    /// The services asked for; nil for those that each rig is asked for.
    let services: ServiceSet?
    let terminal: Terminal

    var text: String {
        var page = Page(terminal)
        header(&page)
        let words = rigs.map(\.standing.words)
        func width(_ column: [String]) -> Int { min(column.map(\.columns).max() ?? 0, 32) }
        let widths = (width(rigs.map(\.name.description)), width(words))
        for ((name, standing), words) in zip(rigs, words) {
            let mark = standing.mark
            page.row(
                (mark.sign, mark.style), (name.description.column(widths.0), .strong),
                (words.column(widths.1), mark.style == .good ? .faint : mark.style),
                (standing.ageWords.column(6), .faint), rest: standing.reasons.joined(separator: "; "))
        }
        if rigs.isEmpty, broker != nil { page.row(rest: "No rig publishes here.", style: .faint) }
        return page.text
    }

    private func header(_ page: inout Page) {
        let online = rigs.count { $0.standing.online == true }
        let left = [broker?.description ?? "no broker answers", "\(rigs.count.counted("rig")), \(online) online"]
        let count = rigs.count { $0.standing.outcome == .runs }
        let unknown = rigs.count { $0.standing.outcome == .cannotTell }
        let asked = services?.members ?? []
        let what = asked.count == 1 ? asked[0].title : "all that is asked"
        var right = count == 0 ? "none runs \(what)" : "\(count.counted("rig")) \(count == 1 ? "runs" : "run") \(what)"
        if unknown > 0 { right += ", \(unknown) unknown" }
        page.ends(left.joined(separator: " · "), right, count > 0 ? .good : unknown > 0 ? .doubtful : .bad)
        page.blank()
    }
}

extension RigStanding {
    fileprivate var mark: (sign: String, style: Terminal.Style) {
        switch outcome {
        case .runs: isWhole ? ("✓ ", .good) : ("! ", .doubtful)
        case .doesNotRun: online == true ? ("✗ ", .bad) : ("– ", .faint)
        case .cannotTell: ("? ", .doubtful)
        }
    }

    /// What it runs, in a few words.
    var words: String {
        switch outcome {
        case .cannotTell: return "cannot tell"
        case .doesNotRun where online == false:
            return remarks.contains { $0.id == RigStanding.notSeen } ? "not seen" : "offline"
        case .doesNotRun:
            return lines.count == 1 ? "fails" : "\(lines.count(where: isFailing)) of \(lines.count) fail"
        case .runs:
            let degraded = lines.count { $0.verdict == .degraded }
            let accepted = lines.count { $0.isAccepted }
            let rest = (degraded > 0 ? ", \(degraded) degraded" : "") + (accepted > 0 ? ", \(accepted) accepted" : "")
            return (lines.count == 1 ? "runs" : "all \(lines.count) run") + rest
        }
    }

    private func isFailing(_ line: ServiceSummary) -> Bool {
        !line.isAccepted && [.fails, .blocked, .unauthorized].contains(verdict(of: line))
    }

    /// What stops it: the services that fail where there are several, their causes, and what is remarked of the rig.
    var reasons: [String] {
        func brief(_ text: String) -> String { String(text.singleLine.prefix(160)) }
        var reasons: [String] = []
        if isCounted {
            let failing = lines.filter(isFailing).map { $0.service?.title ?? $0.id }
            if lines.count > 1, 1...3 ~= failing.count { reasons.append(failing.joined(separator: ", ")) }
            reasons += rootCauses.prefix(4).map { brief($0.title) }
            if rootCauses.count > 4 { reasons.append("\(rootCauses.count - 4) more causes") }
        }
        if isTaken { reasons += notices.filter { $0.id == RigStanding.nameTaken }.prefix(1).map { brief($0.detail) } }
        return reasons + remarks.filter { isCounted || $0.id != "otherVersion" }.map { brief($0.detail) }
    }

    /// How long ago it was seen, in the largest unit.
    fileprivate var ageWords: String {
        guard let age else { return "" }
        let seconds = Int(min(max(age, 0), 1e9))
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) d"
        }
    }
}
