internal import DriverKit
internal import LocalRig
internal import Rendering
internal import Synchronization

/// Publishes over one connection, and has the broker keep of every topic what it should.
struct PublisherSession {
    /// Seconds between two times that the rig says that it lives.
    private static let pulse = 10.0
    /// Seconds without a sign of the watch after which it no longer says so.
    private static let patience = 15.0
    /// Seconds that the watch may take for a change before the next one is noticed too late.
    private static let work = 0.3
    /// Seconds that the broker may take to acknowledge.
    private static let acknowledgement = 5.0
    /// Seconds between a change's announcement and what is to be kept of it: a NATS cluster passes on what it reads in one
    /// piece only when all of it is stored, which may take a second.
    private static let pause = 0.02
    /// Seconds between a change and readings of what the broker keeps; the last one repeats.
    private static let readings = [2.0, 8, 20, 300]

    /// Whether everything was published and acknowledged once.
    private(set) var isComplete = false
    private let connection: MQTTConnection
    private let publisher: FleetPublisher
    private var copies = TopicCopies()
    private var inFlight: [CInt: (topic: FleetTopic, sent: Instant)] = [:]
    private var revision = 0
    /// When a change may be sent that was announced.
    private var announced = Instant.now
    private var nextPulse = Instant.now
    private var others = OtherPublisher()
    private var wasTaken = false
    /// What readers ask, and what is answered while the newest report holds; nil before there is one.
    private var asks = PendingAsks()
    private var answer: String?
    /// The subscription to the rig's own topics, and the answer that says that all that is kept has come.
    private var ownFilter: CInt?
    private var fence: CInt?
    /// What the broker passes on, as far as is known: the rig's own topics, for which the state stands, and its device.
    private var heard: Set<FleetTopic> = [.state, .discovery]
    private var nextReading = Instant.now
    private var readings = Self.readings[...]

    init(_ connection: MQTTConnection, of publisher: FleetPublisher) {
        self.connection = connection
        self.publisher = publisher
    }

    /// Publishes until the publisher ends; throws when the connection is lost.
    mutating func serve() throws(BrokerError) {
        ownFilter = try subscribe()
        while true {
            publisher.news.drain()
            if publisher.state.withLock(\.isEnding) { return try takeLeave() }
            try update()
            try answerAsks()
            var due = min(try sendSeen(), try check())
            if !copies.unsent.isEmpty { due = min(due, announced) }
            _ = try connection.wait(publisher.news, until: due)
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
            let answer = "\(publisher.mark)-\(current)\(isTaken ? "-taken" : "")"
            want(Publication(of: assessment, with: notices, answer: answer))
            self.answer = answer
            (revision, wasTaken) = (current, isTaken)
            if isComplete { try announce() }
            (readings, nextReading) = (Self.readings[...], .now.advanced(bySeconds: Self.readings[0]))
        }
        guard Instant.now >= announced else { return }
        try sendUnsent()
        // The rig is online once everything else is there.
        if !copies.has(.state), copies.isSettled {
            try sendSeen(at: .now)
            copies.want(.state, Array(FleetTopic.online.utf8))
            try sendUnsent()
        }
        if !isComplete, copies.has(.state), copies.isSettled {
            isComplete = true
            publisher.log(.notice, "publishing as \(publisher.name) to \(connection.url)")
        }
    }

    private mutating func want(_ publication: Publication) {
        var report = publication.report
        if report.count > FleetReport.limit {
            publisher.log(
                .warning,
                "the report has \(report.count) bytes, and brokers take \(FleetReport.limit): it is not published")
            report = []
        }
        copies.want(.report, report)
        if publisher.isAnnounced {
            let device = HomeAssistantDiscovery(publisher.name, services: publication.running.keys.sorted())
            copies.want(.discovery, device.bytes)
        }
        for (service, isRunning) in publication.running {
            copies.want(FleetTopic(of: service), Array((isRunning ? FleetTopic.online : FleetTopic.offline).utf8))
        }
        copies.wantOnlyRuns(Set(publication.running.keys.map(FleetTopic.init(of:))))
    }

    /// Tells who listens of a changed report at once, and has what is to be kept wait a moment.
    private mutating func announce() throws(BrokerError) {
        guard let report = copies.unsent.first, report.topic == .report, !report.payload.isEmpty else { return }
        try connection.announce(MQTTMessage(topic: report.topic.path(of: publisher.name), payload: report.payload))
        announced = .now.advanced(bySeconds: Self.pause)
    }

    private mutating func sendUnsent() throws(BrokerError) {
        for (topic, payload) in copies.unsent {
            try send(topic, payload)
            copies.noteSent(topic)
        }
    }

    private mutating func send(_ topic: FleetTopic, _ payload: [UInt8]) throws(BrokerError) {
        let message = MQTTMessage(topic: topic.path(of: publisher.name), payload: payload)
        inFlight[try connection.publish(message)] = (topic, .now)
    }

    /// Says that the rig lives if that is due and the watch does; returns when it is due next.
    private mutating func sendSeen() throws(BrokerError) -> Instant {
        let now = Instant.now
        guard isComplete else { return now.advanced(bySeconds: Self.pulse) }
        guard now >= nextPulse else { return nextPulse }
        guard isWatching(at: now) else { return now.advanced(bySeconds: 1) }
        try sendSeen(at: now)
        return nextPulse
    }

    /// Whether the watch said lately that it lives.
    private func isWatching(at now: Instant) -> Bool {
        publisher.state.withLock(\.confirmed).seconds(to: now) <= Self.patience
    }

    /// Whether the newest report holds: the watch lives, and would have noticed a change.
    private func isCurrent(at now: Instant) -> Bool {
        guard isWatching(at: now) else { return false }
        return publisher.state.withLock(\.busySince).map { $0.seconds(to: now) <= Self.work } ?? true
    }

    /// Tells the readers that asked which report holds, if it does.
    private mutating func answerAsks() throws(BrokerError) {
        guard !asks.isEmpty else { return }
        let now = Instant.now
        let words = asks.takeWords(at: now)
        guard let answer, isCurrent(at: now) else { return }
        for word in words {
            let topic = FleetTopic.answer(word).path(of: publisher.name)
            try connection.announce(MQTTMessage(topic: topic, payload: Array(answer.utf8)))
        }
    }

    private mutating func sendSeen(at now: Instant) throws(BrokerError) {
        let time = Array(RigIdentity.now.utf8)
        others.note(own: time)
        try send(.seen, time)
        nextPulse = now.advanced(bySeconds: Self.pulse)
    }

    /// Says that the rig is offline, and ends the connection once that is acknowledged.
    private mutating func takeLeave() throws(BrokerError) {
        let deadline = Instant.now.advanced(bySeconds: 1)
        if isComplete { try sendUnsent() }
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
            case .acknowledged(let identifier):
                if let topic = inFlight.removeValue(forKey: identifier)?.topic { copies.noteAcknowledged(topic) }
            case .message(let message): hear(message)
            case .subscribed(ownFilter, isGranted: false): noteRefusal()
            case .unsubscribed(fence): copies.endReading(at: .now)
            case .subscribed, .unsubscribed: break
            }
        }
    }

    private mutating func hear(_ message: MQTTMessage) {
        guard let (rig, topic) = FleetTopic.parse(message.topic), rig == publisher.name else { return }
        switch topic {
        case .seen: if !message.isRetained { others.hear(message.payload, at: .now) }
        case .ask: asks.take(message)
        case .answer: break
        case .state, .report, .run, .discovery: copies.hear(topic, message)
        }
    }

    // MARK: Checking

    /// Throws if an acknowledgement is overdue; has topics sent again that are not as they should be, and returns when to
    /// look again.
    private mutating func check() throws(BrokerError) -> Instant {
        let now = Instant.now
        var next = now.advanced(bySeconds: Self.pulse)
        if let oldest = inFlight.values.map(\.sent).min() {
            next = oldest.advanced(bySeconds: Self.acknowledgement)
            guard now < next else {
                throw BrokerError(
                    .lost, connection.url,
                    "it did not acknowledge a message for \(Int(Self.acknowledgement)) s: overloaded, without a quorum, "
                        + "or its storage is full")
            }
        }
        guard isComplete else { return next }
        warnIfUnheard(at: now)
        // Another machine of the same name corrects too: after that only the state is corrected.
        let isTaken = wasTaken
        if let due = copies.correct(at: now, only: { $0 == .state || !isTaken }) { next = min(next, due) }
        if copies.hasMoreToRemove { nextReading = min(nextReading, now.advanced(bySeconds: Self.readings[0])) }
        if now >= nextReading {
            if readings.count > 1 { readings.removeFirst() }
            nextReading = now.advanced(bySeconds: readings[readings.startIndex])
            try read()
        }
        return min(next, nextReading)
    }

    /// Subscribes to everything that the rig publishes; returns the subscription to its own topics, since it may not be
    /// allowed to read the other one.
    private func subscribe() throws(BrokerError) -> CInt {
        if publisher.isAnnounced { _ = try connection.subscribe(FleetTopic.discovery.path(of: publisher.name)) }
        return try connection.subscribe(FleetTopic.filter(of: publisher.name))
    }

    /// Has the broker send what it keeps of this rig.
    private mutating func read() throws(BrokerError) {
        guard heard.contains(.state) else { return }
        copies.beginReading()
        _ = try subscribe()
        fence = try connection.unsubscribe(FleetTopic.fence)
    }

    /// Tells once that this user may not read the rig's own topics: nothing is corrected, and no reader is answered.
    private mutating func noteRefusal() {
        guard heard.remove(.state) != nil else { return }
        publisher.log(
            .warning,
            "\(connection.url) does not let this user read \(FleetTopic.filter(of: publisher.name)): the rig hears no "
                + "question, so rigready fleet cannot tell whether it lives; allow it to read and write them")
    }

    /// Tells once of each that the broker acknowledges and does not pass on: in MQTT 3.1.1 a publication that is not
    /// allowed is acknowledged too.
    private mutating func warnIfUnheard(at now: Instant) {
        for topic in [FleetTopic.state, .discovery] where heard.contains(topic) {
            guard let silence = copies.silence(of: topic, at: now), silence > Self.acknowledgement else { continue }
            heard.remove(topic)
            let topics = topic == .state ? FleetTopic.filter(of: publisher.name) : topic.path(of: publisher.name)
            publisher.log(
                .warning,
                "\(connection.url) acknowledges and does not pass on: this user must be allowed to write and read \(topics)"
            )
        }
    }
}
