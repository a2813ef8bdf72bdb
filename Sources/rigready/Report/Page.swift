import Readiness
import Rendering

/// Lines of a report, none wider than the terminal.
struct Page {
    // Bytes, since appending to a string takes several times as long.
    private var bytes: [UInt8] = []
    let terminal: Terminal
    /// Whether words of a command are broken, too, because a longer line would damage a screen.
    private let breaksWords: Bool
    private static let margin = 2
    /// The columns of a reading of three axes with its rate.
    private static let readingWidth = 38

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }

    init(_ terminal: Terminal, breaksWords: Bool = false) {
        self.terminal = terminal
        self.breaksWords = breaksWords
    }

    private func spelled(_ text: String) -> String { terminal.spelled(text.singleLine) }

    /// Adds text that is laid out already.
    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(spaces count: Int) {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: count))
    }

    mutating func blank() { append("\n") }

    /// Adds one text at the left end and one at the right; below each other if they do not fit.
    mutating func ends(_ left: String, _ right: String, _ style: Terminal.Style?) {
        let (left, right) = (spelled(left), spelled(right))
        let gap = terminal.width - left.columns - right.columns
        if gap >= 2 {
            append(left + spaces(min(gap, 70)) + terminal.styled(right, style) + "\n")
        } else {
            for line in left.wrapped(to: terminal.width) { hang(0, line, nil) }
            for line in right.wrapped(to: terminal.width) { hang(0, line, style) }
        }
    }

    /// Adds columns, then a text that is wrapped after them; on a narrow terminal below them.
    mutating func row(_ columns: (String, Terminal.Style?)..., rest: String = "", style: Terminal.Style? = nil) {
        row(columns, rest: rest, style: style)
    }

    /// The same for columns whose number is not known here.
    mutating func row(_ columns: [(String, Terminal.Style?)], rest: String = "", style: Terminal.Style? = nil) {
        let cells = columns.map { text, style in (MeasuredText(text, on: terminal), style) }
        row(cells, MeasuredText(rest, on: terminal), style)
    }

    private mutating func row(
        _ columns: [(MeasuredText, Terminal.Style?)], _ rest: MeasuredText, _ style: Terminal.Style?,
        isBelow: Bool = false
    ) {
        let used = Self.margin + columns.reduce(0) { $0 + $1.0.columns }
        let fits = !isBelow && terminal.width - used >= min(24, rest.columns)
        guard used <= terminal.width else {
            // Even the columns do not fit next to each other.
            hanging(0, columns.map(\.0.padded).joined(separator: " "), columns.last?.1)
            return hanging(Self.margin * 2, rest.text, style)
        }
        let indent = fits ? used : Self.margin * 3
        let lines = rest.wrapped(to: max(8, terminal.width - indent))
        append(spaces: Self.margin)
        for (column, style) in columns {
            if terminal.colour, style != nil {
                append(terminal.styled(column.padded, style))
            } else {
                append(column.text)
                append(spaces: column.padding)
            }
        }
        if fits, let first = lines.first { append(terminal.styled(first, style)) }
        while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
        append("\n")
        for next in fits ? lines.dropFirst() : lines[...] { hang(indent, next, style) }
    }

    /// Adds the headings of columns, each as wide as its column, and of the text after them.
    mutating func headings(_ columns: String..., rest: String) {
        row(columns.map { (MeasuredText($0, on: .file), .faint) }, MeasuredText(rest, on: .file), .faint)
    }

    mutating func hanging(_ indent: Int, _ words: String, _ style: Terminal.Style?) {
        let indent = min(indent, terminal.width / 3)
        for line in spelled(words).wrapped(to: max(8, terminal.width - indent)) { hang(indent, line, style) }
    }

    /// Adds a remedy, broken only at spaces, since it may be a command to copy; in ASCII, with a mark if it cannot be copied.
    mutating func remedy(_ indent: Int, _ words: String) {
        let indent = min(indent, terminal.width / 3)
        let width = max(8, terminal.width - indent)
        let line = spelled("→ " + words)
        let lines = line.columns <= width ? [line] : line.wrapped(to: width, breaksWords: breaksWords)
        for line in lines { hang(indent, line, .good) }
        if terminal.isASCII, words.utf8.contains(where: { $0 >= 0x80 }) { uncopyable(indent) }
    }

    /// Adds a remedy; a shell command that has no room on one line is broken as a shell reads it, with its note below as a
    /// comment, so that all lines can be copied together.
    mutating func remedy(_ indent: Int, _ remedy: Remedy, needs: String? = nil) {
        let indent = min(indent, terminal.width / 3)
        let width = max(8, terminal.width - indent)
        let whole = remedy.commandLine + (needs.map { "    (\($0))" } ?? "")
        guard case .command(let command, let note) = remedy, spelled("→ " + whole).columns > width else {
            return self.remedy(indent, whole)
        }
        let lines = spelled(command.line).wrappedForShell(to: width - 4)
        for (index, line) in lines.enumerated() {
            let line = (index == 0 ? terminal.spelled("→ ") : "  ") + line + (index < lines.count - 1 ? " \\" : "")
            for part in breaksWords ? line.cut(to: width) : [line] { hang(indent, part, .good) }
        }
        let comments = [note, needs].compactMap(\.self)
        for comment in comments.flatMap({ spelled($0).wrapped(to: width - 4, breaksWords: breaksWords) }) {
            hang(indent + 2, "# " + comment, .good)
        }
        if terminal.isASCII, command.line.utf8.contains(where: { $0 >= 0x80 }) { uncopyable(indent) }
    }

    private mutating func uncopyable(_ indent: Int) {
        hanging(
            indent, "do not copy this: some characters cannot be shown here; rigready --format json has them", .faint)
    }

    /// Adds the inventory, one sensor per line below the headings; `isFull` prints the kinds as options take them.
    ///
    /// If one state has no room next to its key, all are below, and long names and keys are left out of the width of
    /// their column. Names and keys are never cut, since options take them.
    mutating func sensors(_ sensors: [Sensor], isFull: Bool) {
        if sensors.isEmpty { return row(rest: "No sensor, controller or receiver was found.", style: .faint) }
        let titles = (kind: "kind", name: "name", key: "key")
        var widths = (titles.kind.count, titles.name.count, titles.key.count)
        let lines = sensors.map { sensor in
            let kind = MeasuredText(isFull ? sensor.kind.id : sensor.kind.title, on: terminal)
            let name = MeasuredText(sensor.label ?? sensor.name, on: terminal)
            let (key, state) = (MeasuredText(sensor.key, on: terminal), MeasuredText(sensor.summary, on: terminal))
            return (sensor, kind, name: name, key: key, state: state)
        }
        func fit(_ limits: (Int, Int, Int)) {
            for (_, kind, name, key, _) in lines {
                widths.0 = max(widths.0, min(kind.columns, limits.0))
                widths.1 = max(widths.1, min(name.columns, limits.1))
                widths.2 = max(widths.2, min(key.columns, limits.2))
            }
        }
        let narrow = widths
        fit((.max, .max, .max))
        let room = terminal.width - Self.margin - widths.0 - widths.1 - widths.2 - 6
        let isBelow = lines.contains { room < min(Self.readingWidth, $0.state.columns) }
        if isBelow, !isFull {
            widths = narrow
            fit((16, 20, 34))
        }
        headings(
            titles.kind.column(widths.0), titles.name.column(widths.1), titles.key.column(widths.2),
            rest: isBelow ? "" : "state")
        for (sensor, kind, name, key, state) in lines {
            row(
                [(kind.column(widths.0), .faint), (name.column(widths.1), .strong), (key.column(widths.2), nil)],
                state, sensor.availability == .available ? nil : .bad, isBelow: isBelow)
        }
    }

    private mutating func hang(_ indent: Int, _ line: String, _ style: Terminal.Style?) {
        append(spaces: indent)
        append(terminal.styled(line, style) + "\n")
    }
}

/// A text on one line, with its width, and spaces behind it.
private struct MeasuredText {
    let text: String
    /// The width with the spaces.
    let columns: Int
    let padding: Int

    init(_ text: String, on terminal: Terminal) {
        let isPlain = text.isPrintableASCII
        self.text = isPlain ? text : terminal.spelled(text.singleLine)
        columns = isPlain ? text.utf8.count : self.text.columns
        padding = 0
    }

    private init(_ text: String, columns: Int, padding: Int) {
        (self.text, self.columns, self.padding) = (text, columns, padding)
    }

    var padded: String { text + spaces(padding) }

    /// The text padded to a column of a width, or whole if it is longer, and two spaces.
    func column(_ width: Int) -> MeasuredText {
        let padding = max(width - columns, 0) + 2
        return MeasuredText(text, columns: columns + padding, padding: padding)
    }

    func wrapped(to width: Int) -> [String] {
        columns <= width && !text.hasLooseSpaces ? (text.isEmpty ? [] : [text]) : text.wrapped(to: width)
    }
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

extension StringProtocol {
    /// The width of the text; a byte of printable ASCII is a column.
    var columns: Int { isPrintableASCII ? utf8.count : reduce(0) { $0 + $1.columns } }
}

extension String {
    /// The text padded with spaces, or truncated, to a number of columns.
    func padded(to width: Int, ellipsis: String = "…") -> String {
        let taken = columns
        if taken <= width { return self + spaces(width - taken) }
        let ellipsis = String(ellipsis.prefix(max(width, 0)))
        var cut = ""
        var room = width - 1 - ellipsis.columns
        for character in self where room >= 0 {
            room -= character.columns
            if room >= 0 { cut.append(character) }
        }
        return (cut + ellipsis).padded(to: width)
    }

    /// The text padded to a column of a width, or whole if it is longer, and two spaces.
    func column(_ width: Int) -> String { MeasuredText(self, on: .file).column(width).padded }

    /// Parts of at most `width` columns, with every character.
    fileprivate func cut(to width: Int) -> [String] {
        reduce(into: [""]) { parts, character in
            if parts[parts.count - 1].columns + character.columns > width { parts.append("") }
            parts[parts.count - 1].append(character)
        }
    }

    /// Lines of at most `width` columns, as far as the words allow, broken at the spaces outside of quotes.
    ///
    /// By scalars, as a shell reads: a quote before a combining mark is one character with it.
    fileprivate func wrappedForShell(to width: Int) -> [String] {
        var words = [String.UnicodeScalarView()]
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in unicodeScalars {
            if scalar == " ", quote == nil, !isEscaped {
                words.append(String.UnicodeScalarView())
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\", quote != "'" {
                isEscaped = true
            } else if scalar == quote {
                quote = nil
            } else if quote == nil, scalar == "'" || scalar == "\"" {
                quote = scalar
            }
            words[words.count - 1].append(scalar)
        }
        return words.dropFirst().reduce(into: [String(words[0])]) { lines, word in
            let (last, word) = (lines.count - 1, String(word))
            if lines[last].columns + 1 + word.columns <= width { lines[last] += " " + word } else { lines.append(word) }
        }
    }

    var trimmedEnd: String {
        guard utf8.last == UInt8(ascii: " ") else { return self }
        return lastIndex { $0 != " " }.map { String(self[...$0]) } ?? ""
    }

    fileprivate var hasLooseSpaces: Bool {
        let space = UInt8(ascii: " ")
        var last = space
        for byte in utf8 {
            if byte == space, last == space { return true }
            last = byte
        }
        return last == space && !isEmpty
    }

    /// Returns lines of at most `width` columns, broken at spaces, but not between a number and its unit; a longer
    /// word is broken unless `breaksWords` is false.
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
        let words = split(separator: " ")
        for (index, word) in words.enumerated() {
            let columns = word.columns
            // With the words that stay on its line, if they have room on one.
            var together = columns
            for (word, next) in zip(words[index...], words[(index + 1)...]) {
                guard NumberWithUnit.joins(word, next) else { break }
                together += 1 + next.columns
            }
            if !line.isEmpty, taken + 1 + (together <= width ? together : columns) > width { end() }
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
