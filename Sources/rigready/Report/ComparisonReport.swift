import Readiness
import Rendering

/// The document `rigready.comparison/1`, also as text.
struct ComparisonReport: Encodable {
    struct Line: Encodable {
        var id: String
        var kind: String
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
    private let baseline: String
    private let differences: [Difference]

    private enum CodingKeys: CodingKey { case schema, findings, exitStatus }

    init(_ baseline: String, _ differences: [Difference]) {
        self.baseline = baseline
        self.differences = differences
        findings = differences.map(Line.init)
        exitStatus = differences.status.rawValue
    }

    /// One line per finding, below it the reason and what fixes it, each printed once.
    ///
    /// An assessment gives services their reasons.
    func text(of host: String, _ assessment: Assessment? = nil, on terminal: Terminal) -> String {
        var page = Page(terminal)
        let tally = differences.tallyWords
        page.ends("\(host) against \(baseline)", tally.text, tally.tone.style)
        guard !differences.isEmpty else { return page.text }
        page.blank()
        let titles = differences.map(\.title)
        let widths = (titles.map(\.kind.columns).max() ?? 0, min(titles.map(\.name.columns).max() ?? 0, 34))
        var told: Set<String> = []
        for (difference, title) in zip(differences, titles) {
            let mark = difference.id.mark
            let style = mark.map(\.tone.style) ?? .faint
            // A key is never cut, since --sensor takes it.
            let name = title.name.column(widths.1)
            page.row(
                ((mark?.sign ?? " ") + " ", style), (difference.id.rawValue.padded(to: 9), style),
                (title.kind.padded(to: widths.0 + 2), .faint), (name, .strong), rest: difference.change(in: assessment))
            if let detail = difference.ownDetail, told.insert(detail).inserted { page.hanging(13, detail, .faint) }
            if let remedy = difference.remedies.commandLine, told.insert(remedy).inserted { page.remedy(13, remedy) }
        }
        return page.text
    }

    /// The same as a page.
    func page(of host: String, _ assessment: Assessment? = nil, at time: String) -> String {
        differences.page("\(host) against \(baseline)", in: assessment, at: time)
    }
}
