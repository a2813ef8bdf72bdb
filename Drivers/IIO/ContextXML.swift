/// Why bytes are not a context description.
package struct ContextXMLError: Error, Sendable, Equatable {
    /// What was expected.
    package let message: String
    /// The offset in bytes from the start.
    package let offset: Int
}

/// A small parser for the XML that libiio writes: elements with attributes, no text.
///
/// Everything is bounded, since the text comes from another machine. Supports the five entities of XML and numeric
/// ones; skips a document type, so entities that it declares are unknown.
struct ContextXML {
    /// One element: the names from the outermost to its own, and its attributes.
    typealias Element = (path: [String], attributes: [String: String])

    static let depthLimit = 8
    static let valueLimit = 4096
    static let attributeLimit = 16
    private static let entities: [String: Unicode.Scalar] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

    private let bytes: [UInt8]
    private var place = 0
    private var names: [String] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next element; nil at the end of a whole document.
    mutating func next() throws(ContextXMLError) -> Element? {
        while true {
            while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
            guard place < bytes.count else {
                if names.isEmpty { return nil }
                throw failure("expected the end of <\(names.last ?? "")>")
            }
            if skip("<?") {
                try pass("?>")
            } else if skip("<!--") {
                try pass("-->")
            } else if skip("<!") {
                try passDeclaration()
            } else if skip("</") {
                let name = try name()
                passSpace()
                guard skip(">"), names.popLast() == name else { throw failure("an unmatched end tag") }
            } else {
                place += 1
                return try openTag()
            }
        }
    }

    private mutating func openTag() throws(ContextXMLError) -> Element {
        let tag = try name()
        guard names.count < Self.depthLimit else { throw failure("nested deeper than \(Self.depthLimit)") }
        names.append(tag)
        let path = names
        var attributes: [String: String] = [:]
        while true {
            passSpace()
            if skip("/>") {
                names.removeLast()
                break
            }
            if skip(">") { break }
            guard attributes.count < Self.attributeLimit else {
                throw failure("more than \(Self.attributeLimit) attributes")
            }
            let key = try name()
            passSpace()
            guard skip("=") else { throw failure("expected =") }
            passSpace()
            attributes[key] = try value()
        }
        return (path, attributes)
    }

    private mutating func name() throws(ContextXMLError) -> String {
        let start = place
        while place < bytes.count, place - start < 64, isNamePart(bytes[place]) { place += 1 }
        guard place > start else { throw failure("expected a name") }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func value() throws(ContextXMLError) -> String {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") else {
            throw failure("expected a quoted value")
        }
        let quote = bytes[place]
        place += 1
        var text: [UInt8] = []
        while place < bytes.count, bytes[place] != quote {
            guard text.count < Self.valueLimit else { throw failure("a value longer than \(Self.valueLimit) bytes") }
            if bytes[place] == UInt8(ascii: "&") {
                text += try entity()
            } else if bytes[place] == UInt8(ascii: "<") {
                throw failure("a < in a value")
            } else {
                text.append(bytes[place])
                place += 1
            }
        }
        guard place < bytes.count else { throw failure("an unterminated value") }
        place += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func entity() throws(ContextXMLError) -> [UInt8] {
        let body = bytes[(place + 1)...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
        guard body.endIndex < bytes.count, bytes[body.endIndex] == UInt8(ascii: ";") else {
            throw failure("an unterminated entity")
        }
        let name = String(decoding: body, as: UTF8.self)
        let number =
            name.hasPrefix("#x")
            ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        guard let scalar = Self.entities[name] ?? number.flatMap(Unicode.Scalar.init) else {
            throw failure("an unknown entity")
        }
        place = body.endIndex + 1
        return Array(String(Character(scalar)).utf8)
    }

    /// Skips a document type: brackets and quotes in it nest.
    private mutating func passDeclaration() throws(ContextXMLError) {
        var depth = 1
        var quote: UInt8?
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ">"):
                depth -= 1
                if depth == 0 { return }
            default: break
            }
        }
        throw failure("an unterminated declaration")
    }

    private mutating func pass(_ end: StaticString) throws(ContextXMLError) {
        while place < bytes.count {
            if skip(end) { return }
            place += 1
        }
        throw failure("expected \(end)")
    }

    private mutating func skip(_ token: StaticString) -> Bool {
        let wanted = String(describing: token).utf8
        guard bytes[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    private mutating func passSpace() {
        while place < bytes.count, [9, 10, 13, 32].contains(bytes[place]) { place += 1 }
    }

    private func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_-.:".utf8.contains(byte)
        }
    }

    private func failure(_ message: String) -> ContextXMLError { ContextXMLError(message: message, offset: place) }
}
