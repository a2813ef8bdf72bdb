internal import DriverKit
internal import Linux
internal import Synchronization
internal import SystemPackage

/// An `ip:` context of an iiod that speaks only libiio 1.x's binary protocol.
///
/// Its requests name devices, channels and attributes by their numbers, which are their places in the context's
/// description; so the description is asked for first, once, and kept. Reads only: no buffer is opened, no attribute
/// written. Source: libiio 1.0, `iiod/responder.c` (`get_attr`, `handle_print`) and `iiod-client.c`.
final class IIODBinaryChannel: Channel {
    private let conversation: IIODConversation
    private let description: [UInt8]
    private let numbers: ContextNumbers
    /// Whether the next answer is the description.
    private let isDescriptionNext = Mutex(false)

    /// Begins a conversation with the request for the description.
    ///
    /// Throws `closed` if the peer closes the connection, `malformed` if it does not speak the protocol, `unsupported` if
    /// it compresses the description and libzstd is missing.
    init(_ conversation: IIODConversation, until deadline: Instant) throws(DriverError) {
        self.conversation = conversation
        let limit = ContextDescription.byteLimit
        try conversation.put(IIODCommand(.print).frame, until: deadline)
        guard case .bytes(let bytes) = try conversation.response(limit: limit, until: deadline) else {
            throw Self.malformed("it speaks libiio 1.x's protocol, and gives no description", conversation.uri)
        }
        description = LibZstd.isFrame(bytes) ? try LibZstd().expanded(bytes, limit: limit) : bytes
        numbers = try ContextNumbers(parsing: description, of: conversation.uri)
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        switch try RemoteRequest(frame, to: conversation.uri) {
        case .description: isDescriptionNext.withLock { $0 = true }
        case .read(let device, let attribute):
            guard let command = numbers.command(for: attribute, of: device) else {
                throw DriverError(errno: .noSuchFileOrDirectory, subject: conversation.uri)
            }
            try conversation.put(command.frame, until: deadline)
        }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        if isDescriptionNext.withLock({ exchange(&$0, with: false) }) {
            guard description.count <= limit else {
                throw Self.malformed("a description of \(description.count) bytes", conversation.uri)
            }
            return description
        }
        return try conversation.value(of: conversation.response(limit: limit, until: deadline))
    }

    func cancel() { conversation.line.cancel() }

    private static func malformed(_ detail: String, _ uri: String) -> DriverError {
        DriverError(.malformed, subject: uri, detail: detail)
    }
}

/// The head of a request or an answer in libiio 1.x's binary protocol.
package struct IIODCommand: Sendable, Equatable {
    /// What is requested; 0 is an answer.
    enum Operation: UInt8 {
        case response = 0
        /// The description of the context.
        case print = 1
        case readDeviceAttribute = 3
        case readChannelAttribute = 6
    }

    static let size = 8

    var operation: Operation
    /// The device's number in the context.
    var device: UInt8
    /// The argument of a request; of an answer the length of its data, or a negative error number.
    var code: Int32

    init(_ operation: Operation, device: UInt8 = 0, code: Int32 = 0) {
        self.operation = operation
        self.device = device
        self.code = code
    }

    /// Parses eight bytes; nil for another number of them, another client or an unknown operation.
    ///
    /// The client's number, which an answer repeats, is always 0, since one request is made at a time.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes.starts(with: [0, 0]), let operation = Operation(rawValue: bytes[2]) else {
            return nil
        }
        let code = (0..<4).reduce(0) { $0 | UInt32(bytes[4 + $1]) << (8 * $1) }
        self.init(operation, device: bytes[3], code: Int32(bitPattern: code))
    }

    var frame: [UInt8] {
        let number = UInt32(bitPattern: code)
        return [0, 0, operation.rawValue, device] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

/// The numbers of a context's devices, channels and attributes: their places in its description.
struct ContextNumbers: Sendable {
    private struct Channel: Hashable {
        var id: String
        var isOutput: Bool
    }
    private struct Device {
        var number: UInt8
        var channels: [Channel: Int] = [:]
        /// The attributes of the device itself, and those of each channel.
        var attributes: [String: Int] = [:]
        var channelAttributes: [[String: Int]] = []
    }

    private var devices: [String: Device] = [:]

    /// Parses the XML of the context with a URI; a device beyond the 256th has no number in the protocol.
    init(parsing bytes: [UInt8], of uri: String) throws(DriverError) {
        var xml = ContextXML(bytes, of: uri)
        var (id, device) = ("", Device?.none)
        var (count, attributes) = (0, 0)
        while let (path, fields) = try xml.next() {
            switch path {
            case ["context", "device"]:
                if let device { devices[id] = device }
                id = fields["id"] ?? ""
                device = UInt8(exactly: count).map { Device(number: $0) }
                count += 1
            case ["context", "device", "channel"]:
                guard let number = device?.channelAttributes.count else { continue }
                device?.channels[Channel(id: fields["id"] ?? "", isOutput: fields["type"] == "output")] = number
                device?.channelAttributes.append([:])
            case ["context", "device", "attribute"]:
                if let name = fields["name"], let number = device?.attributes.count {
                    device?.attributes[name] = number
                }
                attributes += 1
            case ["context", "device", "channel", "attribute"]:
                if let name = fields["name"], var known = device?.channelAttributes.popLast() {
                    known[name] = known.count
                    device?.channelAttributes.append(known)
                }
                attributes += 1
            default: break
            }
            guard count <= ContextDescription.deviceLimit, attributes <= ContextDescription.attributeLimit else {
                throw xml.failure("more devices or attributes than a context has")
            }
        }
        if let device { devices[id] = device }
    }

    /// The request for an attribute; nil if the description has no such attribute.
    func command(for attribute: ContextDescription.Attribute, of id: String) -> IIODCommand? {
        guard let device = devices[id] else { return nil }
        guard let channel = attribute.channel else {
            return device.attributes[attribute.name].flatMap { number in
                Int16(exactly: number).map {
                    IIODCommand(.readDeviceAttribute, device: device.number, code: Int32($0) << 16)
                }
            }
        }
        guard let place = device.channels[Channel(id: channel, isOutput: attribute.isOutput)],
            let number = device.channelAttributes[place][attribute.name], let high = Int16(exactly: number),
            let low = Int16(exactly: place)
        else { return nil }
        return IIODCommand(
            .readChannelAttribute, device: device.number, code: Int32(high) << 16 | Int32(low))
    }
}
