internal import Readiness

/// Text from a peer or a device, made safe to show and to compare.
public enum PeerText {
    /// The text of some bytes on one line, without control characters, direction marks and outer spaces; nil if nothing
    /// is left.
    ///
    /// It ends before the first zero byte, and after `limit` characters.
    public static func line(_ bytes: some Sequence<UInt8>, limit: Int = 80) -> String? {
        // No printable character takes more bytes.
        let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(limit * 4), as: UTF8.self)
        var line = text.singleLine.drop { $0 == " " }.prefix(limit)
        while line.last == " " { line.removeLast() }
        return line.isEmpty ? nil : String(line)
    }
}
