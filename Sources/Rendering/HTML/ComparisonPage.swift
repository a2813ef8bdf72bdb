package import Readiness

/// A comparison as a page: each difference, with its reason and what fixes it.
package struct ComparisonPage {
    private let title: String
    private let differences: [Difference]
    private let assessment: Assessment?
    private let time: String

    /// Makes the page of differences, with what was compared and when; an assessment gives services their reasons.
    package init(_ title: String, _ differences: [Difference], in assessment: Assessment?, at time: String) {
        self.title = title
        self.differences = differences
        self.assessment = assessment
        self.time = time
    }

    /// The whole file.
    package var html: String {
        HTMLDocument.html(
            title: "\(title): \(differences.tallyWords.text)", main: main,
            footer: "rigready compare \(Release.version), \(time)")
    }

    /// The page's `<main>` element.
    package var main: Markup {
        let tally = differences.tallyWords
        return """
            <main>
            <header>
            <h1>\(title)</h1>
            <p class="tally \(tally.tone.rawValue)">\(Mark(tally.tone).sign) \(tally.text)</p>
            </header>
            \(findings)
            </main>
            """
    }

    private var findings: Markup? {
        guard !differences.isEmpty else { return nil }
        var told: Set<String> = []
        let rows = differences.map { difference -> Markup.Row in
            let title = difference.title
            let sign: Markup? = difference.id.mark.map { mark in
                "<span class=\"\(mark.tone.rawValue)\">\(mark.sign)</span> "
            }
            // Each reason and each remedy is told once.
            let detail = difference.ownDetail.flatMap { told.insert($0).inserted ? $0 : nil }
            let remedy = difference.remedies.commandLine.flatMap { told.insert($0).inserted ? "→ \($0)" : nil }
            let lines = [detail, remedy].compactMap(\.self).map { line -> Markup in "<small>\(line)</small>" }
            return Markup.Row(
                "\(title.name) <small>\(title.kind)</small>",
                ["\(sign)\(difference.id.rawValue)", "\(difference.change(in: assessment))\(lines)"])
        }
        let table = Markup.table("Found against expected", ["Subject", "Finding", "Change"], rows)
        return "<section aria-labelledby=\"findings\"><h2 id=\"findings\">Findings</h2>\n\(table)</section>"
    }
}
