internal import DriverKit
internal import LocalRig
internal import Readiness
internal import Rendering
internal import Synchronization

/// Publishes over one connection: everything at first, then what changed, and every ten seconds that the rig lives.
struct PublisherSession {
    /// Seconds between two times that the rig says that it lives.
    private static let pulse = 10.0
    /// Seconds until everything is published again: the shortest time after a change, doubled after each repetition.
    ///
    /// Another client may have written to the topics, and a cluster that elects a leader may lose a message that it
    /// acknowledged.
    private static let refresh = 10.0...300.0
    /// Seconds without a sign of the watch after which it no longer says so.
    private static let patience = 15.0
    /// Seconds that the broker may take to acknowledge.
    private static let acknowledgement = 5.0

    /// Whether everything was published and acknowledged once.
    private(set) var isComplete = false
    private let connection: MQTTConnection
    private let publisher: FleetPublisher
    /// What was sent last of each topic.
    private var sent: [FleetTopic: [UInt8]] = [:]
    private var inFlight: [CInt: Instant] = [:]
    private var revision = 0
    private var nextPulse = Instant.now
    private var nextRefresh = Instant.now
    private var refresh = Self.refresh.lowerBound
    private var others = OtherPublisher()
    private var wasDuplicate = false
    /// When its own time was acknowledged first, until the broker passes it on.
    private var unheardSince: Instant?
    private var isReceived = false

    init(_ connection: MQTTConnection, of publisher: FleetPublisher) {
        self.connection = connection
        self.publisher = publisher
    }

    /// Publishes until the publisher ends; throws when the connection is lost.
    mutating func serve() throws(BrokerError) {
        _ = try connection.subscribe(FleetTopic.seen.path(of: publisher.name))
        while true {
            publisher.news.drain()
            if publisher.state.withLock(\.isEnding) { return try end() }
            try update()
            let due = min(try sendPulse(), try check())
            _ = try connection.wait(publisher.news, until: due)
            receive()
        }
    }

    // MARK: Sending

    /// Sends what the broker does not have of the newest assessment; the rig is online once everything else is sent.
    private mutating func update() throws(BrokerError) {
        let (assessment, current) = publisher.state.withLock { ($0.assessment, $0.revision) }
        guard let assessment else { return }
        let isDuplicate = others.areThere(at: .now)
        let isFirst = revision == 0
        let isChanged = current != revision || isDuplicate != wasDuplicate
        if isChanged {
            refresh = Self.refresh.lowerBound
        } else if Instant.now >= nextRefresh {
            sent = [:]
            refresh = min(refresh * 2, Self.refresh.upperBound)
        } else {
            return
        }
        nextRefresh = .now.advanced(bySeconds: refresh)
        (revision, wasDuplicate) = (current, isDuplicate)
        let notices = isDuplicate ? [Report.NoticeLine(nameTaken: publisher.name.description)] : []
        for (topic, payload) in topics(of: Publication(of: assessment, with: notices)) where sent[topic] != payload {
            try send(topic, payload)
        }
        if isFirst { try sendPulse(at: .now) }
    }

    /// The topics in the order in which they are sent, since others decide by the report.
    private func topics(of publication: Publication) -> [(topic: FleetTopic, payload: [UInt8])] {
        var report = publication.report
        if report.count > FleetReport.limit {
            publisher.log(
                .warning,
                "the report has \(report.count) bytes, and brokers take \(FleetReport.limit): it is not published")
            report = []
        }
        var topics: [(FleetTopic, [UInt8])] = [(.report, report)]
        // A service that is not asked for has no result, also none of an earlier process.
        for service in Service.allCases {
            let word = publication.running[service].map { $0 ? FleetTopic.online : FleetTopic.offline } ?? ""
            topics.append((FleetTopic(of: service), Array(word.utf8)))
        }
        if publisher.isAnnounced {
            let device = HomeAssistantDiscovery(publisher.name, services: publication.running.keys.sorted())
            topics.append((.discovery, device.bytes))
        }
        return topics
    }

    private mutating func send(_ topic: FleetTopic, _ payload: [UInt8]) throws(BrokerError) {
        let message = MQTTMessage(topic: topic.path(of: publisher.name), payload: payload)
        inFlight[try connection.publish(message)] = .now
        sent[topic] = payload
    }

    /// Says that the rig lives if that is due and the watch does; returns when it is due next.
    private mutating func sendPulse() throws(BrokerError) -> Instant {
        let now = Instant.now
        guard revision > 0 else { return now.advanced(bySeconds: Self.pulse) }
        guard now >= nextPulse else { return nextPulse }
        guard publisher.state.withLock(\.confirmed).seconds(to: now) <= Self.patience else {
            return now.advanced(bySeconds: 1)
        }
        try sendPulse(at: now)
        return nextPulse
    }

    /// Sends the time, and the state again: the will of an earlier connection may have come after it.
    private mutating func sendPulse(at now: Instant) throws(BrokerError) {
        let time = Array(RigIdentity.now.utf8)
        others.note(own: time)
        try send(.seen, time)
        try send(.state, Array(FleetTopic.online.utf8))
        nextPulse = now.advanced(bySeconds: Self.pulse)
    }

    /// Says that the rig is offline, and ends the connection once that is acknowledged.
    private mutating func end() throws(BrokerError) {
        let deadline = Instant.now.advanced(bySeconds: 1)
        inFlight = [:]
        try send(.state, Array(FleetTopic.offline.utf8))
        while !inFlight.isEmpty, Instant.now < deadline {
            publisher.news.drain()
            _ = try connection.wait(publisher.news, until: deadline)
            receive()
        }
        connection.close()
    }

    // MARK: Receiving

    private mutating func receive() {
        for packet in connection.takePackets() {
            switch packet {
            case .acknowledged(let identifier): inFlight[identifier] = nil
            case .message(let message) where !message.isRetained:
                isReceived = true
                others.receive(message.payload, at: .now)
            // It may not be allowed to read its own topics: then it cannot notice another machine of its name.
            case .subscribed(_, isGranted: false): isReceived = true
            case .message, .subscribed, .unsubscribed: break
            }
        }
        guard revision > 0, inFlight.isEmpty, !isComplete else { return }
        (isComplete, unheardSince) = (true, .now)
        publisher.log(.notice, "publishing as \(publisher.name) to \(connection.url)")
    }

    // MARK: Checking

    /// Throws if an acknowledgement is overdue; returns when the next one is.
    private mutating func check() throws(BrokerError) -> Instant {
        let now = Instant.now
        if !isReceived, let since = unheardSince, since.seconds(to: now) > Self.acknowledgement {
            unheardSince = nil
            // In MQTT 3.1.1 a publication that is not allowed is acknowledged too.
            publisher.log(
                .warning,
                "\(connection.url) acknowledges messages but does not deliver them: allow this user to write and read "
                    + FleetTopic.filter(of: publisher.name))
        }
        guard let oldest = inFlight.values.min() else { return now.advanced(bySeconds: Self.pulse) }
        let due = oldest.advanced(bySeconds: Self.acknowledgement)
        guard now < due else {
            throw BrokerError(
                .lost, connection.url,
                "it did not acknowledge a message for \(Int(Self.acknowledgement)) s: overloaded, without a quorum, "
                    + "or its storage is full")
        }
        return due
    }
}
