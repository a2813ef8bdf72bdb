internal import DriverKit
internal import LocalRig
internal import Readiness
internal import Rendering
internal import Synchronization

/// Publishes over one connection, and keeps the broker's copy of every topic what it should be.
///
/// It subscribes to its own topics. If one is not what was published, since the will of an earlier connection came late or
/// somebody else wrote it, it is published again; a result of a service that is no longer asked for is removed.
struct PublisherSession {
    /// The state of one topic.
    private struct Slot {
        var wanted: [UInt8]
        /// What was sent last on this connection.
        var sent: [UInt8]?
        var unacknowledged = 0
        /// What the broker passed on last.
        var echo: [UInt8]?
        /// When something was acknowledged or passed on last.
        var changed = Instant.now

        var isSettled: Bool { sent == wanted && unacknowledged == 0 }
    }

    /// Seconds between two times that the rig says that it lives.
    private static let pulse = 10.0
    /// Seconds without a sign of the watch after which it no longer says so.
    private static let patience = 15.0
    /// Seconds that the broker may take to acknowledge.
    private static let acknowledgement = 5.0
    /// Seconds for which a topic must be unchanged before it is compared with what was published.
    private static let quiet = 1.0

    /// Whether everything was published and acknowledged once.
    private(set) var isComplete = false
    private let connection: MQTTConnection
    private let publisher: FleetPublisher
    private var slots: [FleetTopic: Slot] = [:]
    private var inFlight: [CInt: (topic: FleetTopic, sent: Instant)] = [:]
    private var revision = 0
    private var nextPulse = Instant.now
    private var others: OtherPublisher
    private var wasTaken = false
    private var ownFilter: CInt?
    private var isHeard = true

    init(_ connection: MQTTConnection, of publisher: FleetPublisher) {
        self.connection = connection
        self.publisher = publisher
        others = OtherPublisher()
    }

    /// Publishes until the publisher ends; throws when the connection is lost.
    mutating func serve() throws(BrokerError) {
        ownFilter = try connection.subscribe(FleetTopic.filter(of: publisher.name))
        while true {
            publisher.news.drain()
            if publisher.state.withLock(\.isEnding) { return try takeLeave() }
            try update()
            let due = try sendSeen()
            _ = try connection.wait(publisher.news, until: min(due, try nextCheck()))
            receive()
        }
    }

    // MARK: Sending

    /// Takes the newest assessment, and sends what the broker does not have of it.
    private mutating func update() throws(BrokerError) {
        let (assessment, current) = publisher.state.withLock { ($0.assessment, $0.revision) }
        guard let assessment else { return }
        let isTaken = others.areThere(at: .now)
        if current != revision || isTaken != wasTaken {
            let notices = isTaken ? [Report.NoticeLine(nameTaken: publisher.name.description)] : []
            want(publisher.encoder(assessment, notices))
            (revision, wasTaken) = (current, isTaken)
        }
        // The report first: it is what others decide by.
        try sendIfNeeded(.report)
        for topic in slots.keys where topic != .state { try sendIfNeeded(topic) }
        // The rig is online once everything else is there.
        if slots[.state] == nil, slots.values.allSatisfy(\.isSettled) {
            try sendSeen(at: .now)
            slots[.state] = Slot(wanted: Array(FleetTopic.online.utf8))
        }
        try sendIfNeeded(.state)
        if !isComplete, slots[.state]?.isSettled == true {
            isComplete = true
            publisher.log(.notice, "publishing as \(publisher.name) to \(connection.url)")
        }
    }

    private mutating func want(_ publication: FleetPublisher.Publication) {
        var report = publication.report
        if report.count > FleetReport.limit {
            publisher.log(
                .warning,
                "the report has \(report.count) bytes, and brokers take \(FleetReport.limit): it is not published")
            report = []
        }
        slots[.report, default: Slot(wanted: [])].wanted = report
        for topic in slots.keys where !publication.running.keys.contains(where: { topic == FleetTopic(of: $0) }) {
            if case .run = topic { slots[topic]?.wanted = [] }
        }
        if publisher.isAnnounced {
            let device = HomeAssistantDiscovery(publisher.name, services: publication.running.keys.sorted())
            slots[.discovery, default: Slot(wanted: [])].wanted = device.bytes
        }
        for (service, isRunning) in publication.running {
            let word = isRunning ? FleetTopic.online : FleetTopic.offline
            slots[FleetTopic(of: service), default: Slot(wanted: [])].wanted = Array(word.utf8)
        }
    }

    private mutating func sendIfNeeded(_ topic: FleetTopic) throws(BrokerError) {
        guard var slot = slots[topic], slot.sent != slot.wanted else { return }
        let identifier = try connection.publish(
            MQTTMessage(topic: topic.path(of: publisher.name), payload: slot.wanted))
        inFlight[identifier] = (topic, .now)
        slot.sent = slot.wanted
        slot.unacknowledged += 1
        slots[topic] = slot
    }

    /// Says that the rig lives if that is due and the watch does; returns when it is due next.
    private mutating func sendSeen() throws(BrokerError) -> Instant {
        guard isComplete else { return .now.advanced(bySeconds: Self.pulse) }
        let now = Instant.now
        guard now >= nextPulse else { return nextPulse }
        let confirmed = publisher.state.withLock(\.confirmed)
        guard confirmed.seconds(to: now) <= Self.patience else { return now.advanced(bySeconds: 1) }
        try sendSeen(at: now)
        return nextPulse
    }

    private mutating func sendSeen(at now: Instant) throws(BrokerError) {
        let time = Array(RigIdentity.now.utf8)
        others.note(own: time)
        let identifier = try connection.publish(
            MQTTMessage(topic: FleetTopic.seen.path(of: publisher.name), payload: time))
        inFlight[identifier] = (.seen, now)
        nextPulse = now.advanced(bySeconds: Self.pulse)
    }

    /// Says that the rig is offline, and ends the connection once that is acknowledged.
    private mutating func takeLeave() throws(BrokerError) {
        let deadline = Instant.now.advanced(bySeconds: Self.quiet)
        let identifier = try connection.publish(
            MQTTMessage(
                topic: FleetTopic.state.path(of: publisher.name), payload: Array(FleetTopic.offline.utf8)))
        inFlight[identifier] = (.state, .now)
        publisher.news.drain()
        while inFlight[identifier] != nil, Instant.now < deadline {
            if try connection.wait(publisher.news, until: deadline) == .woken { publisher.news.drain() }
            receive()
        }
        connection.close()
    }

    // MARK: Receiving

    private mutating func receive() {
        for packet in connection.takePackets() {
            switch packet {
            case .acknowledged(let identifier):
                guard let topic = inFlight.removeValue(forKey: identifier)?.topic else { break }
                slots[topic]?.unacknowledged -= 1
                slots[topic]?.changed = .now
            case .message(let message): hear(message)
            case .subscribed(ownFilter, isGranted: false): isHeard = false
            case .subscribed, .unsubscribed: break
            }
        }
    }

    private mutating func hear(_ message: MQTTMessage) {
        guard let (rig, topic) = FleetTopic.parse(message.topic), rig == publisher.name else { return }
        if topic == .seen {
            if !message.isRetained { others.hear(message.payload, at: .now) }
            return
        }
        // Leftovers of other services are removed, up to a number that no rig has.
        var isLeftover = false
        if case .run = topic, message.size > 0, slots.count < 64 { isLeftover = true }
        guard slots[topic] != nil || isLeftover else { return }
        var slot = slots[topic] ?? Slot(wanted: [], sent: [])
        slot.echo = message.size == message.payload.count ? message.payload : [0]
        slot.changed = .now
        slots[topic] = slot
    }

    /// Throws if an acknowledgement is overdue; has topics published again that are not as they should be, and returns
    /// when to look again.
    private mutating func nextCheck() throws(BrokerError) -> Instant {
        let now = Instant.now
        var next = now.advanced(bySeconds: Self.pulse)
        if let oldest = inFlight.values.map(\.sent).min() {
            next = oldest.advanced(bySeconds: Self.acknowledgement)
            guard now < next else {
                throw BrokerError(
                    .lost, connection.url, "it did not acknowledge a message for \(Int(Self.acknowledgement)) s")
            }
        }
        guard revision > 0 else { return next }
        for (topic, slot) in slots where slot.isSettled {
            guard let echo = slot.echo, echo != slot.wanted, topic == .state || !wasTaken else { continue }
            let due = slot.changed.advanced(bySeconds: Self.quiet)
            if now >= due { slots[topic]?.sent = nil }
            next = min(next, max(due, now))
        }
        try warnIfUnheard(at: now)
        return next
    }

    /// Tells once that the broker acknowledges and does not pass on: in MQTT 3.1.1 a publication that is not allowed is
    /// acknowledged too.
    private mutating func warnIfUnheard(at now: Instant) throws(BrokerError) {
        guard isComplete, isHeard, let slot = slots[.state], slot.isSettled else { return }
        if slot.echo != nil {
            isHeard = false
        } else if slot.changed.seconds(to: now) > Self.acknowledgement {
            isHeard = false
            publisher.log(
                .warning,
                "\(connection.url) acknowledges and does not pass on: this user must be allowed to write and read "
                    + FleetTopic.filter(of: publisher.name))
        }
    }
}
