@testable import LocalRig
import DriverKit
import Glibc
import Readiness
import Support
import Synchronization
import SystemPackage
import Testing

/// A read that outlasts the probe: recorded as never answered, and replayed to the same result without the wait.
@Suite struct UnansweredTests {
    private static let timeout = 1.5

    /// The demo, with files that are never read to the end, or too late.
    private final class StuckWorld: World {
        private let world: any World
        private let isStuck: @Sendable (FilePath) -> Bool
        private let isOpen = Mutex(false)

        init(_ world: any World, where isStuck: @escaping @Sendable (FilePath) -> Bool) {
            self.world = world
            self.isStuck = isStuck
        }

        func release() { isOpen.withLock { $0 = true } }

        func now() -> Instant { world.now() }
        func devices(in subsystem: String) throws(DriverError) -> [FilePath] { try world.devices(in: subsystem) }
        func modules(for alias: String) throws(DriverError) -> [String] { try world.modules(for: alias) }
        func entries(of folder: FilePath) throws(DriverError) -> [String] { try world.entries(of: folder) }
        func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
            guard isStuck(file) else { return try world.contents(of: file, limit: limit) }
            while !isOpen.withLock(\.self) { usleep(2000) }
            return Array("0\n".utf8)
        }
        func status(of node: FilePath) throws(DriverError) -> NodeStatus { try world.status(of: node) }
        func account() throws(DriverError) -> Account { try world.account() }
        func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
            try world.channel(to: endpoint, until: deadline)
        }
    }

    private func timeless(_ inventory: Inventory) -> Inventory {
        var inventory = inventory
        for index in inventory.drivers.indices { inventory.drivers[index].elapsedMilliseconds = 0 }
        return inventory
    }

    /// The results of a driver on the demo while files block, and those of the recording of that.
    private func twice(
        _ name: String, where isStuck: @escaping @Sendable (FilePath) -> Bool, late: Bool = false
    ) throws -> (live: Inventory, replayed: Inventory, recording: Recording) {
        let demo = try Demo.recording()
        let driver = try #require(
            BundledDrivers.drivers().first { $0.name == name })
        let recorder = Recorder()
        let stuck = StuckWorld(ReplayWorld(demo, of: name), where: isStuck)
        let world = RecordingWorld(stuck, of: name, to: recorder, until: .seconds(Self.timeout))
        let live = try Probe([DriverBinding(driver, in: world)]).inventory(
            depth: .sample, limit: ProbeLimit(.seconds(Self.timeout)))
        if late {
            // The kernel gives up, and returns zero with success, while events are still recorded.
            stuck.release()
            usleep(50_000)
        }
        var header = demo.header
        header.timeout = Self.timeout
        let recording = try Recording(
            parsing: Recording(header: header, from: recorder).serialized(), file: "stuck")
        stuck.release()
        let posts = [DriverBinding(driver, in: ReplayWorld(recording, of: name))]
        let replayed = try Probe(posts).inventory(depth: .sample, limit: ProbeLimit(.seconds(Self.timeout)))
        return (timeless(live), timeless(replayed), recording)
    }

    @Test(arguments: [false, true])
    func `a frozen hub is reported as in the live probe`(late: Bool) throws {
        let (live, replayed, recording) = try twice(
            "iio",
            where: { $0.string.contains("HID-SENSOR-200073") && $0.lastComponent?.string == "in_accel_x_raw" },
            late: late)
        let stuck = try #require(live.sensors.first { $0.detail?.hasPrefix("no answer within 1.") == true })
        #expect(stuck.availability == .unavailable(.silent))
        #expect(replayed == live)
        // A busy machine may leave others unanswered as well.
        let entries = recording.entries.filter { $0.isUnanswered && $0.of.hasSuffix("in_accel_x_raw") }
        let entry = try #require(entries.first)
        #expect(entries.count == 1)
        // It is recorded where the wait ended.
        #expect(entry.at <= Self.timeout)
        #expect(recording.entries.map(\.at) == recording.entries.map(\.at).sorted())
        // And remains so without the names.
        let anonymous = recording.anonymized()
        #expect(anonymous.entries.map(\.isUnanswered) == recording.entries.map(\.isUnanswered))
    }

    @Test func `a driver that is completely stuck is reported as in the live probe`() throws {
        let (live, replayed, _) = try twice("gpsd", where: { $0.lastComponent?.string == "hostname" })
        #expect(live.obstacles.map(\.detail) == ["gpsd did not answer within 1.5 s"])
        #expect(replayed == live)
    }
}
