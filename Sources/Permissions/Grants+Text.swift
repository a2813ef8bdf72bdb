internal import Configuration

extension Grants {
    /// The grant file as YAML; what it says reads back equal.
    public var text: String {
        var lines = ["# What the user allows; rigready permissions writes it. Without a record access alone decides."]
        if let location { lines += location.lines }
        for (name, decision) in [("motion", motion), ("bluetooth", bluetooth), ("health", health)] {
            if let decision { lines.append("\(name): \(decision.rawValue)") }
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

extension Lifetime {
    fileprivate var text: String {
        var parts = ["boot: \(boot.quotedForYAML)"]
        if let session { parts.append("session: \(session.quotedForYAML)") }
        if let until { parts.append("until: \(until)") }
        return parts.joined(separator: ", ")
    }
}
