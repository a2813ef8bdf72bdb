extension Unicode.Scalar {
    /// Whether a terminal may act on it: C0, DEL, C1, the line and paragraph separators, and the characters of Unicode's
    /// property Bidi_Control.
    package var actsOnTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether nothing is seen of it: Unicode's property Default_Ignorable_Code_Point, noncharacters, and the interlinear
    /// annotation characters.
    package var isInvisible: Bool {
        properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint || 0xfff9...0xfffb ~= value
    }
}

extension StringProtocol {
    /// Whether each byte is printable ASCII, as in most texts.
    package var isPrintableASCII: Bool { utf8.allSatisfy { 0x20...0x7e ~= $0 } }
}

extension String {
    /// The most marks that are kept on one letter.
    ///
    /// Source: UTS #39, 5.4, "Forbid sequences of more than 4 nonspacing
    /// marks".
    private static let markLimit = 4

    /// The text on one line, safe to print: without control characters, direction marks and characters that are not seen,
    /// its lines joined by spaces.
    ///
    /// For text from peers, devices and files, which may contain terminal escapes, forge a line, or differ from another
    /// text in nothing that a person sees. Line breaks and tabs become one space, those at the ends are dropped.
    package var singleLine: String {
        if isPrintableASCII { return self }
        var line = UnicodeScalarView()
        var endsLine = false
        var marks = 0
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x09...0x0d, 0x85, 0x2028, 0x2029: endsLine = true
            case _ where scalar.actsOnTerminal || scalar.isInvisible: break
            default:
                let category = scalar.properties.generalCategory
                marks = category == .nonspacingMark || category == .enclosingMark ? marks + 1 : 0
                if marks > Self.markLimit { continue }
                if endsLine, !line.isEmpty { line.append(" ") }
                endsLine = false
                line.append(scalar)
            }
        }
        return String(line)
    }
}

extension [String] {
    /// The words with commas, and this one before the last.
    package func list(_ last: String) -> String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " \(last) " + self[count - 1]
    }
}

extension String {
    /// The name of a case in words: "softBlocked" is "soft blocked".
    package var spaced: String {
        reduce(into: "") { words, letter in words += letter.isUppercase ? " \(letter.lowercased())" : "\(letter)" }
    }
}

extension StringProtocol {
    /// Whether the text includes another, byte for byte.
    ///
    /// Replaces `contains(_:)`, which the standard library implements with its regular expression engine: half a
    /// mebibyte of memory for one word.
    package func includes(_ text: some StringProtocol) -> Bool {
        let (whole, part) = (Array(utf8), Array(text.utf8))
        guard whole.count >= part.count else { return false }
        return (0...whole.count - part.count).contains { whole[$0...].starts(with: part) }
    }
}
