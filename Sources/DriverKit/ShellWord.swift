internal import Readiness

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
