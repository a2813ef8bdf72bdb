internal import Readiness
internal import Configuration

extension Grants {
    /// The grant file as YAML; parsing it returns an equal value.
    public var text: String {
        var lines = ["# What the user allows; rigready permissions writes it. Without a record access alone decides."]
        if let location { lines += location.lines }
        for (name, decision) in [("motion", motion), ("bluetooth", bluetooth), ("health", health)] {
            if let decision { lines.append("\(name): \(decision.rawValue)") }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Policy {
    /// The policy file as YAML; parsing it returns an equal value.
    public var text: String {
        var lines: [String] = []
        if restricted.contains(.location) {
            lines.append("location: restricted")
        } else if isWhenInUseAtMost || isReduced {
            let limits = [isWhenInUseAtMost ? "maximum: when-in-use" : nil, isReduced ? "accuracy: reduced" : nil]
            lines.append("location: {\(limits.compactMap { $0 }.joined(separator: ", "))}")
        }
        for permission in Permission.allCases where permission != .location && restricted.contains(permission) {
            lines.append("\(permission.rawValue): restricted")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension LocationGrant {
    fileprivate var lines: [String] {
        guard self != LocationGrant(decision) else { return ["location: \(decision.rawValue)"] }
        var lines = ["location:", "  status: \(decision.rawValue)"]
        if isReduced { lines.append("  accuracy: reduced") }
        if let once { lines.append("  once: {\(once.text)}") }
        if let provisional { lines.append("  provisional: {\(provisional.text)}") }
        if wasUsedOutside { lines.append("  usedOutside: true") }
        if wasAskedForAlways { lines.append("  askedForAlways: true") }
        if let fullAccuracy {
            let purpose = fullAccuracy.purpose.quotedForYAML
            lines.append("  fullAccuracy: {purpose: \(purpose), \(fullAccuracy.lifetime.text)}")
        }
        return lines
    }
}

extension Validity {
    fileprivate var text: String {
        var parts = ["boot: \(boot.quotedForYAML)"]
        if let session { parts.append("session: \(session.quotedForYAML)") }
        if let until { parts.append("until: \(until)") }
        return parts.joined(separator: ", ")
    }
}
