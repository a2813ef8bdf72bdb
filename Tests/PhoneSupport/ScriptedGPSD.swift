import Linux
package import DriverKit
internal import Glibc
internal import Synchronization
package import SystemPackage

/// A world with a gpsd that sends what a test sets, and a clock that a test advances.
package final class ScriptedGPSD: World {
    private struct State {
        var peers: [FileDescriptor] = []
        var connections = 0
        var isDown = false
        var ahead = 0.0
        var fixes = 0
    }
    private let state = Mutex(State())
    private let empty = NoWorld()

    /// Its endpoint.
    package static let endpoint = HostPort(host: "scripted", port: 2947)

    /// Creates a gpsd that has sent nothing yet.
    package init() {}

    deinit { state.withLock { state in state.peers.forEach { try? $0.close() } } }

    /// The number of connections so far whose client has been told the devices, which gpsd does before it reports.
    package var connections: Int { state.withLock(\.connections) }

    /// The number of current connections, found by sending a byte.
    package var listeners: Int {
        state.withLock { state in state.peers.count { Self.put("\n", into: $0) } }
    }

    /// Sends a line to all clients.
    package func say(_ line: String) {
        state.withLock { state in state.peers.forEach { _ = Self.put("\(line)\n", into: $0) } }
    }

    /// Reports that the receiver has a fix, a second after the one before.
    package func fix(latitude: Double = 52.5, longitude: Double = 13.4, more: String = "") {
        let second = state.withLock { state in
            defer { state.fixes += 1 }
            return 1_795_260_123 + state.fixes
        }
        say(
            #"{"class":"TPV","device":"/dev/gps","mode":3,"time":\#(second),"lat":\#(latitude),"#
                + #""lon":\#(longitude),"altMSL":34.5,"altHAE":81.5,"eph":4.5,"epv":6.0,"speed":1.5,"eps":0.3,"#
                + #""track":90.0,"epd":2.0\#(more)}"#)
    }

    /// Reports that the receiver has no fix.
    package func noFix() { say(#"{"class":"TPV","device":"/dev/gps","mode":1}"#) }

    /// Closes all connections, and then refuses or accepts new ones.
    package func set(down isDown: Bool) {
        state.withLock { state in
            state.isDown = isDown
            guard isDown else { return }
            state.peers.forEach { try? $0.close() }
            state.peers = []
        }
    }

    /// Advances the clock.
    package func pass(seconds: Double) { state.withLock { $0.ahead += seconds } }

    /// Writes without the signal that a disconnected peer would cause.
    private static func put(_ text: String, into peer: FileDescriptor) -> Bool {
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe send(peer.rawValue, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
        }
    }

    /// A connection whose device requests are answered at once.
    private final class Connection: Channel {
        private let channel: DescriptorChannel
        private let peer: FileDescriptor
        private let onFirstListing: @Sendable () -> Void
        private let hasListed = Mutex(false)

        init(_ channel: DescriptorChannel, peer: FileDescriptor, onFirstListing: @escaping @Sendable () -> Void) {
            self.channel = channel
            self.peer = peer
            self.onFirstListing = onFirstListing
        }

        func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
            try channel.send(frame, until: deadline)
            let device = #"{"class":"DEVICE","path":"/dev/gps","activated":1.5}"#
            guard frame.starts(with: "?DEVICES;".utf8) else { return }
            _ = ScriptedGPSD.put(#"{"class":"DEVICES","devices":[\#(device)]}"# + "\n", into: peer)
            if !hasListed.withLock({ exchange(&$0, with: true) }) { onFirstListing() }
        }

        func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
            try channel.receive(limit: limit, until: deadline)
        }

        func cancel() { channel.cancel() }
    }

    // MARK: The world

    /// The account of this process.
    package func account() throws(DriverError) -> Account { .current }
    /// The live clock, plus what a test added.
    package func now() -> Instant { Instant.now.advanced(bySeconds: state.withLock(\.ahead)) }

    /// A socket to gpsd; other endpoints are refused.
    package func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        guard endpoint.address == Self.endpoint.description, !state.withLock(\.isDown) else {
            throw DriverError(errno: .connectionRefused, subject: endpoint.description)
        }
        var ends: [CInt] = [0, 0]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw DriverError(errno: .current, subject: endpoint.description)
        }
        state.withLock { $0.peers.append(FileDescriptor(rawValue: ends[1])) }
        let channel = try DescriptorChannel(FileDescriptor(rawValue: ends[0]), subject: endpoint.description)
        return Connection(channel, peer: FileDescriptor(rawValue: ends[1])) { [weak self] in
            self?.state.withLock { $0.connections += 1 }
        }
    }

    /// Lists no devices.
    package func devices(in subsystem: String) throws(DriverError) -> [FilePath] { [] }
    /// Lists no modules.
    package func modules(for alias: String) throws(DriverError) -> [String] { [] }
    /// Lists no entries.
    package func entries(of folder: FilePath) throws(DriverError) -> [String] { try empty.entries(of: folder) }
    /// Reads no files.
    package func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        try empty.contents(of: file, limit: limit)
    }
    /// Has no nodes.
    package func status(of node: FilePath) throws(DriverError) -> NodeStatus { try empty.status(of: node) }
}
