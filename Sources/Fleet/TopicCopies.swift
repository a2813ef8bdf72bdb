internal import DriverKit

/// What a rig publishes, topic by topic, and what the broker has of it.
///
/// A broker's copy can be another than what was published last: the will of an earlier connection came late, a node that
/// was frozen delivered what it still had, somebody else wrote there, or a cluster that was electing a leader acknowledged
/// a message and did not keep it (NATS 2.9). So what the broker passes on is compared, and what it keeps is read again.
struct TopicCopies {
    private struct Copy {
        var wanted: [UInt8]
        /// What was sent last on this connection.
        var sent: [UInt8]?
        var unacknowledged = 0
        /// What the broker passed on last; any other content stands for one that is larger than what is wanted.
        var heard: [UInt8]?
        /// Whether the broker passed on what is wanted, so that anything else came after it.
        var isConfirmed = false
        /// When something was acknowledged or passed on last, and when it was last published again.
        var changed = Instant.now
        var corrected: Instant?

        var isSettled: Bool { sent == wanted && unacknowledged == 0 }
    }

    /// Seconds for which a topic must be unchanged before it is compared with what was published, and between two times
    /// that it is published again.
    static let quiet = 1.0
    /// The most results to be removed at a time: anybody can have written more of them.
    static let removalLimit = 64

    private var copies: [FleetTopic: Copy] = [:]
    /// Whether more results are to be removed than are looked at.
    private var isCut = false
    /// What the broker has sent of what it keeps, while that is read.
    private var kept: Set<FleetTopic>?

    var isSettled: Bool { copies.values.allSatisfy(\.isSettled) }

    func has(_ topic: FleetTopic) -> Bool { copies[topic] != nil }

    /// Whether the broker has passed on a topic, and else for how many seconds it could have.
    func silence(of topic: FleetTopic, at now: Instant) -> Double? {
        guard let copy = copies[topic], copy.isSettled, copy.heard == nil else { return nil }
        return copy.changed.seconds(to: now)
    }

    // MARK: Sending

    mutating func want(_ topic: FleetTopic, _ payload: [UInt8]) {
        copies[topic, default: Copy(wanted: payload)].wanted = payload
    }

    /// Removes the results of other services than these.
    mutating func wantOnlyRuns(_ topics: Set<FleetTopic>) {
        for topic in copies.keys where !topics.contains(topic) {
            if case .run = topic { copies[topic]?.wanted = [] }
        }
    }

    /// The topics that have to be sent, with their contents: the report first, since others decide by it, and the state last.
    var unsent: [(topic: FleetTopic, payload: [UInt8])] {
        func rank(_ topic: FleetTopic) -> Int { topic == .report ? 0 : topic == .state ? 2 : 1 }
        return copies.filter { $0.value.sent != $0.value.wanted }.map { ($0.key, $0.value.wanted) }
            .sorted { rank($0.0) < rank($1.0) }
    }

    mutating func noteSent(_ topic: FleetTopic) {
        guard var copy = copies[topic] else { return }
        copy.sent = copy.wanted
        copy.isConfirmed = false
        copy.unacknowledged += 1
        copies[topic] = copy
    }

    mutating func noteAcknowledged(_ topic: FleetTopic) {
        copies[topic]?.unacknowledged -= 1
        copies[topic]?.changed = .now
        forgetIfRemoved(topic)
    }

    // MARK: Comparing

    mutating func hear(_ topic: FleetTopic, _ message: MQTTMessage) {
        // A result of a service that is not wanted is one to remove.
        if copies[topic] == nil, case .run = topic, message.size > 0 {
            isCut = isCut || removals.count == Self.removalLimit
            if removals.count < Self.removalLimit { copies[topic] = Copy(wanted: [], sent: []) }
        }
        guard var copy = copies[topic] else { return }
        if message.isRetained { kept?.insert(topic) }
        copy.heard = message.size <= copy.wanted.count ? message.payload : [0]
        if copy.heard == copy.wanted { copy.isConfirmed = true }
        copy.changed = .now
        copies[topic] = copy
        forgetIfRemoved(topic)
    }

    private var removals: [FleetTopic] {
        copies.compactMap { topic, copy in
            if case .run = topic, copy.wanted.isEmpty { topic } else { nil }
        }
    }

    /// Whether more results are to be removed, which are heard when everything is read again.
    var hasMoreToRemove: Bool { isCut && removals.isEmpty }

    private mutating func forgetIfRemoved(_ topic: FleetTopic) {
        guard case .run = topic, let copy = copies[topic], copy.wanted.isEmpty, copy.isSettled, copy.heard == [] else {
            return
        }
        copies[topic] = nil
    }

    /// Has those topics sent again that are not as they should be; returns when to look again, if any is not.
    mutating func correct(at now: Instant, only chosen: (FleetTopic) -> Bool) -> Instant? {
        var next: Instant?
        for (topic, copy) in copies where copy.isSettled && chosen(topic) {
            guard let heard = copy.heard, heard != copy.wanted else { continue }
            // An earlier publication of this process may still be passed on after a later one was acknowledged.
            let quiet = copy.isConfirmed ? now : copy.changed.advanced(bySeconds: Self.quiet)
            let due = max(quiet, copy.corrected?.advanced(bySeconds: Self.quiet) ?? quiet)
            if now >= due { sendAgain(topic, at: now) }
            next = min(next ?? due, max(due, now))
        }
        return next
    }

    /// Begins to note which topics the broker keeps.
    mutating func beginReading() {
        kept = []
        isCut = false
    }

    /// Ends it: what the broker passed on and does not keep is sent again.
    mutating func endReading(at now: Instant) {
        guard let kept else { return }
        for (topic, copy) in copies where copy.isSettled && !copy.wanted.isEmpty && !kept.contains(topic) {
            if copy.heard != nil { sendAgain(topic, at: now) }
        }
        self.kept = nil
    }

    private mutating func sendAgain(_ topic: FleetTopic, at now: Instant) {
        copies[topic]?.sent = nil
        copies[topic]?.corrected = now
    }
}
