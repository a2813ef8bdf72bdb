import Foundation
import FoundationXML
import Readiness
import Rendering

/// A message that goes to a terminal: one line.
func check(line: String) {
    precondition(!line.unicodeScalars.contains { $0.actsOnTerminal }, "a message that acts on a terminal")
}

/// A report for people: nothing but lines.
func check(text: String) {
    for scalar in text.unicodeScalars {
        precondition(scalar == "\n" || !scalar.actsOnTerminal, "a report that acts on a terminal")
    }
}

/// A report for scripts: JSON that can be read again.
func check(json assessment: Assessment) {
    guard let bytes = try? JSONEncoder().encode(Report(assessment)),
        let report = try? JSONDecoder().decode(Report.self, from: bytes)
    else { fatalError("a report that is no JSON") }
    precondition(report.exitStatus == assessment.exitStatus && report.sensors.count == assessment.sensors.count)
}

/// A JUnit report: well-formed XML by libxml2, which knows the characters that it forbids.
func check(junit text: String) {
    check(text: text)
    precondition(XMLParser(data: Data(text.utf8)).parse(), "a report that is no XML")
}

/// A TAP 13 stream: its version, its plan, a comment, then the points in order, each with at most one block of YAML.
func check(tap text: String) {
    check(text: text)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    precondition(lines.popLast() == "", "a stream that ends within a line")
    precondition(lines.popFirst() == "TAP version 13", "a stream without version")
    guard let plan = lines.popFirst(), plan.hasPrefix("1.."), let planned = Int(plan.dropFirst(3)) else {
        fatalError("a stream without plan")
    }
    // By bytes: a name may begin with a mark that combines with the space before it.
    precondition(lines.popFirst()?.utf8.starts(with: "# ".utf8) == true, "a stream without its rig")
    var points = 0
    while let line = lines.popFirst() {
        points += 1
        let rest = line.hasPrefix("not ") ? line.dropFirst(4) : line
        precondition(rest.utf8.starts(with: "ok \(points) - ".utf8), "a line that is no test point")
        checkDirective(rest)
        guard lines.first == "  ---" else { continue }
        lines.removeFirst()
        var keys: [Substring] = []
        while let line = lines.popFirst(), !line.drop(while: { $0 == " " }).hasPrefix("...") {
            precondition(line.hasPrefix("  "), "a block that is not indented")
            let isKey = line.unicodeScalars.dropFirst(2).first.map { $0 != " " } ?? false
            if isKey { keys.append(line.dropFirst(2).prefix { $0 != ":" }) }
        }
        let known: [Substring] = ["message", "severity", "reason", "duration_ms", "detail"]
        precondition(keys == known.filter(keys.contains), "a block with other keys")
    }
    precondition(points == planned, "a stream of other points than planned")
}

/// A number sign in a description is escaped, unless a directive begins with it.
private func checkDirective(_ point: Substring) {
    var isEscaped = false
    var rest = point.unicodeScalars[...]
    while let scalar = rest.popFirst() {
        if scalar == "#", !isEscaped {
            let isDirective = [" SKIP ", " TODO "].contains { String(rest).utf8.starts(with: $0.utf8) }
            precondition(isDirective, "a directive that is none")
            return
        }
        isEscaped = scalar == "\\" && !isEscaped
    }
}
