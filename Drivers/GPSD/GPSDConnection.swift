internal import DriverKit
internal import Readiness
internal import SystemPackage

/// The lines of one connection to gpsd, however they are split into frames.
struct GPSDConnection: Sendable {
    let channel: any Channel
    private var splitter = LineSplitter()
    private var received = 0
    /// How many lines were not gpsd's: no JSON, no class, not UTF-8.
    private(set) var garbage = 0
    private(set) var isUnderstood = false
    private(set) var release: String?

    /// Messages of the last frame that the next `listen` returns.
    var unread: [Message] = []

    init(_ channel: any Channel) { self.channel = channel }

    /// Whether the peer is certainly not gpsd: it sent much, and nothing of gpsd's protocol.
    var isForeign: Bool { !isUnderstood && (received > 4 << 20 || garbage > 16) }

    var isMute: Bool { received == 0 }

    /// How many lines were skipped, those beyond the bound included.
    var skipped: Int { garbage + splitter.oversized }

    /// Sends requests; gpsd accepts several in one line.
    func ask(_ requests: String, until deadline: Instant) throws(DriverError) {
        try channel.send(Array("\(requests)\n".utf8), until: deadline)
    }

    /// The messages that the next frame completes, possibly none.
    mutating func listen(until deadline: Instant) throws(DriverError) -> [Message] {
        if !unread.isEmpty { return exchange(&unread, with: []) }
        let frame = try channel.receive(limit: 16 << 10, until: deadline)
        received &+= frame.count
        var messages: [Message] = []
        for line in splitter.take(frame) {
            guard let message = Message(line: line) else {
                garbage += 1
                continue
            }
            if case .version(let release) = message { self.release = release }
            isUnderstood = true
            messages.append(message)
        }
        return messages
    }
}

/// Splits a stream of bytes into lines, whatever the chunk sizes.
///
/// Holds at most one line of `limit` bytes: the rest of a longer one is skipped and counted.
package struct LineSplitter: Sendable {
    private let limit: Int
    private var held: [UInt8] = []
    private var isSkipping = false
    package private(set) var oversized = 0

    /// Makes a splitter; gpsd's longest answers are about ten KiB per device.
    package init(limit: Int = 64 << 10) { self.limit = limit }

    /// The lines that these bytes complete, without line ends (LF or CR LF) and without empty lines.
    package mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            if !isSkipping {
                if held.last == UInt8(ascii: "\r") { held.removeLast() }
                if !held.isEmpty { lines.append(held) }
            }
            held = []
            isSkipping = false
            rest = rest[(end + 1)...]
        }
        append(rest)
        return lines
    }

    private mutating func append(_ piece: ArraySlice<UInt8>) {
        guard !isSkipping else { return }
        guard held.count + piece.count <= limit else {
            held = []
            isSkipping = true
            oversized += 1
            return
        }
        held += piece
    }
}

/// Why gpsd does not answer at its address, which decides what makes it answer.
enum ConnectionFault: Sendable, Equatable {
    /// Nothing listens there.
    case refused
    /// The host's name has no address.
    case unresolved
    /// The host does not answer; the kernel's reason, nil if it was waited for in vain.
    case unreached(Errno?)
    /// Another program listens there, or one that sends nothing.
    case foreign(isMute: Bool)
    /// gpsd has answered, and no longer does.
    case stuck
    /// gpsd has closed the connection.
    case ended

    /// Whether an answer that takes longer is still possible.
    var isLate: Bool {
        switch self {
        case .unreached(nil), .unreached(.timedOut), .foreign(isMute: true), .stuck: true
        case .refused, .unresolved, .unreached, .foreign, .ended: false
        }
    }
}

enum DeviceListResponse: Sendable {
    case answered(release: String?, [Message.GPSDDevice])
    case denied(DriverError)
    /// Nothing answers as gpsd; the reason in one clause.
    case unreachable(String, Evidence, ConnectionFault)
    /// It could not be asked: the recording lacks it, or the request was cancelled.
    case unknown(DriverError)

    /// Asks over a new connection, which opens no receiver; data after the answer is left unread.
    static func ask(
        _ connection: inout GPSDConnection, at address: GPSDAddress, in world: any World, until end: Instant
    ) -> DeviceListResponse {
        do throws(DriverError) {
            try connection.ask("?DEVICES;", until: end)
            while world.now() < end && !connection.isForeign {
                let messages = try connection.listen(until: end)
                for (index, message) in messages.enumerated() {
                    switch message {
                    case .devices(let devices):
                        connection.unread = Array(messages[(index + 1)...])
                        return .answered(release: connection.release, devices)
                    case .error(let words):
                        return failure("gpsd refuses to list its devices: \(words)", nil, .stuck, address)
                    default: break
                    }
                }
            }
        } catch {
            return DeviceListResponse(error, address, after: connection)
        }
        return DeviceListResponse(
            DriverError(.timedOut, subject: address.endpoint.description), address, after: connection)
    }

    /// An error of connecting, or of the connection so far.
    init(_ error: DriverError, _ address: GPSDAddress, after connection: GPSDConnection? = nil) {
        let clause: String
        let fault: ConnectionFault
        switch (error.code, connection) {
        case (.notRecorded, _), (.cancelled, _), (.unsupported, _):
            self = .unknown(error)
            return
        case _ where error.isDenied:
            self = .denied(error)
            return
        // Without a number, only a name that has no address is refused.
        case (.refused, nil) where error.errno == nil:
            (clause, fault) = ("gpsd's host is not found: \(error.reason)", .unresolved)
        case (_, nil):
            clause = "gpsd does not answer at \(address.text): \(error.reason)"
            fault = error.errno == .connectionRefused ? .refused : .unreached(error.errno)
        case (_, let some?) where some.isUnderstood && error.code == .timedOut:
            (clause, fault) = ("gpsd answers at \(address.text), but does not list its devices", .stuck)
        case (_, let some?) where some.isUnderstood:
            (clause, fault) = ("gpsd at \(address.text) closed the connection", .ended)
        case (_, let some?) where !some.isMute:
            clause = "the server at \(address.text) is not gpsd (\(some.skipped) lines that gpsd does not send)"
            fault = .foreign(isMute: false)
        case (.timedOut, _):
            (clause, fault) = ("\(address.text) accepts the connection and sends nothing", .foreign(isMute: true))
        default:
            clause = "\(address.text) accepts the connection and closes it without reply"
            fault = .foreign(isMute: true)
        }
        self = Self.failure(clause, error, fault, address)
    }

    private static func failure(
        _ clause: String, _ error: DriverError?, _ fault: ConnectionFault, _ address: GPSDAddress
    ) -> DeviceListResponse {
        .unreachable(
            clause, Evidence(path: address.text, errno: error?.errno?.name, said: error?.reason ?? clause), fault)
    }
}
