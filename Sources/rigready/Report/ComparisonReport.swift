import Readiness
import Rendering

/// A comparison, in every form.
struct ComparisonReport {
    let differences: [Difference]
    /// What was compared, and when.
    let title, time: String
    /// Gives services their reasons.
    var assessment: Assessment?

    func result(_ cases: @escaping () -> CaseList) -> CommandResult {
        let status = differences.status.rawValue
        return CommandResult(
            document: { ComparisonDocument(findings: differences.map { .init($0) }, exitStatus: status) }, text: text,
            cases: cases, page: { differences.page(title, in: assessment, at: time) }, status: status)
    }

    /// One line per finding, below it the reason and what fixes it.
    func text(on terminal: Terminal) -> String {
        var page = Page(terminal)
        let tally = differences.tallyWords
        page.ends(title, tally.text, tally.tone.style)
        guard !differences.isEmpty else { return page.text }
        page.blank()
        let lines = differences.lines(in: assessment)
        let names = lines.map { terminal.spelled($0.name) }
        let widths = (lines.map(\.kind.columns).max() ?? 0, min(names.map(\.columns).max() ?? 0, 34))
        for (line, name) in zip(lines, names) {
            let mark = line.id.mark
            // A key is never cut, since --sensor takes it.
            page.row(
                mark.column(or: " "), (line.id.rawValue.padded(to: 9), mark.style),
                (line.kind.padded(to: widths.0 + 2), .faint), (name.column(widths.1), .strong), rest: line.change)
            if let detail = line.detail { page.hanging(13, detail, .faint) }
            if let remedy = line.remedy { page.remedy(13, remedy) }
        }
        return page.text
    }
}

/// The document `rigready.comparison/1`.
private struct ComparisonDocument: Encodable {
    struct Line: Encodable {
        var id, kind: String
        @Nullable var key: String?
        @Nullable var name: String?
        @Nullable var property: String?
        @Nullable var before: String?
        @Nullable var after: String?
        @Nullable var detail: String?
        @Nullable var remedy: String?

        init(_ difference: Difference) {
            id = difference.id.rawValue
            (kind, key, name) = difference.subject.names
            property = difference.property?.id
            before = difference.before
            after = difference.after
            detail = difference.detail
            remedy = difference.remedies.commandLine
        }
    }

    var schema = "rigready.comparison/1"
    var findings: [Line]
    var exitStatus: Int32
}
