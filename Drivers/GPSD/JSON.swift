/// A JSON value, with what gpsd's protocol uses.
package enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number; infinite if the text exceeds the range of Double.
    case number(Double)
    case string(String)
    case array([JSON])
    /// An object; the last of several members with one name counts.
    case object([String: JSON])

    /// Parses one document that fills the bytes, apart from white space; nil if it is not JSON or exceeds the bounds of
    /// `JSONReader`.
    package init?(parsing bytes: [UInt8]) {
        var reader = JSONReader(bytes: bytes)
        guard let value = try? reader.document() else { return nil }
        self = value
    }

    package subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    package var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

    package var text: String? { if case .string(let text) = self { text } else { nil } }

    package var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// The value, if this is a whole number that an Int holds.
    package var integer: Int? { number.flatMap { Int(exactly: $0) } }

    package var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
}

/// Reads untrusted JSON, with bounds on depth, on the number of values and on the length of a number.
///
/// FoundationEssentials has a reader too, but loading it would slow the start of a check. Follows RFC 8259, but lets
/// numbers begin with zeros.
private struct JSONReader {
    struct Malformed: Error {}

    private static let maximumDepth = 16
    private static let maximumValues = 16 << 10
    private static let maximumDigits = 64

    let bytes: [UInt8]
    var place = 0
    var values = 0

    /// Reads the document, which must fill the bytes.
    mutating func document() throws(Malformed) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard place == bytes.count else { throw Malformed() }
        return value
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { place += 1 }
    }

    /// Consumes a character and white space before it; returns false and consumes nothing if another one follows.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func value(depth: Int) throws(Malformed) -> JSON {
        values += 1
        guard depth < Self.maximumDepth, values <= Self.maximumValues else { throw Malformed() }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(Malformed) -> JSON {
        var members: [String: JSON] = [:]
        place += 1
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw Malformed() }
            let name = try string()
            guard take(":") else { throw Malformed() }
            members[name] = try value(depth: depth + 1)
        } while take(",")
        guard take("}") else { throw Malformed() }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Malformed) -> JSON {
        var elements: [JSON] = []
        place += 1
        if take("]") { return .array(elements) }
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw Malformed() }
        return .array(elements)
    }

    private mutating func word(_ word: String, _ value: JSON) throws(Malformed) -> JSON {
        guard bytes[place...].starts(with: word.utf8) else { throw Malformed() }
        place += word.utf8.count
        return value
    }

    private mutating func number() throws(Malformed) -> Double {
        let start = place
        while let byte = next, byte >= 0x30 && byte <= 0x39 || "+-.eE".utf8.contains(byte) { place += 1 }
        let digits = bytes[start..<place]
        guard let first = digits.first, let last = digits.last, digits.count <= Self.maximumDigits,
            first == UInt8(ascii: "-") || first >= 0x30, last >= 0x30 && last <= 0x39,
            let number = Double(String(decoding: digits, as: UTF8.self))
        else { throw Malformed() }
        return number
    }

    private mutating func string() throws(Malformed) -> String {
        place += 1
        var content: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else { throw Malformed() }
                return text
            case UInt8(ascii: "\\"): content += try escape().utf8
            case 0x20...: content.append(byte)
            default: throw Malformed()
            }
        }
        throw Malformed()
    }

    private mutating func escape() throws(Malformed) -> String {
        guard let byte = next else { throw Malformed() }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(Unicode.Scalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicode()
        default: throw Malformed()
        }
    }

    /// Four hexadecimal digits, or two groups of four that form a surrogate pair.
    private mutating func unicode() throws(Malformed) -> String {
        var units = [try unit()]
        if UTF16.isLeadSurrogate(units[0]) {
            guard bytes[place...].starts(with: #"\u"#.utf8) else { throw Malformed() }
            place += 2
            units.append(try unit())
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw Malformed() }
        return text
    }

    private mutating func unit() throws(Malformed) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Malformed() }
            unit = unit << 4 | UInt16(digit)
            place += 1
        }
        return unit
    }
}
