internal import FoundationEssentials
internal import Readiness

extension String {
    /// A document as JSON text, on several lines or on one, and a line feed: with sorted keys, so that equal documents
    /// are equal bytes, and without characters that a terminal may act on.
    package init(json value: some Encodable, onOneLine: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !onOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        var bytes = try encoder.encode(value)
        // Here, and not to the text, which would be copied for it.
        bytes.append(UInt8(ascii: "\n"))
        self = String(decoding: bytes, as: UTF8.self).escapedForTerminals
    }

    /// This JSON text with each character escaped that a terminal may act on, of which the encoder leaves C1, DEL and
    /// direction marks as they are.
    package var escapedForTerminals: String {
        if utf8.allSatisfy({ $0 < 0x7f }) { return self }
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.actsOnTerminal, scalar != "\n" {
                let digits = String(scalar.value, radix: 16)
                text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
