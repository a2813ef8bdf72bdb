package import Readiness

extension [Difference] {
    /// A comparison as a page: the lines of the differences.
    ///
    /// `title` tells what was compared, and `time` when.
    package func page(_ title: String, in assessment: Assessment?, at time: String) -> String {
        let tally = tallyWords
        let main: Markup = """
            <main>
            <header>
            <h1>\(title)</h1>
            \(Markup.tally(tally))
            </header>
            \(findings(in: assessment))</main>
            """
        return HTMLDocument.html(
            title: "\(title): \(tally.text)", main: main, footer: "rigready compare \(Release.version), \(time)")
    }

    private func findings(in assessment: Assessment?) -> Markup {
        guard !isEmpty else { return "\n" }
        let rows = lines(in: assessment).map { line -> Markup.Row in
            let sign: Markup? = line.id.mark.map { mark in
                "<span class=\"\(mark.tone.rawValue)\">\(mark.sign)</span> "
            }
            let remedy = line.remedy.map { "→ \($0)" }
            let notes = [line.detail, remedy].compactMap(\.self).map { note -> Markup in "<small>\(note)</small>" }
            return Markup.Row(
                "\(line.name) <small>\(line.kind)</small>",
                ["\(sign)\(line.id.rawValue)", "\(line.change)\(notes)"])
        }
        let table = Markup.table("Found against expected", ["Subject", "Finding", "Change"], rows)
        return .section("findings", "Findings", table)
    }
}
