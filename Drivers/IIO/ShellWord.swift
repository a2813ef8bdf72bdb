internal import DriverKit
/// A text as one word of a command, in quotes where it must; nil where no line can hold it, or an option would be read.
func shellWord(_ text: String) -> String? {
    guard !text.isEmpty, text.utf8.count <= 512, !text.hasPrefix("-"), PeerText.line(text.utf8, limit: 512) == text else {
        return nil
    }
    if text.utf8.allSatisfy(isPlain) { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}

private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "._-/:@+,=%".utf8.contains(byte)
    }
}
