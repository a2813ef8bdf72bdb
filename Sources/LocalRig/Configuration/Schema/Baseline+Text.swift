package import Readiness

extension Baseline {
    /// The manifest as YAML: the expected sensors with a key, the services and the rules.
    ///
    /// Names and keys come from devices, so they are quoted and escaped. The comments are lines of printable text; they
    /// follow the sensors and the services.
    package func manifest(commentsOnSensors: [String] = [], onServices: [String] = []) -> String {
        func comments(_ lines: [String]) -> [String] { lines.map { "  # \($0)" } }
        var lines: [String] = []
        if let rules { lines.append("rules: \"\(rules)\"") }
        let items = sensors ?? []
        lines.append(items.isEmpty ? "sensors: []" : "sensors:")
        lines += items.flatMap(\.manifestLines).map { "  " + $0 } + comments(commentsOnSensors)
        let running = Service.allCases.filter { services[$0] != nil }
        lines.append(running.isEmpty ? "services: []" : "services:")
        lines += running.map { "  - \($0.id)" } + comments(onServices)
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Baseline.Item {
    /// The entry of a manifest.
    package var manifestLines: [String] {
        ["- kind: \(kind.id)", "  key: \(key.quotedForYAML)"]
            + (name.map { ["  name: \($0.quotedForYAML)"] } ?? [])
    }
}

extension String {
    /// The text as a YAML double-quoted scalar on one line.
    package var quotedForYAML: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case " "..."~": text.unicodeScalars.append(scalar)
            case "\u{a1}"..."\u{d7ff}"
            where ![.lineSeparator, .paragraphSeparator, .format].contains(
                scalar.properties.generalCategory):
                text.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                text += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return text + "\""
    }
}
