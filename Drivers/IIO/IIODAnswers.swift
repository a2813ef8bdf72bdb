/// The answers of iiod's text protocol, whichever way they are cut into frames.
///
/// An answer is a number and a newline: a negative error number, or the length of what follows, which another newline
/// ends. Source: libiio 0.24, `iiod/ops.c` and `iiod-client.c`; iiod 1.x still gives them to whoever asks in text.
package struct IIODAnswers: Sendable {
    /// One answer.
    package enum IIODAnswer: Sendable, Equatable {
        /// What was asked for, without the newline behind it.
        case bytes([UInt8])
        /// The error number, positive.
        case failure(CInt)
    }

    /// Bytes that are no answer.
    package struct IIODFault: Error, Sendable, Equatable {
        /// What came instead, the beginning of it.
        package let said: [UInt8]
    }

    static let lineLimit = 64

    private var rest: [UInt8] = []
    /// The length of the answer that has begun.
    private var awaited: Int?

    /// Nothing has come yet.
    package init() {}

    /// Whether nothing waits to be taken.
    package var isEmpty: Bool { rest.isEmpty }

    /// Adds a frame.
    package mutating func add(_ frame: [UInt8]) { rest += frame }

    /// The next line without its end; nil where it is not whole yet.
    package mutating func line() throws(IIODFault) -> [UInt8]? {
        guard let end = rest.prefix(Self.lineLimit).firstIndex(of: UInt8(ascii: "\n")) else {
            guard rest.count < Self.lineLimit else { throw IIODFault(said: Array(rest.prefix(Self.lineLimit))) }
            return nil
        }
        let line = rest[..<end].filter { $0 != UInt8(ascii: "\r") }
        rest.removeFirst(end + 1)
        return line
    }

    /// The next answer, of at most `limit` bytes; nil where it is not whole yet.
    package mutating func answer(limit: Int) throws(IIODFault) -> IIODAnswer? {
        while awaited == nil {
            guard let line = try line() else { return nil }
            // libiio passes over empty lines before a number, too.
            if line.isEmpty { continue }
            guard let number = Int32(String(decoding: line, as: UTF8.self)), number <= limit, number != .min else {
                throw IIODFault(said: line)
            }
            if number < 0 { return .failure(-number) }
            awaited = Int(number)
        }
        guard let length = awaited, rest.count > length else { return nil }
        awaited = nil
        let bytes = Array(rest[..<length])
        rest.removeFirst(length + 1)
        return .bytes(bytes)
    }
}
