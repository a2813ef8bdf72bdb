/// The value of a numeric attribute: plain decimals, as the kernel prints them in every locale.
package struct AttributeValue: Sendable, Equatable {
    /// The number; may be infinite if there are too many digits for a `Double`.
    package let number: Double
    package let text: String

    /// Parses an optional sign, digits and an optional fraction, then white space; nil for anything else.
    package init?(_ bytes: [UInt8]) {
        var digits = bytes[...]
        while let last = digits.last, [0, 9, 10, 13, 32].contains(last) { digits.removeLast() }
        guard digits.count <= 1024 else { return nil }
        var rest = digits
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
        let parts = rest.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard
            parts.allSatisfy({ part in
                !part.isEmpty && part.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            })
        else { return nil }
        text = String(decoding: digits, as: UTF8.self)
        // `Double` reads the C locale's format; beyond its range it returns infinity.
        guard let number = Double(text) else { return nil }
        self.number = number
    }
}

/// Bytes in printable form: at most `limit` of them, in quotes, unprintable ones in hexadecimal.
package func quoted(_ bytes: some Collection<UInt8>, limit: Int = 48) -> String {
    var text = "\""
    for byte in bytes.prefix(limit) {
        switch byte {
        case 0x0a: text += "\\n"
        case 0x20..<0x7f: text.unicodeScalars.append(Unicode.Scalar(byte))
        default: text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
    return text + (bytes.count > limit ? "…\"" : "\"")
}
