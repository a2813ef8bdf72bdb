import Readiness
import Rendering

/// Writes cases as JUnit XML, in the subset that the readers of Jenkins, GitLab and pytest share.
///
/// The schema is that of Jenkins' xunit plugin (junit-10.xsd): no count of skipped cases on the root element, no
/// attributes of a case but name, class and time.
struct JUnitReport {
    let list: CaseList

    var text: String {
        let cases = list.cases
        let counts = [
            ("tests", "\(cases.count)"), ("failures", "\(cases.count(where: \.isFailed))"),
            ("errors", "\(cases.count(where: \.isErrored))"),
        ]
        let time = ("time", list.seconds.fixed(3))
        let skipped = ("skipped", "\(cases.count(where: \.isSkipped))")
        var suite = [("name", RigReady.name)] + counts + [skipped, time, ("hostname", list.host)]
        // Readers of the format expect a time without zone or fraction, which is UTC.
        if let timestamp = list.takenAt.timestamp { suite.append(("timestamp", timestamp)) }

        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += tag("testsuites", [("name", RigReady.name)] + counts + [time]) + "\n"
        text += "  " + tag("testsuite", suite) + "\n"
        text += "    <properties>\n"
        for property in list.properties {
            text +=
                "      " + tag("property", [("name", property.name), ("value", property.value)], isEmpty: true) + "\n"
        }
        text += "    </properties>\n"
        for one in cases { text += element(one) }
        return text + "  </testsuite>\n</testsuites>\n"
    }

    private func element(_ one: Case) -> String {
        var attributes = [("name", one.name.printable), ("classname", one.className)]
        if let seconds = one.seconds { attributes.append(("time", seconds.fixed(3))) }
        let inner: String
        switch one.outcome {
        case .passed(nil): return "    " + tag("testcase", attributes, isEmpty: true) + "\n"
        case .passed(.some(let account)):
            inner = "<system-out>" + ([account.message] + account.lines).xmlText + "</system-out>"
        case .failed(let account): inner = trouble("failure", account)
        case .errored(let account): inner = trouble("error", account)
        case .skipped(let reason), .accepted(let reason):
            inner = tag("skipped", [("message", reason.printable)], isEmpty: true)
        }
        return "    " + tag("testcase", attributes) + "\n      " + inner + "\n    </testcase>\n"
    }

    /// The text repeats the message, since some readers show only one of them.
    private func trouble(_ name: String, _ account: CaseDescription) -> String {
        tag(name, [("type", account.word), ("message", account.message.printable)])
            + ([account.message] + account.lines).xmlText + "</\(name)>"
    }

    private func tag(_ name: String, _ attributes: [(String, String)], isEmpty: Bool = false) -> String {
        "<" + name + attributes.map { " \($0)=\"\($1.xml)\"" }.joined() + (isEmpty ? "/>" : ">")
    }
}

extension [String] {
    fileprivate var xmlText: String { map(\.xml).joined(separator: "\n") }
}

extension String {
    /// `2026-11-21T09:00:00` from a time in UTC; nil for anything else.
    fileprivate var timestamp: String? {
        let shape = "0000-00-00T00:00:00"
        let head = String(prefix(shape.count))
        let shaped = String(head.map { $0.isASCII && $0.isNumber ? "0" : $0 })
        return shaped == shape && last == "Z" ? head : nil
    }
}

/// Writes cases as TAP 13, with diagnostics in the plain YAML that Perl's own consumer reads.
///
/// TAP has no term for an undetermined result: such a case is not ok, with the severity `error`.
struct TAPReport {
    let list: CaseList

    var text: String {
        var text = "TAP version 13\n1..\(list.cases.count)\n"
        let properties = list.properties.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        text += "# \(list.host.printable): \(properties.printable)\n"
        for (index, one) in list.cases.enumerated() { text += point(one, number: index + 1) }
        return text
    }

    private func point(_ one: Case, number: Int) -> String {
        let name = "\(number) - \((one.className + " " + one.name).named)"
        switch one.outcome {
        case .passed(nil): return "ok \(name)\n"
        case .passed(.some(let account)):
            return "ok \(name)\n" + diagnostics(account, severity: "comment", one.seconds)
        case .failed(let account): return "not ok \(name)\n" + diagnostics(account, severity: "fail", one.seconds)
        case .errored(let account): return "not ok \(name)\n" + diagnostics(account, severity: "error", one.seconds)
        case .skipped(let reason): return "ok \(name) # SKIP \(reason.printable)\n"
        case .accepted(let reason): return "not ok \(name) # TODO \(reason.printable)\n"
        }
    }

    private func diagnostics(_ account: CaseDescription, severity: String, _ seconds: Double?) -> String {
        var lines = ["message: \(account.message.quoted)", "severity: \(severity)", "reason: \(account.word.quoted)"]
        if let seconds { lines.append("duration_ms: \((seconds * 1000).fixed(1))") }
        // A block of text must not contain a line of only whitespace, which ends it in Perl, or a line of dots, which
        // ends it in Python; its first line sets the indent.
        let detail = account.lines.map(\.printable.trimmedEnd.dotless).filter { !$0.unindented.isEmpty }
        if let first = detail.first {
            lines.append("detail: |")
            lines += ([first.unindented] + detail.dropFirst()).map { "  " + $0 }
        }
        return (["---"] + lines + ["..."]).map { "  \($0)\n" }.joined()
    }
}

extension String {
    /// The text as the description of a test point, in which a number sign would begin a directive.
    fileprivate var named: String { printable.escaping(["\\", "#"]) }

    fileprivate var quoted: String { "\"" + printable.escaping(["\\", "\""]) + "\"" }

    /// The text without leading whitespace; by scalars, like the consumers, since a mark may combine with a space.
    fileprivate var unindented: String { String(unicodeScalars.drop(while: \.properties.isWhitespace)) }

    fileprivate var dotless: String {
        let rest = unicodeScalars.drop(while: \.properties.isWhitespace)
        guard rest.starts(with: "...".unicodeScalars) else { return self }
        return String(unicodeScalars[..<rest.startIndex]) + "…" + String(rest.dropFirst(3))
    }
}
