import DriverKit
import Glibc
import Support
import Synchronization
import SystemPackage

/// A gpsd that sends what a test sets, on the live clock.
final class ManualGPSD: Sendable {
    private struct State {
        var channels: [ManualChannel] = []
        var isDown = false
    }
    private let state = Mutex(State())

    /// A world that contains it.
    var world: FakeWorld {
        var world = FakeWorld()
        world.clock = { .now }
        world.channels[local] = connect
        return world
    }

    /// The number of connections so far.
    var connections: Int { state.withLock(\.channels.count) }

    /// Whether a client watches now.
    var isWatched: Bool { state.withLock { $0.channels.last?.isWatched == true } }

    func say(_ line: String) { state.withLock { $0.channels.last?.say(line) } }

    /// Ends every connection; a gpsd that is down accepts none.
    func restart(down isDown: Bool = false) {
        state.withLock { state in
            state.isDown = isDown
            state.channels.forEach { $0.end() }
        }
    }

    /// Answers no further requests, until the next connection.
    func mute() { state.withLock { $0.channels.last?.mute() } }

    private func connect() throws(DriverError) -> any Channel {
        let channel = state.withLock { state -> ManualChannel? in
            guard !state.isDown else { return nil }
            let channel = ManualChannel()
            state.channels.append(channel)
            return channel
        }
        guard let channel else { throw DriverError(errno: .connectionRefused, subject: "the manual gpsd") }
        return channel
    }
}

/// One connection to it.
private final class ManualChannel: Channel {
    private struct State {
        var pending: [UInt8] = []
        var end: DriverError?
        var isWatched = false
        var isMute = false
    }
    private let state = Mutex(State())

    var isWatched: Bool { state.withLock { $0.isWatched && $0.end == nil } }

    func say(_ line: String) { state.withLock { $0.pending += Array("\(line)\n".utf8) } }
    func end() { state.withLock { $0.end = $0.end ?? DriverError(.closed, subject: "the manual gpsd") } }
    func mute() { state.withLock { $0.isMute = true } }
    func cancel() { state.withLock { $0.end = DriverError(.cancelled, subject: "the manual gpsd") } }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        let request = String(decoding: frame, as: UTF8.self)
        let error = state.withLock { state -> DriverError? in
            if request.contains("\"enable\":true") { state.isWatched = true }
            if request.contains("?DEVICES;"), !state.isMute { state.pending += Array("\(Recorded.open)\n".utf8) }
            return state.end
        }
        if let error { throw error }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        while true {
            let (bytes, error) = state.withLock { state in
                defer { state.pending = [] }
                return (state.pending, state.end)
            }
            if let error { throw error }
            if !bytes.isEmpty { return bytes }
            guard Instant.now < deadline else { throw DriverError(.timedOut, subject: "the manual gpsd") }
            usleep(1000)
        }
    }
}
