internal import DriverKit
internal import SystemPackage

/// A world with its bytes or its conversations altered; parts that are not given are unchanged.
struct AlteredWorld: World {
    let world: any World
    var bytes: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    var open: (@Sendable (Endpoint, Instant) throws(DriverError) -> any Channel)?
    var isLive = false

    var subject: AccessSubject? { world.subject }
    func now() -> Instant { isLive ? .now : world.now() }
    func devices(in subsystem: String) throws(DriverError) -> [FilePath] { try world.devices(in: subsystem) }
    func modules(for alias: String) throws(DriverError) -> [String] { try world.modules(for: alias) }
    func entries(of folder: FilePath) throws(DriverError) -> [String] { try world.entries(of: folder) }
    func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        let bytes = bytes(try world.contents(of: file, limit: limit))
        guard bytes.count <= limit else { throw DriverError(.malformed, subject: file.string) }
        return bytes
    }
    func status(of node: FilePath) throws(DriverError) -> NodeStatus { try world.status(of: node) }
    func account() throws(DriverError) -> Account { try world.account() }
    func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        guard let open else { return AlteredChannel(try world.channel(to: endpoint, until: deadline), bytes) }
        return AlteredChannel(try open(endpoint, deadline), bytes)
    }
}

extension AlteredWorld {
    /// A world in which every peer accepts everything and never answers; `asked` is woken when a call waits for one.
    init(silencing world: any World, asked: Waker? = nil) {
        self.init(
            world: world, open: { endpoint, _ throws(DriverError) in try SilentChannel(endpoint, asked: asked) },
            isLive: true)
    }
}

private final class AlteredChannel: Channel {
    private let channel: any Channel
    private let bytes: @Sendable ([UInt8]) -> [UInt8]

    init(_ channel: any Channel, _ bytes: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.channel = channel
        self.bytes = bytes
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        try channel.send(frame, until: deadline)
    }
    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        Array(bytes(try channel.receive(limit: limit, until: deadline)).prefix(limit))
    }
    func cancel() { channel.cancel() }
}

/// A peer that accepts everything and never answers.
final class SilentChannel: Channel {
    private let subject: String
    private let end: Waker
    private let asked: Waker?

    /// Makes a channel that wakes `asked` when a call waits for it.
    init(_ endpoint: Endpoint, asked: Waker?) throws(DriverError) {
        subject = endpoint.description
        end = try Waker()
        self.asked = asked
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        if end.isWoken { throw DriverError(.cancelled, subject: subject) }
    }
    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        asked?.wake()
        throw DriverError(end.wait(until: deadline) ? .cancelled : .timedOut, subject: subject)
    }
    func cancel() { end.wake() }
}

struct RefusingWorld: World {
    static let errors: [DriverError] =
        [DriverError.Code.timedOut, .unanswered, .malformed, .closed, .unsupported, .cancelled, .notRecorded]
        .map { DriverError($0, subject: "") }
        + [
            Errno.permissionDenied, .notPermitted, .ioError, .noMemory, .tooManyOpenFiles, .resourceBusy,
            .invalidArgument,
        ].map { DriverError(errno: $0, subject: "") }

    let error: DriverError

    func now() -> Instant { .now }
    func devices(in subsystem: String) throws(DriverError) -> [FilePath] { throw error(subsystem) }
    func modules(for alias: String) throws(DriverError) -> [String] { throw error(alias) }
    func entries(of folder: FilePath) throws(DriverError) -> [String] { throw error(folder.string) }
    func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] { throw error(file.string) }
    func status(of node: FilePath) throws(DriverError) -> NodeStatus { throw error(node.string) }
    func account() throws(DriverError) -> Account { throw error("the account") }
    func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        throw error(endpoint.description)
    }

    private func error(_ subject: String) -> DriverError {
        DriverError(error.code, errno: error.errno, subject: subject)
    }
}
