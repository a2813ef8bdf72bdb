/// The answers of iiod's text protocol, however they are split into frames.
///
/// An answer is a number and a newline: a negative error number, or the length of the data that follows and ends with
/// another newline. Source: libiio 0.24, `iiod/ops.c` and `iiod-client.c`; iiod 1.x still answers text requests so.
package struct IIODAnswers: Sendable {
    /// One answer.
    package enum IIODAnswer: Sendable, Equatable {
        /// The requested data, without the newline after it.
        case bytes([UInt8])
        /// The error number, positive.
        case failure(CInt)
    }

    /// Bytes that are not an answer.
    package struct IIODFault: Error, Sendable, Equatable {
        /// The beginning of what was received instead.
        package let said: [UInt8]
    }

    static let lineLimit = 64

    private var rest: [UInt8] = []
    /// The length of the incomplete answer.
    private var awaited: Int?

    /// Makes an empty buffer.
    package init() {}

    /// Whether no bytes are buffered.
    package var isEmpty: Bool { rest.isEmpty }

    /// Adds a frame.
    package mutating func add(_ frame: [UInt8]) { rest += frame }

    /// The next line without its end; nil if it is not complete yet.
    package mutating func line() throws(IIODFault) -> [UInt8]? {
        guard let end = rest.prefix(Self.lineLimit).firstIndex(of: UInt8(ascii: "\n")) else {
            guard rest.count < Self.lineLimit else { throw IIODFault(said: Array(rest.prefix(Self.lineLimit))) }
            return nil
        }
        let line = rest[..<end].filter { $0 != UInt8(ascii: "\r") }
        rest.removeFirst(end + 1)
        return line
    }

    /// The next answer, of at most `limit` bytes; nil if it is not complete yet.
    package mutating func answer(limit: Int) throws(IIODFault) -> IIODAnswer? {
        while awaited == nil {
            guard let line = try line() else { return nil }
            // libiio skips empty lines before a number, too.
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
