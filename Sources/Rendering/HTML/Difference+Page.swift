package import Readiness

extension [Difference] {
    /// A comparison as a page: each difference, with its reason and what fixes it.
    ///
    /// `title` tells what was compared, and `time` when; an assessment gives services their reasons.
    package func page(_ title: String, in assessment: Assessment?, at time: String) -> String {
        let tally = tallyWords
        let main: Markup = """
            <main>
            <header>
            <h1>\(title)</h1>
            <p class="tally \(tally.tone.rawValue)">\(Mark(tally.tone).sign) \(tally.text)</p>
            </header>
            \(findings(in: assessment))
            </main>
            """
        return HTMLDocument.html(
            title: "\(title): \(tally.text)", main: main, footer: "rigready compare \(Release.version), \(time)")
    }

    private func findings(in assessment: Assessment?) -> Markup? {
        guard !isEmpty else { return nil }
        var told: Set<String> = []
        let rows = map { difference -> Markup.Row in
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
