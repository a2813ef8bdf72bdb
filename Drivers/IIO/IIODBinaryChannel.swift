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
    private let context: ContextDescription
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
        context = try ContextDescription(parsing: description, of: conversation.uri)
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        switch try RemoteRequest(frame, to: conversation.uri) {
        case .description: isDescriptionNext.withLock { $0 = true }
        case .read(let device, let attribute):
            guard let command = context.command(for: attribute, of: device) else {
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
        case print = 1
        case readDeviceAttribute = 3
        case readChannelAttribute = 6
    }

    static let size = 8

    var operation: Operation
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
        guard bytes.count == Self.size, bytes.starts(with: [0, 0]), let operation = Operation(rawValue: bytes[2]),
            let code = bytes.uint32(at: 4)
        else { return nil }
        self.init(operation, device: bytes[3], code: Int32(bitPattern: code))
    }

    var frame: [UInt8] { [0, 0, operation.rawValue, device] + code.littleEndianBytes }
}

extension ContextDescription {
    /// The request for an attribute; nil if the description has no such attribute, or its device is beyond the 256th, which has
    /// no number in the protocol.
    func command(for attribute: Attribute, of id: String) -> IIODCommand? {
        guard let device = devices.last(where: { $0.id == id }), let number = UInt8(exactly: device.number),
            let code = device.codes[attribute]
        else { return nil }
        return IIODCommand(
            attribute.channel == nil ? .readDeviceAttribute : .readChannelAttribute, device: number, code: code)
    }
}
