internal import DriverKit

/// The lines of one connection to gpsd, whichever way they are cut into frames.
struct GPSDConnection: Sendable {
    let channel: any Channel
    private var splitter = LineSplitter()
    private var received = 0
    /// How many lines were not of gpsd's making: no JSON, no class, not UTF-8.
    private(set) var garbage = 0
    /// Whether anything of gpsd's making came.
    private(set) var isUnderstood = false
    /// The release that gpsd names.
    private(set) var release: String?

    /// Messages of the last frame that the next `listen` gives.
    var unread: [Message] = []

    init(_ channel: any Channel) { self.channel = channel }

    /// Whether what answers is surely no gpsd: much came, and nothing of gpsd's making.
    var isForeign: Bool { !isUnderstood && (received > 4 << 20 || garbage > 16) }

    /// Whether nothing came at all.
    var isMute: Bool { received == 0 }

    /// How many lines were passed over, those beyond the bound included.
    var skipped: Int { garbage + splitter.oversized }

    /// Asks; gpsd takes several requests in one line.
    func ask(_ requests: String, until deadline: Instant) throws(DriverError) {
        try channel.send(Array("\(requests)\n".utf8), until: deadline)
    }

    /// What the next frame completes, which may be nothing.
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

/// Cuts a stream of bytes into lines, whatever the sizes in which it comes.
///
/// Holds at most one line of `limit` bytes: the rest of a longer one is passed over up to its end, and counted.
package struct LineSplitter: Sendable {
    private let limit: Int
    private var held: [UInt8] = []
    private var isSkipping = false
    /// How many lines were passed over for their length.
    package private(set) var oversized = 0

    /// Makes a splitter; gpsd's longest answers are some ten KiB a device.
    package init(limit: Int = 64 << 10) { self.limit = limit }

    /// The lines that these bytes complete, without their ends (LF or CR LF); empty lines are left out.
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
