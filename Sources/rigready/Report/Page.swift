import Readiness

/// Lines of a report, none wider than the terminal.
struct Page {
    private(set) var text = ""
    private let terminal: Terminal
    private static let margin = 2

    init(_ terminal: Terminal) { self.terminal = terminal }

    /// An empty line.
    mutating func blank() { text += "\n" }

    /// One text at the left end and one at the right; below each other where they do not fit.
    mutating func ends(_ left: String, _ right: String, _ style: Terminal.Style?) {
        let gap = terminal.width - left.count - right.count
        if gap >= 2 {
            text += left + String(repeating: " ", count: min(gap, 70)) + terminal.styled(right, style) + "\n"
        } else {
            for line in left.wrapped(to: terminal.width) + right.wrapped(to: terminal.width).map({ $0 }) {
                text += line + "\n"
            }
        }
    }

    /// Columns, then a text that is wrapped behind them; on a narrow terminal below them.
    mutating func row(_ columns: [(String, Terminal.Style?)], rest: String, style: Terminal.Style?) {
        let used = Self.margin + columns.reduce(0) { $0 + $1.0.count }
        let fits = terminal.width - used >= min(24, rest.count)
        let indent = fits ? used : Self.margin * 3
        let lines = rest.cleaned.wrapped(to: max(8, terminal.width - indent))
        var line = String(repeating: " ", count: Self.margin)
        line += columns.map { terminal.styled($0.0, $0.1) }.joined()
        if fits, let first = lines.first { line += terminal.styled(first, style) }
        text += line.trimmedEnd + "\n"
        for next in fits ? lines.dropFirst() : lines[...] { hang(indent, next, style) }
    }

    /// A text indented and wrapped.
    mutating func hanging(_ indent: Int, _ words: String, _ style: Terminal.Style?) {
        let indent = min(indent, terminal.width / 3)
        for line in words.cleaned.wrapped(to: max(8, terminal.width - indent)) { hang(indent, line, style) }
    }

    /// The inventory, a sensor a line.
    mutating func sensors(_ sensors: [Sensor]) {
        let kinds = sensors.map(\.kind.title)
        let names = sensors.map { $0.label.map { label in "\(label)" } ?? $0.name }
        let keys = sensors.map(\.key)
        func width(_ column: [String], _ limit: Int) -> Int { min(column.map(\.count).max() ?? 0, limit) + 2 }
        let widths = (width(kinds, 16), width(names.map(\.cleaned), 20), width(keys.map(\.cleaned), 34))
        for (index, sensor) in sensors.enumerated() {
            let isGood = sensor.availability == .available
            row(
                [
                    (kinds[index].padded(to: widths.0), .faint), (names[index].cleaned.padded(to: widths.1), .strong),
                    (keys[index].cleaned.padded(to: widths.2), nil),
                ], rest: sensor.summary, style: isGood ? nil : .bad)
        }
    }

    private mutating func hang(_ indent: Int, _ line: String, _ style: Terminal.Style?) {
        text += String(repeating: " ", count: indent) + terminal.styled(line, style) + "\n"
    }
}

extension String {
    /// The text filled up with spaces, or cut, to a number of columns.
    func padded(to width: Int) -> String {
        if count < width { return self + String(repeating: " ", count: width - count) }
        return count == width || width < 2 ? self : String(prefix(width - 2)) + "… "
    }

    /// The text without control characters, which a device's name or a peer's words might bear.
    var cleaned: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    /// The text without spaces at its end.
    var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }

    /// Lines of at most so many columns, broken at spaces; a longer word is broken inside.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            var word = word[...]
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            while line.isEmpty, word.count > width {
                lines.append(String(word.prefix(width)))
                word = word.dropFirst(width)
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
