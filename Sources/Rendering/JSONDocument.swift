internal import FoundationEssentials
internal import Readiness

/// A document as JSON text: with sorted keys, so that equal documents are equal bytes, and without characters that a
/// terminal may act on.
package struct JSONDocument {
    /// The text, which ends with a line feed.
    package let text: String

    /// Encodes a document, on several lines or on one.
    package init(_ value: some Encodable, onOneLine: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !onOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        var bytes = try encoder.encode(value)
        // Here, and not to the text, which would be copied for it.
        bytes.append(UInt8(ascii: "\n"))
        text = String(decoding: bytes, as: UTF8.self).escapedForTerminals
    }
}

extension String {
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
