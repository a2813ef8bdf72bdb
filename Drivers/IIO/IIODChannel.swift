package import DriverKit
internal import Synchronization
internal import SystemPackage

/// An `ip:` context: a conversation with iiod, in its text protocol.
///
/// libiio's network client is not used: it has its own timeout, does not distinguish a peer that hangs from a broken
/// connection, writes to standard error, and loads seventeen libraries. One request is answered at a time.
///
/// | request | sent as |
/// | --- | --- |
/// | the version, first | `VERSION` |
/// | the description | `PRINT` |
/// | an attribute | `READ DEVICE [INPUT CHANNEL] ATTRIBUTE`, or `OUTPUT` |
///
/// Lines end in CR LF. Source: libiio 0.24, `iiod/parser.y`.
final class IIODChannel: Channel {
    private let conversation: IIODConversation

    /// Takes over a connection, and verifies that the peer is iiod.
    ///
    /// Throws `timedOut` if the peer sends nothing, `closed` if it closes the connection, `malformed` if it is another
    /// server.
    init(_ conversation: IIODConversation, until deadline: Instant) throws(DriverError) {
        self.conversation = conversation
        try put("VERSION", until: deadline)
        let version: [UInt8]
        do throws(DriverError) {
            version = try conversation.next(until: deadline) { (answers) throws(DriverError) in try answers.line() }
        } catch {
            var error = error
            if error.code == .timedOut, conversation.hasHeardNothing {
                error.detail = "it accepted the connection and did not answer"
            }
            throw error
        }
        guard let first = version.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else {
            throw .stranger(version, at: conversation.uri)
        }
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        switch try RemoteRequest(frame, to: conversation.uri) {
        case .description: try put("PRINT", until: deadline)
        case .read(let device, let attribute):
            let channel = attribute.channel.map { "\(attribute.isOutput ? "OUTPUT" : "INPUT") \($0) " } ?? ""
            try put("READ \(device) \(channel)\(attribute.name)", until: deadline)
        }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let answer = try conversation.next(until: deadline) { (answers) throws(DriverError) in
            try answers.answer(limit: limit)
        }
        return try conversation.value(of: answer)
    }

    /// Wakes waiting calls; iiod notices by the end of the connection.
    func cancel() { conversation.line.cancel() }

    private func put(_ request: String, until deadline: Instant) throws(DriverError) {
        try conversation.put(Array("\(request)\r\n".utf8), until: deadline)
    }
}

/// Connects to iiod, and speaks its text protocol, or else libiio 1.x's binary one.
///
/// An iiod of libiio 1.x that was built without the old protocol (`WITH_IIOD_V0_COMPAT=OFF`) closes the connection at the
/// first text request before it has said anything; it is asked again in the binary protocol, over a second connection.
func openIIOD(
    _ uri: String, until deadline: Instant, over connect: () throws(DriverError) -> any Channel
) throws(DriverError) -> any Channel {
    let first = IIODConversation(over: try connect(), uri)
    let failure: DriverError
    do throws(DriverError) {
        return try IIODChannel(first, until: deadline)
    } catch {
        guard error.code == .closed, first.hasHeardNothing else { throw error }
        failure = error
    }
    // If it cannot be reached again, it has ended.
    let line = try rethrowing(
        as: { (error: DriverError) in error.code == .cancelled ? error : failure }, try connect())
    do throws(DriverError) {
        return try IIODBinaryChannel(IIODConversation(over: line, uri), until: deadline)
    } catch {
        guard error.code == .closed else { throw error }
        throw DriverError(
            .closed, errno: failure.errno, subject: uri,
            detail: "the server closes the connection on requests in both iiod protocols (text and libiio 1.x)")
    }
}

final class IIODConversation: Sendable {
    let line: any Channel
    let uri: String
    /// Held by the thread that waits for an answer.
    private let answers: Mutex<IIODAnswers>

    init(over line: any Channel, _ uri: String) {
        self.line = line
        self.uri = uri
        answers = Mutex(IIODAnswers(from: uri))
    }

    var hasHeardNothing: Bool { answers.withLock(\.isEmpty) }

    func put(_ request: [UInt8], until deadline: Instant) throws(DriverError) {
        try rethrowing(as: lost, try line.send(request, until: deadline))
    }

    /// Reads until an element is complete; the deadline also ends a peer that never stops sending.
    func next<Whole: Sendable>(
        until deadline: Instant, _ take: (inout IIODAnswers) throws(DriverError) -> Whole?
    ) throws(DriverError) -> Whole {
        try answers.withLock { (answers) throws(DriverError) -> Whole in
            while true {
                if let whole = try take(&answers) { return whole }
                guard Instant.now < deadline else { throw DriverError(.timedOut, subject: uri) }
                answers.add(try rethrowing(as: lost, try line.receive(limit: 16 << 10, until: deadline)))
            }
        }
    }

    func response(limit: Int, until deadline: Instant) throws(DriverError) -> IIODAnswers.IIODAnswer {
        try next(until: deadline) { (answers) throws(DriverError) in try answers.response(limit: limit) }
    }

    func value(of answer: IIODAnswers.IIODAnswer) throws(DriverError) -> [UInt8] {
        switch answer {
        case .failure(let number): throw DriverError(errno: Errno(rawValue: number), subject: uri)
        // A value includes the terminator of its string.
        case .bytes(let bytes): return Array(bytes.prefix { $0 != 0 })
        }
    }

    /// Distinguishes an error of the connection from one of an attribute: the peer is gone.
    private func lost(_ error: DriverError) -> DriverError {
        guard error.code == .refused else { return error }
        return DriverError(.closed, errno: error.errno, subject: uri)
    }
}

/// The answers of iiod's two protocols, however they are split into frames.
///
/// A text answer is a number and a newline: a negative error number, or the length of the data that follows and ends with
/// another newline. Source: libiio 0.24, `iiod/ops.c` and `iiod-client.c`; iiod 1.x still answers text requests so,
/// unless it was built without.
///
/// A binary answer is the number of a client (two bytes), an operation (0, a response), a device, and the number (four
/// bytes), all little-endian; then data of that length. Source: libiio 1.0, `struct iiod_command` of `iiod-responder.h`.
package struct IIODAnswers: Sendable {
    package enum IIODAnswer: Sendable, Equatable {
        /// The requested data, without the newline after that of a text answer.
        case bytes([UInt8])
        /// The error number, positive.
        case failure(CInt)
    }

    static let lineLimit = 64

    private var rest: [UInt8] = []
    private var awaited: Int?

    private let uri: String

    package init(from uri: String) { self.uri = uri }

    package var isEmpty: Bool { rest.isEmpty }

    package mutating func add(_ frame: [UInt8]) { rest += frame }

    /// The next line without its end; nil if it is not complete yet.
    package mutating func line() throws(DriverError) -> [UInt8]? {
        guard let end = rest.prefix(Self.lineLimit).firstIndex(of: UInt8(ascii: "\n")) else {
            guard rest.count < Self.lineLimit else { throw .stranger(Array(rest.prefix(Self.lineLimit)), at: uri) }
            return nil
        }
        let line = rest[..<end].filter { $0 != UInt8(ascii: "\r") }
        rest.removeFirst(end + 1)
        return line
    }

    /// The next answer, of at most `limit` bytes; nil if it is not complete yet.
    package mutating func answer(limit: Int) throws(DriverError) -> IIODAnswer? {
        while awaited == nil {
            guard let line = try line() else { return nil }
            // libiio skips empty lines before a number, too.
            if line.isEmpty { continue }
            guard let number = Int32(String(decoding: line, as: UTF8.self)), number <= limit, number != .min else {
                throw .stranger(line, at: uri)
            }
            if number < 0 { return .failure(-number) }
            awaited = Int(number)
        }
        return takeData(endingIn: 1)
    }

    /// The next answer of the binary protocol, of at most `limit` bytes; nil if it is not complete yet.
    package mutating func response(limit: Int) throws(DriverError) -> IIODAnswer? {
        if awaited == nil {
            guard rest.count >= IIODCommand.size else { return nil }
            let head = Array(rest.prefix(IIODCommand.size))
            guard let command = IIODCommand(head), command.operation == .response, command.code <= limit,
                command.code != .min
            else { throw .stranger(head, at: uri) }
            rest.removeFirst(IIODCommand.size)
            if command.code < 0 { return .failure(-command.code) }
            awaited = Int(command.code)
        }
        return takeData()
    }

    /// The data of the incomplete answer, without the bytes that end it; nil if not all of it has come.
    private mutating func takeData(endingIn end: Int = 0) -> IIODAnswer? {
        guard let length = awaited, rest.count >= length + end else { return nil }
        awaited = nil
        let bytes = Array(rest[..<length])
        rest.removeFirst(length + end)
        return .bytes(bytes)
    }
}

extension DriverError {
    fileprivate static func stranger(_ said: [UInt8], at uri: String) -> DriverError {
        DriverError(
            .malformed, subject: uri, detail: "the server on this port is not iiod; it answered \(quoted(said))")
    }
}
