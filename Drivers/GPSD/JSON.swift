/// A value of JSON, as far as gpsd's protocol uses it.
package enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// May be infinite, where the text is beyond what a Double holds.
    case number(Double)
    case string(String)
    case array([JSON])
    /// The last of several members with one name counts.
    case object([String: JSON])

    /// Reads one document that fills the bytes, white space aside; nil where it is not one, or is beyond the bounds of
    /// `JSONReader`.
    package init?(parsing bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard let value = try? reader.document() else { return nil }
        self = value
    }

    /// A member of an object.
    package subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The elements, if this is an array.
    package var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The text, if this is a string.
    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value, if this is a number.
    package var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// The value, if this is a whole number that an Int holds.
    package var integer: Int? { number.flatMap { Int(exactly: $0) } }

    /// The value, if this is a truth value.
    package var flag: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }
}
