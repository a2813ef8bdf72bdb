package import DriverKit
package import Readiness
internal import Synchronization

/// The state of a gpsd and its receivers, over one connection.
package struct GPSDState: Sendable {
    /// The result of asking for the devices; nil until the first connection attempt.
    var response: DeviceListResponse?
    /// Each of gpsd's devices that can be a receiver, with its status.
    package internal(set) var receivers: [Receiver] = []
    /// When the watch was requested; nil while there is none.
    package internal(set) var since: Instant?
    var loss: DriverError?
    /// Whether gpsd's devices have changed since it listed them.
    private(set) var isOutdated = false
    /// Whether gpsd has said what it remembers of its devices.
    private(set) var isPolled = false

    private static let maximumReceivers = 64

    init() {}

    /// Makes the state of a gpsd that has answered; `isPresent` tells of a receiver's path whether gpsd's memory of it
    /// may count.
    init(_ response: DeviceListResponse, isPresent: (String) -> Bool) {
        self.response = response
        var paths: Set<String> = []
        receivers = devices.filter { $0.isReceiver != false && paths.insert($0.path).inserted }
            .prefix(Self.maximumReceivers).map { Receiver($0, isPresent: isPresent($0.path)) }
    }

    /// gpsd's own list, from before the watch.
    private var devices: [Message.GPSDDevice] {
        guard case .answered(_, let devices)? = response else { return [] }
        return devices
    }

    /// Why gpsd is unavailable, in one clause; nil while it is connected or not yet tried.
    package var failure: String? {
        if let loss { return loss.description }
        return switch response {
        case nil, .answered: nil
        case .unreachable(let clause, _, _): clause
        case .denied(let error), .unknown(let error): error.description
        }
    }

    /// What would give the first receiver that lacks something a position; empty while none does.
    package var remedies: [Remedy] { receivers.lazy.compactMap { $0.status?.remedies }.first { !$0.isEmpty } ?? [] }

    var release: String? {
        guard case .answered(let release, _)? = response else { return nil }
        return release
    }

    /// Whether gpsd is connected and its devices are unchanged since it listed them.
    var isCurrent: Bool {
        guard case .answered = response else { return false }
        return loss == nil && !isOutdated && !receivers.contains(where: \.isDropped)
    }

    /// Whether there is nothing left to wait for: each receiver is decided, or gpsd cannot be asked.
    var isSettled: Bool {
        response != nil && loss == nil && !isOutdated && receivers.indices.allSatisfy(isDecided)
    }

    /// Whether a receiver is not waited for: its status is final, or it is optional beside one that has a position.
    func isDecided(_ index: Int) -> Bool {
        receivers[index].status?.isFinal == true
            || receivers.contains { $0.isGood && receivers[index].isOptional(beside: $0) }
    }

    /// Whether only reports show which of the devices are receivers.
    var isAmbiguous: Bool { receivers.contains { $0.device.isReceiver == nil && !$0.hasReported } }

    /// Removes the devices that send something else, and have reported no position so far.
    mutating func removeOthers() { receivers.removeAll { $0.device.isReceiver == nil && !$0.hasReported } }

    /// When the next status may change without a message.
    var due: Instant? { receivers.compactMap(\.due).min() }

    /// Whether another state gives the same status for each receiver, apart from ages and wording.
    func isEquivalent(to other: GPSDState) -> Bool {
        isOutdated == other.isOutdated
            && receivers.elementsEqual(other.receivers) {
                $0.status?.availability == $1.status?.availability && $0.driver == $1.driver
                    && $0.latest?.report.fix == $1.latest?.report.fix && $0.quality == $1.quality
                    && $0.latest?.report.isSimulated == $1.latest?.report.isSimulated
                    && $0.inertialKinds == $1.inertialKinds && $0.isInertialSilent == $1.isInertialSilent
            }
    }

    /// Processes a message; returns the indices of the receivers that it concerns.
    mutating func take(_ message: Message, at now: Instant) -> [Int] {
        switch message {
        case .devices(let listed):
            if listed.contains(where: { device in !devices.contains { $0.path == device.path } }) { isOutdated = true }
            for index in receivers.indices {
                receivers[index].list(listed.first { $0.path == receivers[index].device.path })
            }
            return Array(receivers.indices)
        case .device(let device):
            if !devices.contains(where: { $0.path == device.path }) { isOutdated = true }
            return update(device.path) { $0.notice(device) }
        case .report(let report):
            // A device of ship reports turns out to be a receiver, too.
            if report.mode > 0, let path = report.device, !receivers.contains(where: { $0.device.path == path }),
                devices.contains(where: { $0.path == path && $0.isReceiver == nil })
            {
                isOutdated = true
            }
            return update(report.device) { $0.take(report, at: now) }
        case .sky(let device, let sky): return update(device) { $0.take(sky) }
        case .inertial(let report):
            // It changes no status.
            _ = update(report.device) { $0.take(report, at: now) }
            return []
        case .poll(let time, let remembered):
            isPolled = true
            for index in receivers.indices { receivers[index].set(polled: time, at: now) }
            for message in remembered {
                switch message {
                case .report(let report): _ = update(report.device) { $0.remember(report, at: now) }
                case .sky(let device, let sky): _ = update(device) { $0.take(sky, isRemembered: true) }
                default: _ = take(message, at: now)
                }
            }
            return Array(receivers.indices)
        case .version, .clock, .error, .other: return []
        }
    }

    /// Changes the receiver of a path; a report without a path belongs to the only receiver.
    private mutating func update(_ path: String?, _ change: (inout Receiver) -> Void) -> [Int] {
        let index =
            path.map { path in receivers.firstIndex { $0.device.path == path } } ?? (receivers.count == 1 ? 0 : nil)
        guard let index else { return [] }
        change(&receivers[index])
        return [index]
    }

    mutating func evaluate(
        _ indices: some Sequence<Int>, _ rules: StatusRules, at now: Instant, remedies: [Remedy] = []
    ) {
        let end = loss.map { WatchEnd.lost($0, remedies: remedies) } ?? .deadline(since?.seconds(to: now) ?? 0)
        for index in indices { receivers[index].evaluate(rules, at: now, since: since, end) }
    }

    /// Updates the statuses that say how long a receiver has been silent.
    mutating func evaluateSilent(_ rules: StatusRules, at now: Instant) {
        guard loss == nil else { return }
        evaluate(receivers.indices.filter { receivers[$0].isQuiet(rules.criteria, at: now) }, rules, at: now)
    }
}

/// A client of one gpsd: connects, watches the receivers, and keeps the state of each.
///
/// Each message is evaluated once, on arrival. `run` keeps the connection up for subscribers; a single probe uses
/// `connect` and `decide` instead.
package final class GPSDClient: Sendable {
    /// Receives the state and the latest report, or nil if the state changed for another reason.
    package typealias Subscriber = @Sendable (GPSDState, TPV?) -> Void

    struct Shared {
        var state = GPSDState()
        var subscribers: [Int: Subscriber] = [:]
        var subscribersEver = 0
        var isWatching = false

        func publish(_ report: TPV? = nil) { for subscriber in subscribers.values { subscriber(state, report) } }
    }
    struct Link {
        var connection: GPSDConnection
        var address: GPSDAddress
        var waiting: Set<Int>
    }

    /// Seconds without a message after which gpsd is asked whether it still answers, and its time limit to connect or
    /// answer.
    static let quiet = 30.0
    static let patience = 2.0

    let peer: HostPort
    private let criteria: FixCriteria
    private let isPatient: Bool
    let shared = Mutex(Shared())
    let link = Mutex<Link?>(nil)

    /// Makes a client that has not connected; a patient one keeps waiting for a receiver that has no fix yet.
    package init(_ peer: HostPort, criteria: FixCriteria, isPatient: Bool = false) {
        self.peer = peer
        self.criteria = criteria
        self.isPatient = isPatient
    }

    var isWatching: Bool { shared.withLock(\.isWatching) }

    var currentState: GPSDState { shared.withLock(\.state) }

    var receivers: [Receiver] { currentState.receivers }

    private func rules(_ address: GPSDAddress) -> StatusRules {
        StatusRules(criteria: criteria, isPatient: isPatient, remedies: ReceiverRemedies(address: address))
    }

    // MARK: Subscribers

    /// Delivers the current state at once and every later change; returns the number for `unsubscribe`.
    ///
    /// A subscriber is called on the reading thread, must not block and must not call the client.
    package func subscribe(_ subscriber: @escaping Subscriber) -> Int {
        shared.withLock { shared in
            shared.subscribersEver += 1
            shared.subscribers[shared.subscribersEver] = subscriber
            subscriber(shared.state, nil)
            return shared.subscribersEver
        }
    }

    /// Ends a subscription; nothing is delivered once this returns.
    package func unsubscribe(_ number: Int) { shared.withLock { $0.subscribers[number] = nil } }

    /// The state once it is settled, at the latest when the watch has lasted as long as the time from now to `end`.
    ///
    /// The monitor is cancelled when the state is settled; cancelling it earlier ends the wait.
    func state(in world: any World, _ monitor: ChangeMonitor, until end: Instant) -> GPSDState {
        let number = subscribe { state, _ in if state.isSettled { monitor.cancel() } }
        defer { unsubscribe(number) }
        let now = world.now()
        let before = shared.withLock(\.state)
        let watched = before.isCurrent ? before.since?.advanced(bySeconds: now.seconds(to: end)) : nil
        monitor.wait(.seconds(now.seconds(to: min(watched ?? end, end))))
        let rules = rules(GPSDAddress(peer, world: world))
        return shared.withLock { shared in
            shared.state.evaluateSilent(rules, at: world.now())
            return shared.state
        }
    }

    // MARK: One connection

    /// Connects and asks for the devices, which opens no receiver; the monitor cancels the connection.
    @discardableResult
    func connect(
        to address: GPSDAddress, in world: any World, _ monitor: ChangeMonitor, until end: Instant,
        isPresent: (String) -> Bool = { _ in false }
    ) -> GPSDState {
        let response: DeviceListResponse
        do throws(DriverError) {
            let channel = try world.channel(to: address.endpoint, until: end)
            monitor.keep(channel)
            var connection = GPSDConnection(channel)
            response = DeviceListResponse.ask(&connection, at: address, in: world, until: end)
            link.withLock { $0 = Link(connection: connection, address: address, waiting: []) }
        } catch {
            response = DeviceListResponse(error, address)
        }
        let state = GPSDState(response, isPresent: isPresent)
        shared.withLock { $0.state = state }
        return state
    }

    /// Reads until a receiver's status is final or the time is up; returns the state and its time.
    ///
    /// All receivers share one connection: the waiting thread reads for all. The first call begins the watch; when the
    /// last receiver is decided it ends, and gpsd may close the receivers.
    func decide(_ index: Int, in world: any World, until end: Instant) -> (state: GPSDState, at: Instant) {
        var isOver = false
        while true {
            let decided = link.withLock { link -> (GPSDState, Instant)? in
                watch(&link, in: world, until: end)
                let now = world.now()
                var state = shared.withLock(\.state)
                guard let address = link?.address, state.receivers.indices.contains(index) else { return (state, now) }
                let receiver = state.receivers[index]
                let awaited = [state.since.flatMap { receiver.inertialDue(watchedSince: $0) }, receiver.skyDue]
                    .compactMap(\.self).max()
                let isFinal = state.isDecided(index) && awaited.map { $0 <= now } ?? true
                if isOver || now >= end || state.loss != nil || isFinal {
                    state.evaluateSilent(rules(address), at: now)
                    finish(index, &link, until: now.advanced(bySeconds: 0.05))
                    return (state, now)
                }
                let turn = [end, state.due, awaited.flatMap { $0 > now ? $0 : nil }].compactMap(\.self).min() ?? end
                if !read(&link, in: world, until: turn) {
                    isOver = turn == end
                    take([], address, at: world.now())
                }
                return nil
            }
            if let decided { return decided }
        }
    }

    /// Requests the watch, once, and the reports that gpsd remembers.
    func watch(_ link: inout Link?, in world: any World, until end: Instant) {
        guard let address = link?.address, shared.withLock({ $0.state.isCurrent && $0.state.since == nil }) else {
            return
        }
        let now = world.now()
        do throws(DriverError) {
            try link?.connection.ask(#"?WATCH={"enable":true,"json":true};?POLL;"#, until: end)
            shared.withLock { shared in
                shared.state.since = now
                shared.state.evaluate(shared.state.receivers.indices, rules(address), at: now)
                link?.waiting = Set(shared.state.receivers.indices)
                shared.publish()
            }
        } catch {
            fail(error, address, in: world)
        }
    }

    /// Watches until gpsd has said what it remembers, if only that shows which of its devices are receivers.
    ///
    /// Takes half a second at most; a device that has sent ship reports or corrections alone by then is removed.
    func removeOthers(in world: any World, until end: Instant) {
        link.withLock { link in
            guard shared.withLock(\.state.isAmbiguous) else { return }
            watch(&link, in: world, until: end)
            let limit = min(end, world.now().advanced(bySeconds: 0.5))
            while shared.withLock({ !$0.state.isPolled && $0.state.loss == nil }), world.now() < limit,
                read(&link, in: world, until: limit)
            {}
            shared.withLock { shared in
                shared.state.removeOthers()
                link?.waiting = Set(shared.state.receivers.indices)
                shared.publish()
            }
        }
    }

    private func finish(_ index: Int, _ link: inout Link?, until end: Instant) {
        guard link?.waiting.remove(index) != nil, link?.waiting.isEmpty == true else { return }
        try? link?.connection.ask(#"?WATCH={"enable":false};"#, until: end)
    }

    /// Processes the next frame; false if none came in time.
    func read(_ link: inout Link?, in world: any World, until end: Instant) -> Bool {
        guard let address = link?.address else { return false }
        do throws(DriverError) {
            let messages = try link?.connection.listen(until: end) ?? []
            take(messages, address, at: world.now())
        } catch {
            if error.code == .timedOut { return false }
            fail(error, address, in: world)
        }
        return true
    }

    /// Evaluates each message once, and the receivers whose status is due; publishes the result.
    private func take(_ messages: [Message], _ address: GPSDAddress, at now: Instant) {
        let rules = rules(address)
        shared.withLock { shared in
            let before = shared.state
            let wasDue = before.due.map { $0 <= now } ?? false
            for message in messages {
                let changed = shared.state.take(message, at: now)
                shared.state.evaluate(changed, rules, at: now)
                if case .report(let report) = message, !changed.isEmpty { shared.publish(report) }
            }
            let receivers = shared.state.receivers
            // Those whose status may have changed with time.
            let due = receivers.indices.filter { receivers[$0].due.map { $0 <= now } ?? false }
            shared.state.evaluate(due, rules, at: now)
            if wasDue || !shared.state.isEquivalent(to: before) { shared.publish() }
        }
    }

    func fail(_ error: DriverError, _ address: GPSDAddress, in world: any World) {
        let isAsked = error.code != .cancelled && error.code != .notRecorded
        let fault = error.code == .timedOut ? ConnectionFault.stuck : .ended
        let remedies =
            isAsked ? OpeningRemedies(world: world, address: address, nodes: [], fault: fault).remedies : []
        shared.withLock { shared in
            shared.state.loss = error
            shared.state.evaluate(shared.state.receivers.indices, rules(address), at: world.now(), remedies: remedies)
            if error.code != .cancelled { shared.publish() }
        }
    }
}
