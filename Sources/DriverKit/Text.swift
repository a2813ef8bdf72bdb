internal import Readiness

/// Text from a peer or a device, made safe to show and to compare.
public enum PeerText {
    /// The text of some bytes on one line, without control characters, direction marks and outer spaces; nil if nothing
    /// is left.
    ///
    /// It ends before the first zero byte, and after `limit` characters.
    public static func line(_ bytes: some BidirectionalCollection<UInt8>, limit: Int = 80) -> String? {
        // No printable character takes more bytes.
        let beginning = bytes.prefix(limit * 4).prefix { $0 != 0 }
        let space = UInt8(ascii: " ")
        // An attribute ends in a line break; plain text needs no cleaning without it.
        let end = beginning.lastIndex { $0 != space && $0 != UInt8(ascii: "\n") }
        guard let end else { return nil }
        let text = String(decoding: beginning[...end], as: UTF8.self).singleLine
        if text.utf8.count <= limit, text.utf8.first != space, text.utf8.last != space {
            return text.isEmpty ? nil : text
        }
        var line = text.drop { $0 == " " }.prefix(limit)
        while line.last == " " { line.removeLast() }
        return line.isEmpty ? nil : String(line)
    }
}

/// Quoting of text in a command that a remedy suggests.
public enum ShellWord {
    /// The text as one word of a command, quoted if needed; nil if no line can hold it, or if it would be taken for an
    /// option.
    public static func quoted(_ text: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= 4096, !text.hasPrefix("-"), text.singleLine == text else { return nil }
        if isPlain(text) { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Whether a shell takes the text for one word without quotes.
    public static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._-/:@+,=%".utf8.contains(byte)
                }
            }
    }
}

extension Collection where Element == UInt8 {
    /// Whether a JSON text has at most so many values; the text need not be valid.
    ///
    /// For hostile files: a decoder takes fifty times the memory of a text that is all values.
    package func hasAtMost(jsonValues limit: Int) -> Bool {
        var (values, isInString, isEscaped) = (1, false, false)
        for byte in self {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInString: isEscaped = true
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"):
                if !isInString { values += 1 }
            default: break
            }
            if values > limit { return false }
        }
        return true
    }
}
