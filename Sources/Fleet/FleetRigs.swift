internal import DriverKit
internal import Glibc
package import Readiness
internal import Rendering

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
    private(set) var isCut = false

    /// The number of rigs.
    var count: Int { rigs.count }

    /// The names, in order.
    var names: [RigName] { rigs.keys.sorted() }

    /// Takes a message; returns the rig that it concerns.
    @discardableResult
    mutating func take(_ message: MQTTMessage) -> RigName? {
        guard let (name, topic) = FleetTopic.parse(message.topic) else {
            strangers += 1
            return nil
        }
        var rig = rigs.removeValue(forKey: name)
        if rig == nil {
            guard message.size > 0 else { return nil }
            guard rigs.count < Self.limit else {
                isCut = true
                return nil
            }
        }
        rig = rig ?? FleetRig()
        guard var rig else { return nil }
        size -= rig.size
        rig.take(topic, message, room: Self.room - size)
        size += rig.size
        if !rig.isEmpty { rigs[name] = rig }
        return name
    }

    /// What is told of each rig now, by name.
    package func standings(asked: ServiceSet?) -> [(name: RigName, standing: RigStanding)] {
        let now = FleetClock.now
        return names.compactMap { name in rigs[name].map { (name, $0.standing(at: now, asked: asked)) } }
    }

    /// What is told of one rig now.
    package func standing(of name: RigName, asked: ServiceSet?) -> RigStanding? {
        rigs[name]?.standing(at: .now, asked: asked)
    }
}

extension FleetClock {
    /// This moment.
    static var now: FleetClock {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return FleetClock(seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9, instant: .now)
    }
}
