import DriverKit
import LocalRig
import Readiness
import Support
import Testing
@testable import Evdev

/// The driver in a probe: recorded, replayed, and beside another driver that looks for the same kinds.
@Suite struct ReplayTests {
    private static let limit = ProbeLimit(.seconds(2))

    private func recorded(_ world: FakeWorld) throws -> (inventory: Inventory, recording: Recording) {
        let recorder = Recorder()
        let binding = DriverBinding(EvdevDriver(), in: RecordingWorld(world, of: "evdev", to: recorder))
        let inventory = try Probe([binding]).inventory(depth: .sample, limit: Self.limit)
        let header = Recording.Header(
            version: "0.1.0", takenAt: "2026-11-21T09:00:00.000Z", host: "bench-07", kernel: "6.1.0", boot: "1",
            user: "ci", uid: 1001, drivers: ["evdev"], depth: .sample, gpsd: "127.0.0.1:2947", iio: [], timeout: 2,
            waitFix: 0, criteria: FixCriteria())
        return (inventory, Recording(header: header, from: recorder))
    }

    private func replayed(_ recording: Recording) throws -> Inventory {
        try Probe([DriverBinding(EvdevDriver(), in: ReplayWorld(recording, of: "evdev"))])
            .inventory(depth: .sample, limit: Self.limit)
    }

    @Test(arguments: [true, false])
    func `a recording gives the same sensors`(delivers: Bool) throws {
        let world = delivers ? FakeWorld.controller() : FakeWorld.controller(reads: [])
        let (live, recording) = try recorded(world)
        #expect(live.sensors.count == 2)
        let again = try replayed(try Recording(parsing: recording.serialized(), file: "rig.jsonl"))
        #expect(again.sensors == live.sensors && again.obstacles == live.obstacles)
        #expect(again.drivers.map(\.searched) == live.drivers.map(\.searched))
    }

    @Test func `an anonymous recording keeps the frames`() throws {
        let (live, recording) = try recorded(.controller())
        let anonymous = recording.anonymized(by: [EvdevAnonymizer()])
        #expect(try replayed(anonymous).sensors.map(\.reading) == live.sensors.map(\.reading))
    }

    /// A driver that looks for both kinds of motion sensor and finds what it is given.
    private struct OtherDriver: Driver {
        let enumeration: Enumeration
        var name: String { "other" }
        var kinds: [SensorKind] { [.accelerometer, .gyroscope] }
        var causeWhenStalled: Cause { .indeterminate }
        func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
            OtherSession(enumeration)
        }
    }
    private final class OtherSession: Session {
        private let listed: Enumeration
        init(_ listed: Enumeration) { self.listed = listed }
        func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration { listed }
        func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
            Finding(candidate.sensor)
        }
        func cancel() {}
    }

    private func results(_ world: FakeWorld, beside other: Enumeration) throws -> [Requirement: RequirementResult] {
        let bindings = [
            DriverBinding(OtherDriver(enumeration: other), in: world), DriverBinding(EvdevDriver(), in: world),
        ]
        let inventory = try Probe(bindings).inventory(depth: .sample, limit: Self.limit)
        let results = RequirementEvaluator(inventory, Authorizations(access: inventory)).results()
        return Dictionary(uniqueKeysWithValues: results.map { ($0.requirement, $0) })
    }

    @Test func `one driver's good sensor is enough beside another's bad one`() throws {
        let silent = Sensor(
            key: "i2c-1/1-0068", kind: .accelerometer, name: "chip", driver: "other",
            availability: .unavailable(.silent), access: .readable, detail: "says nothing")
        let results = try results(
            .controller(), beside: Enumeration(candidates: [SensorCandidate(silent, isOpen: false)]))
        #expect(
            results[.accelerometer]?.status == .met && results[.accelerometer]?.decidedBy == ["uhid/0003:054C:0CE6"])
        #expect(results[.gyroscope]?.status == .met && results[.motion]?.status == .met)
    }

    @Test func `what no driver found is absent, and both say where they looked`() throws {
        let searched = Evidence(path: "/sys/bus/other", said: "no device")
        let absent = try results(FakeWorld(), beside: Enumeration(searched: searched))
        #expect(absent[.gyroscope]?.cause == .absent)
        #expect(absent[.gyroscope]?.evidence.map(\.path) == ["/sys/bus/other", "/sys/class/input"])
    }

    @Test func `what one driver could not look for is unknown, unless the other has a good one`() throws {
        let obstacle = Obstacle(kind: .gyroscope, cause: .indeterminate, detail: "cannot be listed")
        let unknown = try results(FakeWorld(), beside: Enumeration(obstacles: [obstacle]))
        #expect(unknown[.gyroscope]?.status == .unknown && unknown[.accelerometer]?.cause == .absent)
        let met = try results(.controller(), beside: Enumeration(obstacles: [obstacle]))
        #expect(met[.gyroscope]?.status == .met)
    }
}
