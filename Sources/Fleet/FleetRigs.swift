package import Readiness

/// Every rig that a broker has something of.
///
/// The messages can be anybody's, so there is a bound to rigs, to each message and to all of them.
package struct FleetRigs: Sendable {
    /// The most rigs that are kept.
    static let limit = 20_000
    /// The most bytes of reports whose contents are kept.
    static let room = 192 << 20

    private var rigs: [RigName: FleetRig] = [:]
    private var size = 0
    /// The number of topics below `rigready/` that are none of the fleet.
    private(set) var strangers = 0
    /// Whether there were more rigs than are kept.
    package private(set) var isCut = false
    private(set) var areAsked = false
    private(set) var answers = 0
    /// The rigs that would count, and have not said that they do; and those of them that are still to be asked.
    private var unconfirmed: Set<RigName> = []
    private var unasked: Set<RigName> = []

    /// Takes a message; returns the rig that it concerns.
    @discardableResult
    mutating func take(_ message: MQTTMessage) -> RigName? {
        guard let (name, topic) = FleetTopic.parse(message.topic) else {
            strangers += 1
            return nil
        }
        let known = rigs.removeValue(forKey: name)
        if known == nil {
            guard message.size > 0 else { return nil }
            guard rigs.count < Self.limit else {
                isCut = true
                return nil
            }
        }
        if case .answer = topic, !message.isRetained { answers += 1 }
        var rig = known ?? FleetRig()
        size -= rig.size
        rig.take(topic, message, room: Self.room - size)
        size += rig.size
        if !rig.isEmpty { rigs[name] = rig }
        if areAsked { examine(name, at: .now) }
        return name
    }

    // MARK: Asking

    /// Has each rig asked from now on before it counts.
    mutating func beginAsking() {
        areAsked = true
        let now = FleetClock.now
        for name in rigs.keys { examine(name, at: now) }
    }

    private mutating func examine(_ name: RigName, at now: FleetClock) {
        guard let rig = rigs[name], rig.isUnconfirmed(at: now) else {
            unconfirmed.remove(name)
            unasked.remove(name)
            return
        }
        unconfirmed.insert(name)
        if !rig.isAsked { unasked.insert(name) }
    }

    var areConfirmed: Bool { unconfirmed.isEmpty }

    /// The rigs that are to be asked now, once each.
    mutating func takeUnasked() -> Set<RigName> {
        for name in unasked { rigs[name]?.isAsked = true }
        defer { unasked = [] }
        return unasked
    }

    /// The rigs that were asked and have not said that they count, and whether each said that it has another report.
    var unanswered: [(name: RigName, hasOldReport: Bool)] {
        unconfirmed.compactMap { name in rigs[name].map { (name, $0.hasOldReport) } }
    }

    /// What is told of each rig now, by name.
    package func standings(asked: ServiceSet?) -> [(name: RigName, standing: RigStanding)] {
        let now = FleetClock.now
        return rigs.keys.sorted().compactMap { name in
            rigs[name].map { (name, $0.standing(at: now, asked: asked, mustAnswer: areAsked)) }
        }
    }

    /// What is told of one rig now; nil if nothing is left of it.
    package func standing(of name: RigName, asked: ServiceSet?) -> RigStanding? {
        rigs[name]?.standing(at: .now, asked: asked, mustAnswer: areAsked)
    }
}
