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
        var rig = known ?? FleetRig()
        size -= rig.size
        rig.take(topic, message, room: Self.room - size)
        size += rig.size
        if !rig.isEmpty { rigs[name] = rig }
        return name
    }

    /// The current state of each rig, by name.
    package func standings(asked: ServiceSet?) -> [(name: RigName, standing: RigStatus)] {
        let now = FleetClock.now
        return rigs.keys.sorted().compactMap { name in
            rigs[name].map { (name, $0.standing(at: now, asked: asked)) }
        }
    }

    /// The current state of one rig; nil if the broker has no messages from it.
    package func standing(of name: RigName, asked: ServiceSet?) -> RigStatus? {
        rigs[name]?.standing(at: .now, asked: asked)
    }
}
