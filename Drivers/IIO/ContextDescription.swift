internal import Readiness
package import DriverKit

/// The devices of a libiio context, as its XML describes them.
package struct ContextDescription: Sendable, Equatable {
    struct Attribute: Sendable, Hashable {
        /// The channel; nil for an attribute of the device itself.
        var channel: String?
        var isOutput = false
        /// The name in libiio, which is not the file's.
        var name: String
    }

    package struct ContextDevice: Sendable, Equatable {
        /// Its id, such as `iio:device0`.
        package var id: String
        var name: String?
        var label: String?
        /// Its attributes by their file names in sysfs.
        var attributes: [String: Attribute] = [:]
        /// The bits of its channels by the file name of the raw value.
        var formats: [String: SampleFormat] = [:]
        /// Its place in the context, and the codes by which libiio 1.x's protocol names its attributes.
        var number: Int
        var codes: [Attribute: Int32] = [:]
        var isBuffered = false

        package var plans: [SensorPlan] { SensorPlan.plans(for: attributes.keys) }
    }

    static let byteLimit = 4 << 20
    static let deviceLimit = 1024
    static let attributeLimit = 65_536

    /// The devices in the context's order, without triggers.
    package private(set) var devices: [ContextDevice] = []

    /// Parses the XML of the context with a URI, keeping only what sensors need; `malformed` if it is not valid.
    package init(parsing bytes: [UInt8], of uri: String) throws(DriverError) {
        var xml = ContextXML(bytes, of: uri)
        guard bytes.count <= Self.byteLimit else { throw xml.failure("longer than \(Self.byteLimit) bytes", at: 0) }
        var device: ContextDevice?
        var channel: (id: String, isOutput: Bool, format: SampleFormat?)?
        var count = 0
        var hasContext = false
        // How many devices there are so far; in the last one, how many attributes and channels; in its last channel, how many
        // attributes.
        var (deviceCount, ownCount, channelCount, channelOwnCount) = (0, 0, 0, 0)
        func code(_ attribute: Int, channel: Int) -> Int32? {
            Int16(exactly: attribute).flatMap { high in Int16(exactly: channel).map { Int32(high) << 16 | Int32($0) } }
        }
        func finishDevice() {
            if let device, device.id.hasPrefix("iio:device") { devices.append(device) }
            device = nil
        }
        while let (path, fields) = try xml.next() {
            switch path {
            case ["context"]:
                guard !hasContext else { throw xml.failure("two contexts", at: 0) }
                hasContext = true
            case ["context", "device"]:
                finishDevice()
                guard devices.count < Self.deviceLimit else {
                    throw xml.failure("more than \(Self.deviceLimit) devices", at: 0)
                }
                // What such a device is cannot be determined, so that its sensors would be taken for absent.
                guard let id = fields["id"], isWord(id) else {
                    throw xml.failure("a device without a usable id")
                }
                device = ContextDevice(
                    id: id, name: fields["name"].flatMap { PeerText.line($0.utf8) },
                    label: fields["label"].flatMap { PeerText.line($0.utf8) }, number: deviceCount)
                deviceCount += 1
                (ownCount, channelCount) = (0, 0)
            case ["context", "device", "channel"]:
                channel = fields["id"].flatMap { isWord($0) ? ($0, fields["type"] == "output", nil) : nil }
                channelCount += 1
                channelOwnCount = 0
            case ["context", "device", "channel", "scan-element"]:
                device?.isBuffered = true
                channel?.format = fields["format"].flatMap { SampleFormat($0.utf8) }
            case ["context", "device", "attribute"], ["context", "device", "channel", "attribute"]:
                count += 1
                guard count <= Self.attributeLimit else {
                    throw xml.failure("more than \(Self.attributeLimit) attributes", at: 0)
                }
                let isOwn = path.count == 3
                defer { if isOwn { ownCount += 1 } else { channelOwnCount += 1 } }
                guard let name = fields["name"], isWord(name) else { continue }
                guard !isOwn else {
                    let attribute = Attribute(name: name)
                    device?.attributes[fields["filename"] ?? name] = attribute
                    device?.codes[attribute] = code(ownCount, channel: 0)
                    continue
                }
                guard let channel else { continue }
                let attribute = Attribute(channel: channel.id, isOutput: channel.isOutput, name: name)
                device?.codes[attribute] = code(channelOwnCount, channel: channelCount - 1)
                let file = fields["filename"] ?? "\(channel.isOutput ? "out" : "in")_\(channel.id)_\(name)"
                // An attribute that channels share is requested from the first that has it.
                if device?.attributes[file] == nil { device?.attributes[file] = attribute }
                if name == "raw" { device?.formats[file] = channel.format }
            default: break
            }
        }
        finishDevice()
        guard hasContext else { throw xml.failure("expected <context>", at: 0) }
    }

    /// Whether a name can be used in a request: libiio's never contain white space.
    private func isWord(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }
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
    private static let entities: [String: Unicode.Scalar] = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]

    private let bytes: [UInt8]
    private let uri: String
    private var place = 0
    private var names: [String] = []

    init(_ bytes: [UInt8], of uri: String) {
        self.bytes = bytes
        self.uri = uri
    }

    /// The next element; nil at the end of a whole document.
    mutating func next() throws(DriverError) -> Element? {
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

    private mutating func openTag() throws(DriverError) -> Element {
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

    private mutating func name() throws(DriverError) -> String {
        let start = place
        while place < bytes.count, place - start < 64, isNamePart(bytes[place]) { place += 1 }
        guard place > start else { throw failure("expected a name") }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func value() throws(DriverError) -> String {
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

    private mutating func entity() throws(DriverError) -> [UInt8] {
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
    private mutating func passDeclaration() throws(DriverError) {
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

    private mutating func pass(_ end: StaticString) throws(DriverError) {
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

    /// The error of a description, which names the place that was reached, or another one.
    func failure(_ message: String, at offset: Int? = nil) -> DriverError {
        DriverError(
            .malformed, subject: uri, detail: "its description cannot be read: \(message) at byte \(offset ?? place)")
    }
}
