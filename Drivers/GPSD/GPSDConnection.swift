internal import DriverKit

/// The lines of one connection to gpsd, however they are split into frames.
struct GPSDConnection: Sendable {
    let channel: any Channel
    private var splitter = LineSplitter()
    private var received = 0
    /// How many lines were not gpsd's: no JSON, no class, not UTF-8.
    private(set) var garbage = 0
    /// Whether any line was gpsd's.
    private(set) var isUnderstood = false
    /// The release that gpsd names.
    private(set) var release: String?

    /// Messages of the last frame that the next `listen` returns.
    var unread: [Message] = []

    init(_ channel: any Channel) { self.channel = channel }

    /// Whether the peer is certainly not gpsd: it sent much, and nothing of gpsd's protocol.
    var isForeign: Bool { !isUnderstood && (received > 4 << 20 || garbage > 16) }

    /// Whether nothing was received at all.
    var isMute: Bool { received == 0 }

    /// How many lines were skipped, those beyond the bound included.
    var skipped: Int { garbage + splitter.oversized }

    /// Sends requests; gpsd accepts several in one line.
    func ask(_ requests: String, until deadline: Instant) throws(DriverError) {
        try channel.send(Array("\(requests)\n".utf8), until: deadline)
    }

    /// The messages that the next frame completes, possibly none.
    mutating func listen(until deadline: Instant) throws(DriverError) -> [Message] {
        if !unread.isEmpty {
            defer { unread = [] }
            return unread
        }
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
    /// How many lines were skipped for their length.
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
