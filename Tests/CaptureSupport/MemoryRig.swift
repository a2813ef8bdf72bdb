package import DriverKit
package import IIO
internal import Support
internal import Synchronization
package import SystemPackage

/// A simulated rig: a capture can read back what it writes, and its buffers deliver what a test sets.
package final class MemoryRig: World, CaptureHardware {
    private struct Inside: Sendable {
        var world = FakeWorld()
        var log: [String] = []
        var barred: Set<String> = []
        var claims: [String: Errno] = [:]
        var frames: [Result<[UInt8], DriverError>] = []
        var scanSize = 0
        var failure: DriverError?
    }
    private let inside = Mutex(Inside())

    /// Creates an empty rig.
    package init() {}

    // MARK: Test setup

    /// Adds a device with a node; `attributes` by name.
    package func add(_ device: Int, _ name: String, _ attributes: [String: String], readable: Bool = true) {
        let folder = Self.folder(device)
        inside.withLock { inside in
            inside.world.devices["iio", default: []].append(FilePath(folder))
            inside.world.add("\(folder)/name", "\(name)\n")
            inside.world.add("\(folder)/uevent", "DEVNAME=iio:device\(device)\n")
            for (attribute, value) in attributes { inside.world.add("\(folder)/\(attribute)", value + "\n") }
            inside.world.nodes["/dev/iio:device\(device)"] = NodeStatus(
                owner: 0, group: 0, mode: 0o600, readable: readable)
        }
    }

    /// The folder of a device.
    package static func folder(_ device: Int) -> String { "/sys/devices/bus\(device)/iio:device\(device)" }

    /// Sets an attribute as the hardware does, or removes it.
    package func set(_ device: Int, _ attribute: String, _ value: String?) {
        inside.withLock { $0.world.files["\(Self.folder(device))/\(attribute)"] = value.map { Array("\($0)\n".utf8) } }
    }

    /// Adds a file anywhere.
    package func add(_ path: String, _ text: String) { inside.withLock { $0.world.add(path, text) } }

    /// Makes reads of an attribute fail.
    package func fail(_ device: Int, _ attribute: String, _ errno: Errno) {
        inside.withLock { inside in
            inside.world.files["\(Self.folder(device))/\(attribute)"] = nil
            inside.world.errors["\(Self.folder(device))/\(attribute)"] = errno
        }
    }

    /// Makes the buffers deliver these frames, one after the other, of scans of that size; then nothing more.
    package func give(_ frames: [Result<[UInt8], DriverError>], scanSize: Int) {
        inside.withLock { inside in
            inside.frames = frames
            inside.scanSize = scanSize
        }
    }

    /// Makes enabling a buffer fail.
    package func refuseBuffers(_ error: DriverError) { inside.withLock { $0.failure = error } }

    /// Makes a node busy, or inaccessible to this user.
    package func bar(_ node: String, _ errno: Errno) { inside.withLock { $0.claims[node] = errno } }

    /// Prevents this user from writing an attribute.
    package func forbid(_ device: Int, _ attribute: String) {
        inside.withLock { _ = $0.barred.insert("\(Self.folder(device))/\(attribute)") }
    }

    /// The operations on the rig, one line each.
    package var log: [String] { inside.withLock(\.log) }

    /// The contents of an attribute.
    package func value(_ device: Int, _ attribute: String) -> String {
        let bytes = inside.withLock { $0.world.files["\(Self.folder(device))/\(attribute)"] } ?? []
        return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    }

    // MARK: World

    /// The live clock.
    package func account() throws(DriverError) -> Account { try inside.withLock(\.world).account() }

    package func now() -> Instant { .now }
    /// The added devices.
    package func devices(in subsystem: String) throws(DriverError) -> [FilePath] {
        try inside.withLock(\.world).devices(in: subsystem)
    }
    /// Returns none.
    package func modules(for alias: String) throws(DriverError) -> [String] { [] }
    /// The added entries.
    package func entries(of folder: FilePath) throws(DriverError) -> [String] {
        try inside.withLock(\.world).entries(of: folder)
    }
    /// The contents as added, or as written since.
    package func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        try inside.withLock(\.world).contents(of: file, limit: limit)
    }
    /// The status as added.
    package func status(of node: FilePath) throws(DriverError) -> NodeStatus {
        try inside.withLock(\.world).status(of: node)
    }
    /// Refuses every connection.
    package func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        try inside.withLock(\.world).channel(to: endpoint, until: deadline)
    }

    // MARK: Hardware

    /// Sets what the next read returns.
    package func write(_ value: String, to attribute: FilePath) throws(DriverError) {
        inside.withLock { inside in
            let line = value.hasSuffix("\n") ? String(value.dropLast()) : value
            inside.log.append("\(attribute.components.suffix(2).map(\.string).joined(separator: "/")) = \(line)")
            inside.world.files[attribute.string] = Array("\(line)\n".utf8)
        }
    }
    /// True unless it was forbidden.
    package func mayWrite(_ attribute: FilePath) -> Bool { inside.withLock { !$0.barred.contains(attribute.string) } }
    /// Throws the error set for the node.
    package func claim(_ node: FilePath) throws(DriverError) {
        if let errno = inside.withLock({ $0.claims[node.string] }) {
            throw DriverError(errno: errno, subject: node.string)
        }
    }
    /// A buffer of the given frames.
    package func buffer(
        of device: String, channels: Set<String>, scans: Int
    ) throws(DriverError) -> any CaptureBuffer {
        let (failure, scanSize) = inside.withLock { inside in
            inside.log.append("open \(device) \(channels.sorted().joined(separator: " "))")
            return (inside.failure, inside.scanSize)
        }
        if let failure { throw failure }
        return MemoryBuffer(self, device, scanSize)
    }

    fileprivate func next() -> Result<[UInt8], DriverError>? {
        inside.withLock { $0.frames.isEmpty ? nil : $0.frames.removeFirst() }
    }

    fileprivate func note(_ line: String) { inside.withLock { $0.log.append(line) } }
}

private final class MemoryBuffer: CaptureBuffer {
    let scanSize: Int
    private let rig: MemoryRig
    private let device: String

    init(_ rig: MemoryRig, _ device: String, _ scanSize: Int) {
        self.rig = rig
        self.device = device
        self.scanSize = scanSize
    }

    func scans(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [UInt8] {
        if let frame = rig.next() { return try frame.get() }
        if halt.wait(until: deadline) { throw DriverError(.cancelled, subject: device) }
        return []
    }

    func close() { rig.note("close \(device)") }
}
