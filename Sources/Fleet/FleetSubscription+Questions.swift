package import DriverKit
internal import Rendering

extension FleetSubscription {
    /// Seconds that rigs have to answer.
    private static let patience = 1.0
    /// Seconds after which those that did not are asked again: a route of a cluster may be new, or the rig was asked too often.
    private static let repeats = [0.15, 0.4, 0.7]
    /// The most reports that are read again at a time.
    private static let rereadLimit = 64

    /// Asks every rig that would count whether its report holds, and waits until all have answered, at most for a second or
    /// until the deadline.
    ///
    /// A broker may have stored no word of a rig's end, nor its newest report: a cluster of NATS that elects a leader stores
    /// nothing, and passes on what is not to be kept.
    package func confirm(until deadline: Instant) throws(BrokerError) {
        try beginAsking()
        try ask()
        try awaitAnswers(until: deadline)
    }

    /// Subscribes to the answers, so that every later question has its answer.
    func beginAsking() throws(BrokerError) {
        answerFilter = try connection.subscribe(FleetTopic.filter("answer/\(word)"))
        rigs.beginAsking()
    }

    func ask() throws(BrokerError) {
        guard rigs.areAsked else { return }
        for name in rigs.takeUnasked() {
            try ask(name)
            askedCount += 1
        }
    }

    private func ask(_ name: RigName) throws(BrokerError) {
        try connection.announce(MQTTMessage(topic: FleetTopic.ask.path(of: name), payload: Array(word.utf8)))
    }

    /// What there is to do where no rig answers; nil if one does, or none had to.
    var silence: String? {
        guard askedCount > 0, rigs.answers == 0 else { return nil }
        let rigs = "\(askedCount.counted("rig")) \(askedCount == 1 ? "was" : "were") asked, and none answers"
        let (ask, answer) = (FleetTopic.filter("ask"), FleetTopic.filter("answer/+"))
        return "\(rigs); if they live, allow this user to write \(ask) and to read \(answer)"
    }

    func awaitAnswers(until deadline: Instant) throws(BrokerError) {
        let began = Instant.now
        let deadline = min(deadline, began.advanced(bySeconds: Self.patience))
        var repeats = Self.repeats[...]
        while !rigs.areConfirmed, Instant.now < deadline {
            let next = repeats.first.map(began.advanced(bySeconds:)) ?? deadline
            if Instant.now >= next {
                repeats = repeats.dropFirst()
                try askAgain()
            }
            connection.acknowledgeSegments()
            _ = try connection.wait(waker, until: min(deadline, next))
            for case .message(let message) in connection.takePackets() { rigs.take(message) }
            try ask()
        }
    }

    /// Asks again, and reads the reports again that are old: another node of a cluster may have the newer one.
    private func askAgain() throws(BrokerError) {
        var reread = 0
        for (name, hasOldReport) in rigs.unanswered {
            if hasOldReport, reread < Self.rereadLimit {
                _ = try connection.subscribe(FleetTopic.report.path(of: name))
                reread += 1
            }
            try ask(name)
        }
    }
}
