extension StringProtocol {
    /// Whether the text is printable ASCII, as usual: a byte is then a column.
    fileprivate var isPlain: Bool { utf8.allSatisfy { 0x20...0x7e ~= $0 } }

    /// The number of columns on a terminal.
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

    /// The text without trailing spaces.
    var trimmedEnd: String { lastIndex { $0 != " " }.map { String(self[...$0]) } ?? "" }

    /// Whether it has leading, trailing or repeated spaces.
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
