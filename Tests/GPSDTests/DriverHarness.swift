import DriverKit
import GPSD
import Readiness
import Support

/// One probe of the GPSD driver alone.
struct DriverHarness {
    var enumeration: Enumeration
    var findings: [Finding]

    /// The only finding, or else the only listed sensor.
    var sensor: Sensor? { findings.first?.sensor ?? enumeration.candidates.first?.sensor }
    var position: PositionReading? {
        guard case .position(let position)? = sensor?.reading else { return nil }
        return position
    }
    var notices: [Notice.ID] { findings.flatMap(\.notices).map(\.id) }
    /// Everything as text, to search for what must not be in it.
    var text: String { "\(self)" }

    init(
        _ world: any World, port: UInt16 = 2947, host: String = "127.0.0.1", _ depth: Depth = .sample,
        criteria: FixCriteria = FixCriteria(), waitForFix: Double = 0, seconds: Double = 2
    ) throws {
        let driver = GPSDDriver(HostPort(host: host, port: port), criteria: criteria, waitForFix: waitForFix)
        let deadline = world.now().advanced(bySeconds: seconds + waitForFix)
        let session = try driver.open(world, until: deadline)
        enumeration = try session.enumeration(depth, until: deadline)
        findings = enumeration.candidates.filter(\.isOpen).map { session.look(at: $0, depth, until: deadline) }
    }

    /// A probe of a scripted gpsd, whose receiver's node exists or cannot be seen.
    init(
        _ channel: TimedChannel, _ depth: Depth = .sample, criteria: FixCriteria = FixCriteria(),
        waitForFix: Double = 0, seconds: Double = 2, hasNode: Bool = false
    ) throws {
        var world = FakeWorld()
        if hasNode { world.nodes[Recorded.path] = NodeStatus(owner: 0, group: 20, mode: 0o660, readable: true) }
        world.clock = { channel.now }
        world.channels[.gpsd(host: "127.0.0.1", port: 2947)] = { channel }
        try self.init(world, depth, criteria: criteria, waitForFix: waitForFix, seconds: seconds)
    }
}
