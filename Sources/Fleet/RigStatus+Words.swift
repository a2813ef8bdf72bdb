internal import Readiness
package import Rendering

extension RigStatus {
    /// The sign before it, and its tone; no tone for a rig that is not there.
    package var mark: (sign: String, tone: Tone?) {
        switch outcome {
        case .runs: isWhole ? ("✓", .good) : ("!", .doubtful)
        case .doesNotRun: online == true ? ("✗", .bad) : ("–", nil)
        case .cannotTell: ("?", .doubtful)
        }
    }

    package var words: String {
        switch outcome {
        case .cannotTell: return "cannot tell"
        case .doesNotRun where online == false:
            return remarks.contains { $0.id == RigStatus.notSeen } ? "not seen" : "offline"
        case .doesNotRun:
            return lines.count == 1 ? "fails" : "\(lines.count(where: isFailing)) of \(lines.count) fail"
        case .runs:
            let degraded = lines.count { $0.verdict == .degraded }
            let accepted = lines.count { $0.isAccepted }
            let rest = (degraded > 0 ? ", \(degraded) degraded" : "") + (accepted > 0 ? ", \(accepted) accepted" : "")
            return (lines.count == 1 ? "runs" : "all \(lines.count) run") + rest
        }
    }

    /// What stops it: the services that fail where there are several, their causes, and what is remarked of the rig.
    package var reasons: [String] {
        func brief(_ text: String) -> String { String(text.singleLine.prefix(160)) }
        var reasons: [String] = []
        if isCounted {
            let failing = lines.filter(isFailing).map { $0.service?.title ?? $0.id }
            if lines.count > 1, 1...3 ~= failing.count { reasons.append(failing.joined(separator: ", ")) }
            reasons += rootCauses.prefix(4).map { brief($0.title) }
            if rootCauses.count > 4 { reasons.append((rootCauses.count - 4).counted("more cause")) }
        }
        if isDuplicate { reasons += notices.filter { $0.id == RigStatus.nameTaken }.prefix(1).map { brief($0.detail) } }
        return reasons + remarks.filter { isCounted || $0.id != "otherVersion" }.map { brief($0.detail) }
    }

    /// How long ago it was seen, in the largest unit.
    package var ageWords: String {
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
