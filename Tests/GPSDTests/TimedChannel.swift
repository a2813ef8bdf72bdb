import DriverKit
import Synchronization

/// A scripted gpsd on a clock of its own: its messages come at set seconds after the watch began.
final class TimedChannel: Channel {
    private struct State {
        var now = Instant(nanoseconds: 1_000_000_000_000)
        var pending: [(at: Instant, bytes: [UInt8])] = []
        var sent: [String] = []
    }
    private let state = Mutex(State())
    private let devices: String
    private let poll: String
    private let reports: [(Double, String)]
    private let listing: String

    /// `devices` answers `?DEVICES;`, `listing` is the list after the watch began, `reports` follow it.
    init(
        _ devices: String = Recorded.open, listing: String? = nil, poll: String = Recorded.emptyPoll,
        reports: [(Double, String)] = []
    ) {
        self.devices = devices
        self.listing = listing ?? devices
        self.poll = poll
        self.reports = reports
    }

    var now: Instant { state.withLock { $0.now } }
    var sent: [String] { state.withLock { $0.sent } }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        let request = String(decoding: frame, as: UTF8.self)
        state.withLock { state in
            state.sent.append(request)
            let now = state.now
            func say(_ seconds: Double, _ line: String) {
                state.pending.append((now.advanced(bySeconds: seconds), Array("\(line)\r\n".utf8)))
            }
            if request.contains("?DEVICES;") {
                say(0, Recorded.greetings[1])
                say(0, devices)
            }
            if request.contains("\"enable\":true") {
                say(0, listing)
                say(0, Recorded.watch)
                say(0.001, poll)
                for (seconds, line) in reports { say(seconds, line) }
            }
        }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let bytes = state.withLock { state -> [UInt8]? in
            guard let first = state.pending.first, first.at <= deadline else {
                state.now = max(state.now, deadline)
                return nil
            }
            state.pending.removeFirst()
            state.now = max(state.now, first.at)
            return first.bytes
        }
        guard let bytes else { throw DriverError(.timedOut, subject: "the scripted gpsd") }
        return bytes
    }

    func cancel() {}
}
