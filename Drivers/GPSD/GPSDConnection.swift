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
