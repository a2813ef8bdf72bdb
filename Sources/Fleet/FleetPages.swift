internal import Readiness
package import Rendering

/// The fleet as a page: one row a rig, with what it runs, when it was seen, and what stops it.
extension FleetOverview {
    package var title: String { "Fleet: \(tallyWords.text)" }

    package func html(at time: String) -> String {
        HTMLDocument.html(
            title: title, main: main(), footer: "rigready fleet \(Release.version), \(FleetDocument.schema), \(time)")
    }

    /// The page's `<main>` element, with a line on what is not known, if anything.
    ///
    /// A server that has a page for each rig links them.
    package func main(remark: String? = nil, linksRigs: Bool = false) -> Markup {
        """
        <main>
        <header>
        <h1>Fleet</h1>
        <p class="meta">\(heading)</p>
        \(Markup.tally(tallyWords))
        </header>
        \(remark.map { "<p class=\"bad\">\($0)</p>\n" as Markup })\
        \(Markup.section("rigs", "Rigs", table(linksRigs: linksRigs)))</main>
        """
    }

    private func table(linksRigs: Bool) -> Markup {
        guard !rigs.isEmpty else {
            return broker == nil ? "<p>No rigs shown: no broker answered.</p>" : "<p>No rig publishes here.</p>"
        }
        let asked = services?.members.map(\.title).joined(separator: ", ") ?? "the services that each rig evaluates"
        let rows = rigs.map { name, standing -> Markup.Row in
            let heading: Markup =
                linksRigs ? "<a href=\"\(name.description)/\">\(name.description)</a>" : "\(name.description)"
            return Markup.Row(
                heading,
                [standing.verdictMarkup, "\(standing.ageWords)", "\(standing.reasons.joined(separator: "; "))"])
        }
        return .table("Rigs that run \(asked), and why others do not", ["Rig", "Runs", "Seen", "Reason"], rows)
    }
}

/// One rig of a fleet as a page: its services, and what to repair, as it published them.
package struct FleetRigPage {
    private let name: String
    private let standing: RigStatus?

    /// Makes the page of a rig; nil for a rig without messages on the broker.
    package init(_ name: String, _ standing: RigStatus?) {
        self.name = name
        self.standing = standing
    }

    package var title: String { "\(name): \(standing?.words ?? "unknown")" }

    /// The page's `<main>` element, with a line on what is not known, if anything.
    package func main(remark: String? = nil) -> Markup {
        let verdict =
            standing?.verdictMarkup ?? "<span class=\"verdict\">? no messages from this rig on the broker</span>"
        let seen = standing.map { standing -> Markup in
            "<p class=\"meta\">seen \(standing.ageWords.isEmpty ? "never" : "\(standing.ageWords) ago")</p>\n"
        }
        return """
            <main>
            <header>
            <p class="meta"><a href="../">All rigs</a></p>
            <h1>\(name)</h1>
            \(seen)<p>\(verdict)</p>
            </header>
            \(remark.map { "<p class=\"bad\">\($0)</p>\n" as Markup })\
            \(standing.map(services))\(standing.map(causes))\(standing.flatMap(remarks))
            </main>
            """
    }

    private func services(_ standing: RigStatus) -> Markup {
        let rows = standing.lines.map { line -> Markup.Row in
            let verdict = standing.verdict(of: line)
            let accepted: Markup? = line.isAccepted ? " <small>(accepted)</small>" : nil
            return Markup.Row(
                "\(line.service?.title ?? line.id)\(accepted)",
                [.verdict(Mark(verdict, isAccepted: line.isAccepted), verdict.id)],
                isSubordinate: line.service?.parent != nil)
        }
        guard !rows.isEmpty else { return "" }
        return .section("services", "Services", .table("As the rig evaluated them", ["Service", "Verdict"], rows))
    }

    private func causes(_ standing: RigStatus) -> Markup {
        guard standing.isCounted, !standing.rootCauses.isEmpty else { return "" }
        let items = standing.rootCauses.map { cause -> Markup in
            let steps = cause.remedies.map { remedy -> Markup in
                guard let command = remedy.command else { return "<li>→ \(remedy.text)</li>\n" }
                return "<li><code class=\"command\">\(command)</code></li>\n"
            }
            let detail = cause.detail.map { detail -> Markup in "<p>\(detail)</p>\n" }
            return "<li><h3>\(cause.title)</h3>\n\(detail)<ul class=\"steps\">\n\(steps)</ul></li>\n"
        }
        return .section("causes", "What to repair, in this order", "<ol class=\"causes\">\n\(items)</ol>")
    }

    private func remarks(_ standing: RigStatus) -> Markup? {
        .notices(standing.remarks.map(\.detail) + (standing.isReported ? standing.notices.map(\.detail) : []))
    }
}

extension RigStatus {
    fileprivate var verdictMarkup: Markup {
        let tone = mark.tone.map { tone -> Markup in " \(tone.rawValue)" }
        return "<span class=\"verdict\(tone)\">\(mark.sign) \(words)</span>"
    }
}
