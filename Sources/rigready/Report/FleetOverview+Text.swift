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
        func width(_ column: [String]) -> Int { min(column.map(\.columns).max() ?? 0, 32) }
        let widths = (width(rigs.map(\.name.description)), width(words))
        for ((name, standing), words) in zip(rigs, words) {
            let mark = standing.mark
            let style = mark.tone?.style ?? .faint
            page.row(
                (mark.sign + " ", style), (name.description.column(widths.0), .strong),
                (words.column(widths.1), mark.tone == .good ? .faint : style),
                (standing.ageWords.column(6), .faint), rest: standing.reasons.joined(separator: "; "))
        }
        if rigs.isEmpty, broker != nil { page.row(rest: "No rig publishes here.", style: .faint) }
        return page.text
    }
}
