import Readiness
import Rendering

/// The screen of a watch: the verdict on top, below it panes of services, sensors and events, and the keys.
///
/// Pure: the same state gives the same lines, none wider than the terminal and no more than it has.
struct BoardLayout {
    enum Pane: CaseIterable { case services, sensors }

    /// What is shown in place of the panes.
    enum Overlay: Equatable {
        case help
        /// The root cause with this identifier, as `rigready explain` prints it.
        case cause(String)
    }

    var assessment: Assessment
    /// The last changes, oldest first.
    var events: [String] = []
    /// The last values of each axis, by the sensor.
    var signals: [String: [[Double]]] = [:]
    /// What is said at the end of the line of keys.
    var remark = ""
    /// What is said before the keys: in how many seconds something ends.
    var countdown: String?
    var focus = Pane.services
    /// How many lines each pane is scrolled by; more than there are is as far as it goes.
    var offsets: [Pane: Int] = [:]
    var overlay: Overlay?
    /// How many lines the overlay is scrolled by.
    var overlayOffset = 0

    let terminal: Terminal
    private var width: Int { terminal.width }

    // MARK: Lines

    /// The lines of the screen, as many as it has.
    var lines: [String] {
        let height = terminal.height ?? 24
        if let (title, text) = overlaid { return overlayLines(title, text, height: height) }
        var lines = [verdict]
        let shares = shares
        for pane in Pane.allCases {
            guard let share = shares[pane] else { continue }
            let (all, offset) = (content(of: pane), offset(of: pane))
            let shown = all[offset..<min(offset + share, all.count)]
            lines.append(heading(pane, offset, shown.count, of: all.count))
            lines += shown + Array(repeating: "", count: share - shown.count)
        }
        if eventCount > 0 {
            lines.append(rule("Last events"))
            let shown = events.suffix(eventCount).map { styled([("  " + $0.singleLine, nil)]) }
            lines += shown + Array(repeating: "", count: eventCount - shown.count)
        }
        lines.append(keys(["q ends", "? help", "Enter cause", "Tab pane", "↑ ↓ scroll", remark]))
        return Array(lines.prefix(height))
    }

    private func keys(_ words: [String]) -> String {
        styled([(([countdown].compactMap(\.self) + words).joined(separator: " · "), .faint)])
    }

    // MARK: Overlays

    private static let help = [
        ("Tab", "selects the pane that the keys scroll"),
        ("↑ ↓, k j", "scrolls by a line"),
        ("PgUp PgDn, b space", "scrolls by a page"),
        ("Home End, g G", "scrolls to the beginning or the end"),
        ("Enter", "opens a cause: its meaning, its evidence and the commands that fix it"),
        ("← →, p n", "opens the previous or the next cause"),
        ("Esc", "closes a cause or this help"),
        ("Ctrl-L", "draws the screen again"),
        ("q, Ctrl-C", "ends the watch and leaves the last report on the terminal"),
        ("✓", "the service runs, or the sensor works"),
        ("!", "the service runs without something optional"),
        ("✗", "the service does not run, or the sensor does not work"),
        ("?", "RigReady cannot tell"),
    ]

    /// The title and the lines of the overlay; nil without one, or if its cause is gone.
    private var overlaid: (title: String, text: [String])? {
        switch overlay {
        case nil: return nil
        case .help:
            var page = Page(terminal)
            let column = Self.help.map(\.0.columns).max() ?? 0
            for (key, words) in Self.help { page.row((key.column(column), .strong), rest: words) }
            return ("Help", page.lines)
        case .cause(let id):
            let causes = assessment.rootCauses
            guard let index = causes.firstIndex(where: { $0.id == id }), let query = FindingQuery(named: id) else {
                return nil
            }
            return (
                "Cause \(index + 1) of \(causes.count)",
                assessment.explanation(of: query, on: terminal, breaksWords: true).lines
            )
        }
    }

    private func overlayLines(_ title: String, _ text: [String], height: Int) -> [String] {
        let share = max(0, height - 3)
        let offset = overlayOffset(in: text.count)
        let shown = text[offset..<min(offset + share, text.count)]
        let place = shown.count < text.count ? " \(offset + 1)–\(offset + shown.count) of \(text.count)" : ""
        let others = overlay == .help ? [] : ["← → other cause"]
        let lines =
            [verdict, rule(title + place, isMarked: true)] + shown
            + Array(repeating: "", count: share - shown.count) + [
                keys(["Esc back", "q ends"] + others + ["↑ ↓ scroll"])
            ]
        return Array(lines.prefix(height))
    }

    private func overlayOffset(in count: Int) -> Int {
        min(max(0, overlayOffset), max(0, count - max(0, (terminal.height ?? 24) - 3)))
    }

    /// The scroll position of the overlay, limited to its length; nil without an overlay.
    var shownOverlayOffset: Int? { overlaid.map { overlayOffset(in: $0.text.count) } }

    /// The first cause whose heading is visible in the services pane or comes after it, else the last cause.
    var causeInView: String? {
        let causes = assessment.rootCauses
        let first = offset(of: .services)
        return zip(causes, causeLines).first { $1 >= first }?.0.id ?? causes.last?.id
    }

    /// The cause `distance` places after another one, or before it if negative; at the ends of the list the outermost one.
    func cause(_ distance: Int, from id: String) -> String {
        let causes = assessment.rootCauses
        guard let index = causes.firstIndex(where: { $0.id == id }) else { return id }
        return causes[min(max(0, index + distance), causes.count - 1)].id
    }

    /// How far a pane is scrolled, within what it has.
    func offset(of pane: Pane) -> Int {
        let furthest = max(0, content(of: pane).count - (shares[pane] ?? 0))
        return min(max(0, offsets[pane] ?? 0), furthest)
    }

    /// How many lines of each pane are shown; one without a line is left out with its heading.
    var shares: [Pane: Int] {
        // The verdict, the keys, the headings.
        let free = (terminal.height ?? 24) - 2 - (eventCount > 0 ? eventCount + 1 : 0) - Pane.allCases.count
        guard free >= 4 else { return [.services: max(0, free + 1)] }
        let wanted = min(services.count, max(free * 3 / 5, free - sensors.count))
        let share = min(max(1, wanted), free - 1)
        return [.services: share, .sensors: free - share]
    }

    private var eventCount: Int {
        switch terminal.height ?? 24 {
        case ..<14: 0
        case ..<24: 2
        default: 3
        }
    }

    // MARK: Contents

    private func content(of pane: Pane) -> [String] { pane == .services ? services : sensors }

    private var verdict: String {
        let tally = assessment.tallyWords
        return styled([
            (Mark(tally.tone).sign + " " + tally.text, tally.tone.style), ("  " + assessment.heading, .faint),
        ])
    }

    private func heading(_ pane: Pane, _ offset: Int, _ shown: Int, of count: Int) -> String {
        let title = pane == .services ? "Services" : "Sensors"
        let place = shown < count ? " \(offset + 1)–\(offset + shown) of \(count)" : ""
        return rule(title + place, isMarked: pane == focus)
    }

    /// A line across the screen with a title; a mark, and not only a style, tells the pane that the keys scroll.
    private func rule(_ title: String, isMarked: Bool = false) -> String {
        let head = (isMarked ? "─▸" : "──") + " "
        let rest = String(repeating: "─", count: max(0, width - head.columns - title.columns - 1))
        return styled([(head, .faint), (title, isMarked ? .strong : .faint), (" " + rest, .faint)])
    }

    private var services: [String] { servicesAndCauses.lines }

    /// The line numbers of the causes' headings in the services pane.
    private var causeLines: [Int] { servicesAndCauses.causes }

    /// The lines of the services pane: the verdicts, then the causes with their remedies; and the line of each cause's heading.
    private var servicesAndCauses: (lines: [String], causes: [Int]) {
        let names = assessment.services.map { ($0.service.parent == nil ? "" : "  ") + $0.service.title }
        let column = min((names.map(\.columns).max() ?? 0) + 2, width / 2)
        var lines = zip(assessment.services, names).map { result, name in
            let mark = Mark(result.verdict, isAccepted: assessment.acceptedServices.contains(result.service))
            return styled([
                (" \(mark.sign) ", mark.tone.style), (cell(name, column), result.asked ? nil : .faint),
                (assessment.reason(for: result), mark.tone == .good ? .faint : mark.tone.style),
            ])
        }
        var causes: [Int] = []
        for (heading, cause) in assessment.rootCauses.withHeadings {
            causes.append(lines.count)
            lines.append(styled([(" " + heading, .strong)]))
            for remedy in cause.remedies {
                // Whole, since it may be a command to copy.
                let words = spelled("→ " + remedy.commandLine).wrapped(to: max(8, width - 4))
                lines += words.map { styled([("   " + $0, .good)]) }
            }
        }
        return (lines, causes)
    }

    /// A line for each sensor, and one for the signals of its axes.
    private var sensors: [String] {
        guard !assessment.sensors.isEmpty else {
            return [styled([("  No sensor, controller or receiver was found.", .faint)])]
        }
        let names = assessment.sensors.map { spelled($0.label ?? $0.name) }
        let column = min(names.map(\.columns).max() ?? 0, width / 4)
        return zip(assessment.sensors, names).flatMap { sensor, name -> [String] in
            let mark = Mark(sensor.availability)
            let line = styled([
                (" \(mark.sign) ", mark.tone.style), (sensor.kind.title.padded(to: 14), .faint),
                (cell(name, column) + "  ", .strong), (sensor.lastingSummary, nil),
            ])
            return [line] + signals(of: sensor)
        }
    }

    private func signals(of sensor: Sensor) -> [String] {
        guard let axes = signals[sensor.signalName], axes.contains(where: { $0.count > 1 }) else { return [] }
        let room = max(1, (width - 4) / 3 - 4)
        let parts = zip(["x", "y", "z"], axes).map { name, values in
            let bars = Sparkline.bars(of: values.suffix(room))
            // A level signal is told from none.
            let level = String(repeating: "▁", count: min(values.count, room))
            return "\(name) " + (values.isEmpty ? "" : bars.isEmpty ? level : bars).padded(to: room)
        }
        return [styled([("   " + parts.joined(separator: "  "), nil)])]
    }

    private func spelled(_ text: String) -> String { terminal.spelled(text.singleLine) }

    /// The text in a column of a width, cut if it is longer.
    private func cell(_ text: String, _ width: Int) -> String {
        text.padded(to: width, ellipsis: terminal.spelled("…"))
    }

    /// A line of parts, cut at the end of the screen.
    private func styled(_ parts: [(String, Terminal.Style?)]) -> String {
        var room = width
        var line = ""
        for (text, style) in parts where room > 0 {
            let text = spelled(text)
            let shown = text.columns <= room ? text : cell(text, room)
            line += terminal.styled(shown, style)
            room -= shown.columns
        }
        return line
    }
}
