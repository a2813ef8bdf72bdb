internal import DriverKit
internal import FoundationEssentials
internal import Glibc
internal import Readiness
internal import SystemPackage

/// The messages between a probe and the process in a subject's place: a driver's requests and the answers, as entries of a
/// recording.
enum SubjectMessage {
    /// A request of a driver, or the end of a conversation, which has no entry.
    struct SubjectRequest: Codable {
        /// The number of the request, which its answer repeats.
        var number: Int
        /// The request, without its answer.
        var entry: Entry?
        /// The kind, address and name of an endpoint.
        var endpoint: [String]?
        /// The maximum number of bytes of the answer.
        var limit: Int?
        /// The deadline, in nanoseconds since the boot (`Instant`).
        var deadline: Int64?
        /// The number of a conversation to cancel, or to end.
        var cancelled, closed: Int?
    }

    struct SubjectAnswer: Codable {
        var number: Int
        var entry: Entry
    }

    /// The first message of the child.
    struct SubjectGreeting: Codable {
        /// The parts of the subject that could not be taken over.
        var omissions: [String] = []
        /// Why the process could not take the subject's place at all.
        var failure: String?
    }

    /// The maximum size of a message in bytes; a longer one ends the connection.
    static let limit = 32 << 20

    /// Writes one message: its length in four bytes, and JSON.
    static func write(_ message: some Encodable, to descriptor: CInt) -> Bool {
        guard let json = try? JSONEncoder().encode(message), json.count <= limit else { return false }
        var length = UInt32(json.count).littleEndian
        let bytes = unsafe withUnsafeBytes(of: &length) { unsafe Array($0) } + json
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count < 0, Errno.current == .interrupted { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Reads one message; nil if the other process has ended, or has sent anything else.
    static func read<Message: Decodable>(_ type: Message.Type, from descriptor: CInt) -> Message? {
        guard let head = bytes(4, from: descriptor) else { return nil }
        let length = head.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
        guard length <= limit, let json = bytes(length, from: descriptor) else { return nil }
        return try? JSONDecoder().decode(type, from: Data(json))
    }

    private static func bytes(_ count: Int, from descriptor: CInt) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var taken = 0
        while taken < count {
            let got = unsafe bytes[taken...].withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if got < 0, Errno.current == .interrupted { continue }
            guard got > 0 else { return nil }
            taken += got
        }
        return bytes
    }
}
