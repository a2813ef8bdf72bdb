import Readiness

/// Lines of a report, none wider than the terminal.
struct Page {
    private(set) var text = ""
    private let terminal: Terminal
    private static let margin = 2

    init(_ terminal: Terminal) { self.terminal = terminal }

    /// Adds lines that are laid out already.
    mutating func lines(_ lines: String) { text += lines }

    /// Adds an empty line.
    mutating func blank() { text += "\n" }

    /// Adds one text at the left end and one at the right; below each other if they do not fit.
    mutating func ends(_ left: String, _ right: String, _ style: Terminal.Style?) {
        let (left, right) = (left.singleLine, right.singleLine)
        let gap = terminal.width - left.columns - right.columns
        if gap >= 2 {
            text += left + String(repeating: " ", count: min(gap, 70)) + terminal.styled(right, style) + "\n"
        } else {
            for line in left.wrapped(to: terminal.width) { hang(0, line, nil) }
            for line in right.wrapped(to: terminal.width) { hang(0, line, style) }
        }
    }

    /// Adds columns, then a text that is wrapped after them; on a narrow terminal below them.
    mutating func row(_ columns: [(String, Terminal.Style?)], rest: String, style: Terminal.Style?) {
        let columns = columns.map { ($0.0.singleLine, $0.1) }
        let rest = rest.singleLine
        let used = Self.margin + columns.reduce(0) { $0 + $1.0.columns }
        let fits = terminal.width - used >= min(24, rest.columns)
        guard used <= terminal.width else {
            // Even the columns do not fit next to each other.
            hanging(0, columns.map(\.0).joined(separator: " "), columns.last?.1)
            return hanging(Self.margin * 2, rest, style)
        }
        let indent = fits ? used : Self.margin * 3
        let lines = rest.wrapped(to: max(8, terminal.width - indent))
        var line = String(repeating: " ", count: Self.margin)
        for column in columns { line += terminal.styled(column.0, column.1) }
        if fits, let first = lines.first { line += terminal.styled(first, style) }
        text += line.trimmedEnd + "\n"
        for next in fits ? lines.dropFirst() : lines[...] { hang(indent, next, style) }
    }

    /// Adds a text, indented and wrapped.
    mutating func hanging(_ indent: Int, _ words: String, _ style: Terminal.Style?) {
        let indent = min(indent, terminal.width / 3)
        for line in words.singleLine.wrapped(to: max(8, terminal.width - indent)) { hang(indent, line, style) }
    }

    /// Adds a remedy; it is broken only at spaces, since it may be a command to copy.
    mutating func remedy(_ indent: Int, _ words: String) {
        let indent = min(indent, terminal.width / 3)
        let lines = ("→ " + words.singleLine).wrapped(to: max(8, terminal.width - indent), breaksWords: false)
        for line in lines { hang(indent, line, .good) }
    }

    /// Adds the inventory, one sensor per line; `isFull` prints kinds and keys as other options take them, not
    /// truncated.
    mutating func sensors(_ sensors: [Sensor], isFull: Bool) {
        let kinds = sensors.map { isFull ? $0.kind.id : $0.kind.title }
        let names = sensors.map { ($0.label ?? $0.name).singleLine }
        let keys = sensors.map(\.key.singleLine)
        func width(_ column: [String], _ limit: Int) -> Int {
            let longest = column.map(\.columns).max() ?? 0
            return (isFull ? longest : min(longest, limit)) + 2
        }
        let widths = (width(kinds, 16), width(names, 20), width(keys, 34))
        for (index, sensor) in sensors.enumerated() {
            row(
                [
                    (kinds[index].padded(to: widths.0), .faint), (names[index].padded(to: widths.1), .strong),
                    (keys[index].padded(to: widths.2), nil),
                ], rest: sensor.summary, style: sensor.availability == .available ? nil : .bad)
        }
    }

    private mutating func hang(_ indent: Int, _ line: String, _ style: Terminal.Style?) {
        text += String(repeating: " ", count: indent) + terminal.styled(line, style) + "\n"
    }
}
