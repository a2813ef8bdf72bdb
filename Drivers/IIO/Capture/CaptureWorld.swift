package import DriverKit
internal import Synchronization
package import SystemPackage

extension Endpoint {
    /// An attribute that a capture sets; a frame is one value.
    fileprivate static func setting(_ attribute: FilePath) -> Endpoint {
        Endpoint("iio setting", at: attribute.string)
    }
    /// A device's node, to see whether it is free.
    fileprivate static func node(_ path: FilePath) -> Endpoint { Endpoint("iio node", at: path.string) }
    /// A device's buffer; the first frame is the size of a scan in digits, each further one whole scans.
    fileprivate static func buffer(of device: String, channels: Set<String>, scans: Int) -> Endpoint {
        Endpoint(iioBufferKind, at: "\(device) \(scans) \(channels.sorted().joined(separator: ","))")
    }
}

/// A machine whose capture hardware is reached through channels, so that a recording holds what was captured.
package struct CaptureWorld: World {
    private let machine: any World
    private let hardware: any CaptureHardware

    package init(_ machine: any World, hardware: any CaptureHardware = LiveCaptureHardware()) {
        self.machine = machine
        self.hardware = hardware
    }

    package var replayCounts: ReplayCounts? { machine.replayCounts }
    package var subject: AccessSubject? { machine.subject }
    package func now() -> Instant { machine.now() }
    package func devices(in subsystem: String) throws(DriverError) -> [FilePath] { try machine.devices(in: subsystem) }
    package func modules(for alias: String) throws(DriverError) -> [String] { try machine.modules(for: alias) }
    package func entries(of folder: FilePath) throws(DriverError) -> [String] { try machine.entries(of: folder) }
    package func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        try machine.contents(of: file, limit: limit)
    }
    package func status(of node: FilePath) throws(DriverError) -> NodeStatus { try machine.status(of: node) }
    package func account() throws(DriverError) -> Account { try machine.account() }

    package func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        let address = endpoint.address
        switch endpoint.kind {
        case "iio setting":
            guard hardware.mayWrite(FilePath(address)) else {
                throw DriverError(errno: .permissionDenied, subject: address)
            }
            return SettingChannel(hardware: hardware, attribute: FilePath(address))
        case "iio node":
            try hardware.claim(FilePath(address))
            return SettingChannel(hardware: hardware, attribute: nil)
        case Endpoint.iioBufferKind:
            let words = address.split(separator: " ").map(String.init)
            guard words.count == 3, let scans = Int(words[1]) else {
                throw DriverError(.unsupported, subject: endpoint.description)
            }
            let channels = Set(words[2].split(separator: ",").map(String.init))
            return BufferChannel(
                try hardware.buffer(of: words[0], channels: channels, scans: scans), halt: try Waker())
        default: return try machine.channel(to: endpoint, until: deadline)
        }
    }
}

/// Writes each frame to an attribute.
private final class SettingChannel: Channel {
    private let hardware: any CaptureHardware
    private let attribute: FilePath?

    init(hardware: any CaptureHardware, attribute: FilePath?) {
        self.hardware = hardware
        self.attribute = attribute
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        guard let attribute else { return }
        try hardware.write(String(decoding: frame, as: UTF8.self), to: attribute)
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        throw DriverError(.unsupported, subject: attribute?.string ?? "a node")
    }

    func cancel() {}
}

/// The scans of a buffer, which is disabled when the channel is released.
private final class BufferChannel: Channel {
    private struct Contents: @unchecked Sendable {
        // Only one thread at a time reads it: the lock is held meanwhile.
        let buffer: any CaptureBuffer
        var isSizeSent = false
    }
    private let contents: Mutex<Contents>
    private let halt: Waker

    init(_ buffer: sending any CaptureBuffer, halt: Waker) {
        contents = Mutex(Contents(buffer: buffer))
        self.halt = halt
    }

    deinit { contents.withLock { $0.buffer.close() } }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {}

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let bytes = try contents.withLock { (contents) throws(DriverError) -> [UInt8] in
            guard contents.isSizeSent else {
                contents.isSizeSent = true
                return Array(String(contents.buffer.scanSize).utf8)
            }
            return try contents.buffer.scans(until: deadline, halt)
        }
        guard !bytes.isEmpty else { throw DriverError(.timedOut, subject: "the buffer") }
        return bytes
    }

    func cancel() { halt.wake() }
}

/// Capture hardware that is reached through a world's channels: live, recorded or replayed.
package struct ChannelCaptureHardware: CaptureHardware {
    private let world: any World
    private static let patience = 2.0

    package init(_ world: any World) { self.world = world }

    private var deadline: Instant { world.now().advanced(bySeconds: Self.patience) }

    package func write(_ value: String, to attribute: FilePath) throws(DriverError) {
        try world.channel(to: .setting(attribute), until: deadline).send(Array(value.utf8), until: deadline)
    }

    package func mayWrite(_ attribute: FilePath) -> Bool {
        (try? world.channel(to: .setting(attribute), until: deadline)) != nil
    }

    package func claim(_ node: FilePath) throws(DriverError) {
        _ = try world.channel(to: .node(node), until: deadline)
    }

    package func buffer(
        of device: String, channels: Set<String>, scans: Int
    ) throws(DriverError) -> any CaptureBuffer {
        let channel = try world.channel(to: .buffer(of: device, channels: channels, scans: scans), until: deadline)
        let size = try channel.receive(limit: 16, until: deadline)
        guard let scanSize = Int(String(decoding: size, as: UTF8.self)), 1...65536 ~= scanSize else {
            throw DriverError(.malformed, subject: device, detail: "no size of a scan: \(quoted(size))")
        }
        return ChannelBuffer(channel: channel, scanSize: scanSize)
    }
}

private final class ChannelBuffer: CaptureBuffer {
    private var channel: (any Channel)?
    let scanSize: Int
    /// A read takes what a quarter of a second holds, and what came late.
    private static let limit = 1 << 20

    init(channel: any Channel, scanSize: Int) {
        self.channel = channel
        self.scanSize = scanSize
    }

    func scans(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [UInt8] {
        guard let channel, !halt.isWoken else { throw DriverError(.cancelled, subject: "the buffer") }
        do throws(DriverError) {
            return try channel.receive(limit: Self.limit, until: deadline)
        } catch  where error.code == .timedOut {
            return []
        }
    }

    func close() { channel = nil }
}
