import Fleet
import Rendering

extension FleetOverview {
    /// The fleet for people: one line a rig, with what it runs, when it was seen, and what stops it.
    func text(on terminal: Terminal) -> String {
        var page = Page(terminal)
        let tally = tallyWords
        page.ends(heading, tally.text, tally.tone.style)
        page.blank()
        let words = rigs.map(\.standing.words)
        let titles = (name: "rig", state: "state", age: "last seen")
        func width(_ title: String, _ column: [String]) -> Int { min((column + [title]).map(\.columns).max() ?? 0, 32) }
        let widths = (width(titles.name, rigs.map(\.name.description)), width(titles.state, words), titles.age.count)
        if !rigs.isEmpty {
            page.headings(
                "  ", titles.name.column(widths.0), titles.state.column(widths.1), titles.age.column(widths.2),
                rest: "reason")
        }
        for ((name, standing), words) in zip(rigs, words) {
            let mark = standing.mark
            let style = mark.tone?.style ?? .faint
            page.row(
                (mark.sign + " ", style), (name.description.column(widths.0), .strong),
                (words.column(widths.1), mark.tone == .good ? .faint : style),
                (standing.ageWords.column(widths.2), .faint), rest: standing.reasons.joined(separator: "; "))
        }
        if rigs.isEmpty, broker != nil { page.row(rest: "No rig publishes here.", style: .faint) }
        return page.text
    }
}
