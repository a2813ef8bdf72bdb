import Readiness
import Rendering

/// Lines of a report, none wider than the terminal.
struct Page {
    private(set) var text = ""
    private let terminal: Terminal
    private static let margin = 2

    init(_ terminal: Terminal) { self.terminal = terminal }

    /// Adds lines that are laid out already.
    mutating func lines(_ lines: String) { text += lines }

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
    mutating func row(_ columns: (String, Terminal.Style?)..., rest: String = "", style: Terminal.Style? = nil) {
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

    /// Adds the inventory, one sensor per line; `isFull` prints the kinds as options take them.
    ///
    /// Names and keys are never cut, since options take them; long ones are left out of the width of their column.
    mutating func sensors(_ sensors: [Sensor], isFull: Bool) {
        let kinds = sensors.map { isFull ? $0.kind.id : $0.kind.title }
        let names = sensors.map { ($0.label ?? $0.name).singleLine }
        let keys = sensors.map(\.key.singleLine)
        func width(_ column: [String], _ limit: Int) -> Int {
            let longest = column.map(\.columns).max() ?? 0
            return isFull ? longest : min(longest, limit)
        }
        let widths = (width(kinds, 16), width(names, 20), width(keys, 34))
        for (index, sensor) in sensors.enumerated() {
            row(
                (kinds[index].column(widths.0), .faint), (names[index].column(widths.1), .strong),
                (keys[index].column(widths.2), nil),
                rest: sensor.summary, style: sensor.availability == .available ? nil : .bad)
        }
        if sensors.isEmpty { row(rest: "No sensor, controller or receiver was found.", style: .faint) }
    }

    private mutating func hang(_ indent: Int, _ line: String, _ style: Terminal.Style?) {
        text += String(repeating: " ", count: indent) + terminal.styled(line, style) + "\n"
    }
}

extension StringProtocol {
    /// Whether the text is printable ASCII, as usual: a byte is then a column.
    fileprivate var isPlain: Bool { utf8.allSatisfy { 0x20...0x7e ~= $0 } }

    var columns: Int { isPlain ? utf8.count : reduce(0) { $0 + $1.columns } }
}

extension String {
    /// The text padded with spaces, or truncated, to a number of columns.
    func padded(to width: Int) -> String {
        let taken = columns
        if taken <= width { return self + String(repeating: " ", count: width - taken) }
        var cut = ""
        var room = width - 2
        for character in self where room >= 0 {
            room -= character.columns
            if room >= 0 { cut.append(character) }
        }
        return (cut + "…").padded(to: width)
    }

    /// The text padded to a column of a width, or whole if it is longer, and two spaces.
    func column(_ width: Int) -> String { padded(to: max(width, columns) + 2) }

    var trimmedEnd: String { lastIndex { $0 != " " }.map { String(self[...$0]) } ?? "" }

    private var hasLooseSpaces: Bool {
        let space = UInt8(ascii: " ")
        var last = space
        for byte in utf8 {
            if byte == space, last == space { return true }
            last = byte
        }
        return last == space && !isEmpty
    }

    /// Returns lines of at most `width` columns, broken at spaces; a longer word is broken unless `breaksWords` is
    /// false.
    func wrapped(to width: Int, breaksWords: Bool = true) -> [String] {
        if columns <= width, !hasLooseSpaces { return isEmpty ? [] : [self] }
        var lines: [String] = []
        var line = ""
        var taken = 0
        func end() {
            if !line.isEmpty { lines.append(line) }
            line = ""
            taken = 0
        }
        for word in split(separator: " ") {
            let columns = word.columns
            if !line.isEmpty, taken + 1 + columns > width { end() }
            guard breaksWords, columns > width else {
                let gap = line.isEmpty ? "" : " "
                line += gap + word
                taken += gap.utf8.count + columns
                continue
            }
            for character in word {
                if taken + character.columns > width { end() }
                line.append(character)
                taken += character.columns
            }
        }
        end()
        return lines
    }
}

extension Character {
    /// Two for wide East Asian characters and emoji, otherwise one (Unicode Standard Annex 11, simplified).
    fileprivate var columns: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
            0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
            return 2
        default: return 1
        }
    }
}
