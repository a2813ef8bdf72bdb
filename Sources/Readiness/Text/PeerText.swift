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
