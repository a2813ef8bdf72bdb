extension Unicode.Scalar {
    /// Whether a terminal may act on it: C0, DEL, C1, the line and paragraph separators, and the characters of Unicode's
    /// property Bidi_Control.
    package var actsOnTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}

extension StringProtocol {
    /// Whether each byte is printable ASCII, as in most texts.
    package var isPrintableASCII: Bool {
        let whole = utf8.withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).isPrintableASCII }
        return whole ?? utf8.allSatisfy { 0x20...0x7e ~= $0 }
    }
}

extension UnsafeRawBufferPointer {
    /// Eight bytes at a time: every text that is printed is checked.
    ///
    /// Subtracting 0x20 borrows into the high bit of a byte below it, adding 1 carries 0x7f into its own; a byte that
    /// takes from its neighbour is itself not printable.
    fileprivate var isPrintableASCII: Bool {
        let (ones, highBits) = (UInt64(0x0101_0101_0101_0101), UInt64(0x8080_8080_8080_8080))
        var place = 0
        while place + 8 <= count {
            let word = unsafe loadUnaligned(fromByteOffset: place, as: UInt64.self)
            // The parentheses matter: `|` and `&+` have one precedence.
            if ((word &- (ones &* 0x20)) | (word &+ ones) | word) & highBits != 0 { return false }
            place += 8
        }
        return unsafe self[place...].allSatisfy { 0x20...0x7e ~= $0 }
    }
}

extension String {
    /// The text on one line, safe to print: without control characters and direction marks, its lines joined by spaces.
    ///
    /// For text from peers, devices and files, which may contain terminal escapes or forge a line. What a terminal may
    /// act on is removed; line breaks and tabs become one space, those at the ends are dropped.
    package var singleLine: String {
        if isPrintableASCII { return self }
        var line = UnicodeScalarView()
        var endsLine = false
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x09...0x0d, 0x85, 0x2028, 0x2029: endsLine = true
            case _ where scalar.actsOnTerminal: break
            default:
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
