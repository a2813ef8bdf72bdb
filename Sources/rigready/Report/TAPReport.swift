import Readiness
/// Writes cases as TAP 13, with diagnostics in the plain YAML that Perl's own consumer reads.
///
/// TAP has no term for an undetermined result: such a case is not ok, with the severity `error`.
struct TAPReport {
    let list: CaseList

    var text: String {
        var text = "TAP version 13\n1..\(list.cases.count)\n"
        let properties = list.properties.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        text += "# \(list.host.singleLine.printable): \(properties.singleLine.printable)\n"
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
        case .skipped(let reason): return "ok \(name) # SKIP \(reason.singleLine.printable)\n"
        }
    }

    private func diagnostics(_ account: CaseDescription, severity: String, _ seconds: Double?) -> String {
        var lines = [
            "message: \(account.message.quoted)", "severity: \(severity)", "reason: \(account.word.quoted)",
        ]
        if let seconds { lines.append("duration_ms: \((seconds * 1000).fixed(1))") }
        // A block of text must not contain a line of only whitespace, which ends it in Perl, or a line of dots, which
        // ends it in Python; its first line sets the indent.
        let detail = account.lines.map(\.singleLine.printable.trimmedEnd.dotless).filter { !$0.unindented.isEmpty }
        if let first = detail.first {
            lines.append("detail: |")
            lines += ([first.unindented] + detail.dropFirst()).map { "  " + $0 }
        }
        return (["---"] + lines + ["..."]).map { "  \($0)\n" }.joined()
    }
}

extension String {
    /// The text as the description of a test point, in which a number sign would begin a directive.
    fileprivate var named: String { escaping(["\\", "#"]) }

    /// The text in double quotes.
    fileprivate var quoted: String { "\"" + escaping(["\\", "\""]) + "\"" }

    /// The text without leading whitespace; by scalars, like the consumers, since a mark may combine with a space.
    fileprivate var unindented: String { String(unicodeScalars.drop(while: \.properties.isWhitespace)) }

    /// The text with three leading dots replaced.
    fileprivate var dotless: String {
        let rest = unicodeScalars.drop(while: \.properties.isWhitespace)
        guard rest.starts(with: "...".unicodeScalars) else { return self }
        return String(unicodeScalars[..<rest.startIndex]) + "…" + String(rest.dropFirst(3))
    }

    private func escaping(_ special: Set<Unicode.Scalar>) -> String {
        var text = UnicodeScalarView()
        for scalar in singleLine.printable.unicodeScalars {
            if special.contains(scalar) { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }
}
