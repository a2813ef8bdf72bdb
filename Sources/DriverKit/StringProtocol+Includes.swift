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
