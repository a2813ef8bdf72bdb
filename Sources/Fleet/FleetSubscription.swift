package import LocalRig
package import DriverKit
internal import Rendering

/// A connection that reads the fleet from a broker.
///
/// It subscribes to the rigs' states, times and reports in this order, so that a report is at least as new as the state
/// beside it; the answer to unsubscribing from something else then says that every message that was kept has come
/// (MQTT 3.1.1 delivers them before; both mosquitto and NATS do).
package final class FleetSubscription {
    package struct NoBroker: Error, Sendable, CustomStringConvertible {
        package var errors: [BrokerError]
        package var description: String { errors.map(\.description).joined(separator: "; ") }
    }

    private static let filters = ["state", "seen", "report"].map(FleetTopic.filter)
    /// Seconds for which a rig that lives is never silent.
    private static let silence = 12.0
    /// Seconds between two times that is read what is to be removed.
    private static let removal = 0.2

    let connection: MQTTConnection
    let waker: Waker
    package internal(set) var rigs = FleetRigs()

    /// The broker that answered.
    package var url: BrokerURL { connection.url }

    /// Connects to the first broker that answers; each has that many seconds.
    package init(_ brokers: BrokerConfiguration, patience: Double) throws(NoBroker) {
        var errors: [BrokerError] = []
        var found: (MQTTConnection, Waker)?
        for url in brokers.urls where found == nil {
            do throws(BrokerError) {
                let waker = try MQTTConnection.waker()
                let mark = String(UInt64.random(in: .min ... .max), radix: 16)
                let connection = try MQTTConnection.open(
                    url, try BrokerCredentials(brokers), id: "rigready-fleet-\(mark)",
                    messageLimit: FleetReport.limit, waker: waker, until: .now.advanced(bySeconds: patience))
                found = (connection, waker)
            } catch {
                errors.append(error)
            }
        }
        guard let found else { throw NoBroker(errors: errors) }
        (connection, waker) = found
    }

    deinit { connection.close() }

    /// Reads every message that the broker keeps.
    package func readAll(until deadline: Instant) throws(BrokerError) {
        for filter in Self.filters { _ = try connection.subscribe(filter) }
        try pass(until: deadline) { message in rigs.take(message) }
    }

    /// Waits until everything that the broker had to send has come.
    ///
    /// `optional` is a subscription that this user need not be allowed to.
    private func pass(
        until deadline: Instant, optional: CInt? = nil, _ take: (MQTTMessage) -> Void
    ) throws(BrokerError) {
        let fence = try connection.unsubscribe(FleetTopic.fence)
        var isPassed = false
        while !isPassed {
            guard Instant.now < deadline else {
                throw BrokerError(.timedOut, url, "it answered, and did not send all before the deadline")
            }
            _ = try connection.wait(waker, until: deadline)
            for packet in connection.takePackets() {
                switch packet {
                case .message(let message): take(message)
                case .unsubscribed(fence): isPassed = true
                case .subscribed(let identifier, isGranted: false) where identifier != optional:
                    throw BrokerError(.refused, url, "this user may not read the topics below rigready/")
                default: break
                }
            }
        }
    }

    /// Waits for messages, or until the deadline, and takes them; returns the rigs that they concern.
    package func next(until deadline: Instant) throws(BrokerError) -> Set<RigName> {
        var concerned: Set<RigName> = []
        _ = try connection.wait(waker, until: deadline)
        for case .message(let message) in connection.takePackets() {
            if let name = rigs.take(message) { concerned.insert(name) }
        }
        return concerned
    }

    /// What was left out of what the broker keeps, one line each.
    package var remarks: [String] {
        var lines: [String] = []
        if rigs.isCut { lines.append("there are more than \(FleetRigs.limit) rigs; the others are left out") }
        if rigs.strangers > 0 {
            lines.append("ignored \(rigs.strangers.counted("unknown topic")) below rigready/")
        }
        return lines
    }

    /// Takes messages until the deadline.
    package func listen(until deadline: Instant) throws(BrokerError) {
        while Instant.now < deadline { _ = try next(until: deadline) }
    }

    /// Removes what the broker keeps of a rig; returns the number of topics.
    ///
    /// The broker has `patience` seconds to send it, and to remove it. Throws without removing anything if the rig is online,
    /// since it would publish again. Unless it is said to be offline, it is listened for first, for longer than a rig is
    /// silent: its clock may be off, so that it does not count.
    package func forget(_ name: RigName, patience: Double) throws(BrokerError) -> Int {
        let (state, seen) = (FleetTopic.state.path(of: name), FleetTopic.seen.path(of: name))
        _ = try connection.subscribe(FleetTopic.filter(of: name))
        let discovery = try connection.subscribe(FleetTopic.discovery.path(of: name))
        var topics: Set<String> = []
        var (rigs, isOffline, isReceived) = (FleetRigs(), false, false)
        func take(_ message: MQTTMessage) {
            guard message.size > 0 else { return }
            topics.insert(message.topic)
            rigs.take(message)
            if message.topic == state { isOffline = message.payload == Array(FleetTopic.offline.utf8) }
            if message.topic == seen, !message.isRetained { isReceived = true }
        }
        try pass(until: .now.advanced(bySeconds: patience), optional: discovery, take)
        let silence = Instant.now.advanced(bySeconds: Self.silence)
        while !topics.isEmpty, !isOffline, !isReceived, rigs.standing(of: name, asked: nil)?.online != true,
            Instant.now < silence
        {
            _ = try connection.wait(waker, until: silence)
            for case .message(let message) in connection.takePackets() { take(message) }
        }
        if !isOffline, isReceived || rigs.standing(of: name, asked: nil)?.online == true {
            throw BrokerError(.inUse, url, "\(name) is online and would publish again; stop its service first")
        }
        return try remove(topics, of: name, until: .now.advanced(bySeconds: patience))
    }

    /// Empties topics, which removes what is kept of them; returns their number.
    ///
    /// Throws if the broker still keeps one: in MQTT 3.1.1 what a user may not write is acknowledged too.
    private func remove(_ topics: Set<String>, of name: RigName, until deadline: Instant) throws(BrokerError) -> Int {
        var waiting: Set<CInt> = []
        for topic in topics.sorted() {
            waiting.insert(try connection.publish(MQTTMessage(topic: topic, payload: [])))
        }
        while !waiting.isEmpty {
            guard Instant.now < deadline else {
                throw BrokerError(.timedOut, url, "it did not acknowledge that \(name) is forgotten")
            }
            _ = try connection.wait(waker, until: deadline)
            for case .acknowledged(let identifier) in connection.takePackets() { waiting.remove(identifier) }
        }
        var kept: Set<String> = []
        repeat {
            do throws(BrokerError) {
                kept = try self.kept(of: name, among: topics, until: deadline)
            } catch {
                // There is no time for another read, so the result of the last one counts.
                guard error.code == .timedOut, !kept.isEmpty else { throw error }
                break
            }
            if kept.isEmpty { return topics.count }
            _ = try connection.wait(waker, until: min(.now.advanced(bySeconds: Self.removal), deadline))
        } while Instant.now < deadline
        throw BrokerError(
            .refused, url,
            "it acknowledged, and still keeps \(kept.count.counted("topic")) of \(name): this user must be allowed to write "
                + "\(FleetTopic.filter(of: name))")
    }

    /// Reads which topics of a rig the broker keeps.
    private func kept(
        of name: RigName, among topics: Set<String>, until deadline: Instant
    ) throws(BrokerError) -> Set<String> {
        var kept: Set<String> = []
        _ = try connection.subscribe(FleetTopic.filter(of: name))
        let discovery = try connection.subscribe(FleetTopic.discovery.path(of: name))
        try pass(until: deadline, optional: discovery) { message in
            if message.isRetained, message.size > 0, topics.contains(message.topic) { kept.insert(message.topic) }
        }
        return kept
    }
}
