import Readiness
import Rendering

/// The screen of a watch: the verdict on top, below it panes of services, sensors and events, and the keys.
///
/// Pure: the same state gives the same lines, none wider than the terminal and no more than it has.
struct BoardLayout {
    enum Pane: CaseIterable { case services, sensors }

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

    let terminal: Terminal
    private var width: Int { terminal.width }

    // MARK: Lines

    /// The lines of the screen, as many as it has.
    var lines: [String] {
        let height = terminal.height ?? 24
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
        let keys = [countdown, "q ends", "Tab other pane", "↑ ↓ PgUp PgDn scroll", remark].compactMap(\.self)
        lines.append(styled([(keys.joined(separator: " · "), .faint)]))
        return Array(lines.prefix(height))
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

    /// The services with their verdicts, then the causes with what fixes them.
    private var services: [String] {
        let names = assessment.services.map { ($0.service.parent == nil ? "" : "  ") + $0.service.title }
        let column = min((names.map(\.columns).max() ?? 0) + 2, width / 2)
        var lines = zip(assessment.services, names).map { result, name in
            let mark = Mark(result.verdict, isAccepted: assessment.acceptedServices.contains(result.service))
            return styled([
                (" \(mark.sign) ", mark.tone.style), (cell(name, column), result.asked ? nil : .faint),
                (assessment.reason(for: result), mark.tone == .good ? .faint : mark.tone.style),
            ])
        }
        for (heading, cause) in assessment.rootCauses.withHeadings {
            lines.append(styled([(" " + heading, .strong)]))
            for remedy in cause.remedies {
                // Whole, since it may be a command to copy.
                let words = spelled("→ " + remedy.commandLine).wrapped(to: max(8, width - 4))
                lines += words.map { styled([("   " + $0, .good)]) }
            }
        }
        return lines
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
