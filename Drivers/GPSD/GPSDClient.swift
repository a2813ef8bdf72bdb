package import DriverKit
package import Readiness

/// A connection to one gpsd: speaks its protocol, and folds each message into the next state.
///
/// It belongs to the one thread that reads from it: it cannot be copied, so that nothing is locked while a read waits.
/// Cancelling the monitor, from any thread, closes the channel and so ends that read.
package struct GPSDClient: ~Copyable, Sendable {
    /// Receives each state in turn: after every message, with that message, and after any other change without one.
    package typealias Reader = (GPSDState, Message?) -> Void

    /// What is asked of gpsd together with its list of devices.
    enum DevicesRequest: String {
        case devices = "?DEVICES;"
        /// Also the reports, and the offset of the machine's clock (gpsd_json(5), TOFF and PPS).
        case reportsAndClock = #"?DEVICES;?WATCH={"enable":true,"json":true,"pps":true};"#
    }

    /// Seconds without a message after which gpsd is asked whether it still answers, and its time limit to connect or
    /// answer.
    private static let quiet = 30.0
    static let patience = 2.0

    /// What has happened so far.
    package private(set) var state = GPSDState()
    private let address: GPSDAddress
    private let rules: StatusRules
    private let world: any World
    private let monitor: ChangeMonitor?
    private var channel: (any Channel)?
    private var splitter = LineSplitter()
    /// Messages that came in one frame with the list of devices, after it.
    private var unread: [Message] = []
    private var bytesReceived = 0
    /// How many lines were not gpsd's: no JSON, no class, not UTF-8.
    private var garbage = 0
    private var isUnderstood = false
    /// The receivers that a caller of `decide` may still wait for.
    private var undecided: Set<Int> = []

    /// Makes a client that has not connected.
    init(at address: GPSDAddress, _ rules: StatusRules, in world: any World, _ monitor: ChangeMonitor? = nil) {
        self.address = address
        self.rules = rules
        self.world = world
        self.monitor = monitor
    }

    deinit { if let channel { monitor?.drop(channel) } }

    // MARK: Requests

    /// Connects and asks for the devices; unless reports are requested, that opens no receiver.
    mutating func connect(
        _ request: DevicesRequest = .devices, until end: Instant, isPresent: (String) -> Bool = { _ in false }
    ) {
        let response: DeviceListResponse
        var since: Instant?
        do throws(DriverError) {
            let channel = try world.channel(to: address.endpoint, until: end)
            monitor?.keep(channel)
            self.channel = channel
            try ask(request.rawValue, until: end)
            since = request == .devices ? nil : world.now()
            response = try list(until: end)
        } catch {
            response = DeviceListResponse(error.explained(in: world), address, after: received)
        }
        state = GPSDState(response, since: since, isPresent: isPresent)
    }

    /// gpsd's answer to the request for its devices; data after it is left unread.
    private mutating func list(until end: Instant) throws(DriverError) -> DeviceListResponse {
        var release: String?
        while world.now() < end && !isForeign {
            let messages = try receive(until: end)
            for (index, message) in messages.enumerated() {
                switch message {
                case .version(let name): release = name
                case .devices(let devices):
                    unread = Array(messages[(index + 1)...])
                    return .answered(release: release, devices)
                case .error(let words): return DeviceListResponse(refusal: words, address)
                default: break
                }
            }
        }
        throw DriverError(.timedOut, subject: address.endpoint.description)
    }

    /// Requests the watch, once, and the reports that gpsd remembers.
    mutating func watch(until end: Instant) {
        guard state.isCurrent, state.since == nil else { return }
        let now = world.now()
        do throws(DriverError) {
            try ask(#"?WATCH={"enable":true,"json":true};?POLL;"#, until: end)
            state.since = now
            state.evaluate(state.receivers.indices, rules, at: now)
            undecided = Set(state.receivers.indices)
        } catch {
            lose(error)
        }
    }

    /// Sends requests; gpsd accepts several in one line.
    private func ask(_ requests: String, until deadline: Instant) throws(DriverError) {
        try channel?.send(Array("\(requests)\n".utf8), until: deadline)
    }

    // MARK: Answers

    /// The messages that the next frame completes, possibly none.
    private mutating func receive(until deadline: Instant) throws(DriverError) -> [Message] {
        if !unread.isEmpty { return exchange(&unread, with: []) }
        guard let channel else { throw DriverError(.closed, subject: address.endpoint.description) }
        let frame = try channel.receive(limit: 16 << 10, until: deadline)
        bytesReceived &+= frame.count
        var messages: [Message] = []
        for line in splitter.take(frame) {
            guard let message = Message(line: line) else {
                garbage += 1
                continue
            }
            isUnderstood = true
            messages.append(message)
        }
        return messages
    }

    /// Whether the peer is certainly not gpsd: it sent much, and nothing of gpsd's protocol.
    private var isForeign: Bool { !isUnderstood && (bytesReceived > 4 << 20 || garbage > 16) }

    private var received: DeviceListResponse.Received? {
        if channel == nil { return nil }
        if isUnderstood { return .gpsd }
        return bytesReceived == 0 ? .nothing : .other(lines: garbage + splitter.oversized)
    }

    /// Reads the next frame, and evaluates each of its messages once; false if none came in time.
    mutating func read(until end: Instant, _ reader: Reader = { _, _ in }) -> Bool {
        do throws(DriverError) {
            take(try receive(until: end), reader)
        } catch {
            if error.code == .timedOut { return false }
            lose(error, reader)
        }
        return true
    }

    /// Evaluates each message once, and then the receivers whose status has changed with time.
    private mutating func take(_ messages: [Message], _ reader: Reader) {
        let now = world.now()
        let before = state
        let wasDue = before.due.map { $0 <= now } ?? false
        for message in messages {
            state.evaluate(state.take(message, at: now), rules, at: now)
            reader(state, message)
        }
        let due = state.receivers.indices.filter { state.receivers[$0].due.map { $0 <= now } ?? false }
        state.evaluate(due, rules, at: now)
        if wasDue || !state.isEquivalent(to: before) { reader(state, nil) }
    }

    /// Notes that the connection is lost, and what makes gpsd answer again.
    private mutating func lose(_ error: DriverError, _ reader: Reader = { _, _ in }) {
        let isAsked = error.code != .cancelled && error.code != .notRecorded
        let fault = error.code == .timedOut ? ConnectionFault.stuck : .ended
        let remedies =
            isAsked ? OpeningRemedies(world: world, address: address, nodes: [], fault: fault).remedies : []
        state.loss = error
        state.openingRemedies = remedies
        state.evaluate(state.receivers.indices, rules, at: world.now(), remedies: remedies)
        if error.code != .cancelled { reader(state, nil) }
    }

    // MARK: A probe

    /// Reads until a receiver's status is final or the time is up; returns the state and its time.
    ///
    /// All receivers share the connection: what is read for one counts for all. The first call begins the watch; when
    /// the last receiver is decided it ends, and gpsd may close the receivers.
    mutating func decide(
        _ index: Int, until end: Instant, _ reader: Reader = { _, _ in }
    ) -> (state: GPSDState, at: Instant) {
        watch(until: end)
        var isOver = false
        while true {
            let now = world.now()
            guard channel != nil, state.receivers.indices.contains(index) else { return (state, now) }
            let receiver = state.receivers[index]
            let awaited = [state.since.flatMap { receiver.inertialDue(watchedSince: $0) }, receiver.skyDue]
                .compactMap(\.self).max()
            let isFinal = state.isDecided(index) && awaited.map { $0 <= now } ?? true
            if isOver || now >= end || state.loss != nil || isFinal {
                finish(index, until: now.advanced(bySeconds: 0.05))
                return (silenceEvaluated(at: now), now)
            }
            let turn = [end, state.due, awaited.flatMap { $0 > now ? $0 : nil }].compactMap(\.self).min() ?? end
            if !read(until: turn, reader) {
                isOver = turn == end
                take([], reader)
            }
        }
    }

    /// The state, with the statuses that say how long a receiver has been silent.
    private func silenceEvaluated(at now: Instant) -> GPSDState {
        var state = state
        state.evaluateSilent(rules, at: now)
        return state
    }

    private mutating func finish(_ index: Int, until end: Instant) {
        guard undecided.remove(index) != nil, undecided.isEmpty else { return }
        try? ask(#"?WATCH={"enable":false};"#, until: end)
    }

    /// Watches until gpsd has said what it remembers, if only that shows which of its devices are receivers.
    ///
    /// Takes half a second at most; a device that has sent ship reports or corrections alone by then is removed.
    mutating func removeOthers(until end: Instant, _ reader: Reader = { _, _ in }) {
        guard state.isAmbiguous else { return }
        watch(until: end)
        let limit = min(end, world.now().advanced(bySeconds: 0.5))
        while !state.isPolled, state.loss == nil, world.now() < limit, read(until: limit, reader) {}
        state.removeOthers()
        undecided = Set(state.receivers.indices)
        reader(state, nil)
    }

    // MARK: A watch

    /// Reads states until the monitor is cancelled, over one connection after the other; blocks.
    ///
    /// Reconnects a tenth of a second after a loss, then doubles the delay up to five seconds, with some jitter so that
    /// many rigs do not connect at once. Watches only at depth `sample`, which opens the receivers.
    package static func follow(
        _ peer: HostPort, criteria: FixCriteria = FixCriteria(), isPatient: Bool = false, in world: any World,
        _ monitor: ChangeMonitor, _ reader: Reader
    ) {
        var pause = 0.1
        while !monitor.isCancelled {
            // A peer that closes the connection or drops its receivers at once must not get ten requests per second.
            let address = GPSDAddress(peer, world: world)
            let rules = StatusRules(criteria, isPatient: isPatient, at: address)
            var client = GPSDClient(at: address, rules, in: world, monitor)
            pause = client.follow(monitor, reader) > 0.2 ? 0.1 : min(pause * 2, 5)
            _ = consume client
            monitor.wait(.seconds(pause * Double.random(in: 0.8...1.2)))
        }
    }

    /// Follows this connection until it is lost or gpsd's devices change; returns for how many seconds gpsd answered.
    private mutating func follow(_ monitor: ChangeMonitor, _ reader: Reader) -> Double {
        let began = world.now()
        connect(until: began.advanced(bySeconds: Self.patience))
        if monitor.isCancelled { return 0 }
        let isCurrent = state.isCurrent
        state.openingRemedies = state.response?.remedies(at: address, in: world, nodes: []) ?? []
        let end = world.now().advanced(bySeconds: Self.patience)
        if monitor.depth == .sample { watch(until: end) }
        if monitor.isCancelled { return 0 }
        reader(state, nil)
        guard isCurrent else { return 0 }
        if monitor.depth == .sample { removeOthers(until: end, reader) }
        while !monitor.isCancelled, state.isCurrent {
            let quiet = world.now().advanced(bySeconds: Self.quiet)
            if !read(until: min(state.due ?? quiet, quiet), reader) { checkAnswer(reader) }
        }
        return began.seconds(to: world.now())
    }

    /// Asks whether gpsd still answers: a receiver counts as silent only while it does.
    private mutating func checkAnswer(_ reader: Reader) {
        let end = world.now().advanced(bySeconds: Self.patience)
        do throws(DriverError) {
            try ask(DevicesRequest.devices.rawValue, until: end)
        } catch {
            return lose(error, reader)
        }
        if !read(until: end, reader) {
            lose(DriverError(.timedOut, subject: address.endpoint.description), reader)
        }
    }
}

/// Splits a stream of bytes into lines; a line may arrive in several reads.
///
/// Holds at most one line of `limit` bytes: the rest of a longer one is skipped and counted.
package struct LineSplitter: Sendable {
    private let limit: Int
    private var held: [UInt8] = []
    private var isSkipping = false
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
