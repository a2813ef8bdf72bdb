import DriverKit
import Readiness
import Support
import Synchronization
import SystemPackage
import Testing
@testable import Bluetooth

/// Who may use Bluetooth: whom bluetoothd answers, or, where it does not run, who has CAP_NET_ADMIN.
@Suite("Rights")
struct RightsTests {
    private static let administrator: UInt64 = 1 << 12
    private static let refusal =
        "Rejected send message, 2 matched rules; type=\"method_call\", sender=\":1.7\" (uid=1000 pid=9 label=\"AppArmor\")"

    private static func error(_ code: DriverError.Code, _ errno: Errno? = nil, _ detail: String = "") -> DriverError {
        DriverError(code, errno: errno, subject: Endpoint.bluez.description, detail: detail)
    }

    /// A rig whose management socket shows one controller that is on.
    private func rig(_ bus: DriverError? = nil) -> Rig {
        var rig = Rig()
        rig.list("hci0")
        rig.answer([(0, 0)], with: [Packets.information(0)])
        if let bus { rig.refuseBus(bus) }
        return rig
    }

    @Test(
        arguments: [
            (nil, .readable, .readable, "bluetoothd answered", false),
            (error(.refused, .permissionDenied, refusal), .denied, .denied, "Rejected send message", false),
            (error(.refused, .notPermitted), .unknown, .unknown, "Operation not permitted", false),
            (.unowned("org.bluez", subject: Endpoint.bluez.description), .unknown, .readable, "is not running", true),
            (error(.refused, .noSuchFileOrDirectory), .unknown, .readable, "is not running", true),
            (error(.refused, .connectionRefused), .unknown, .readable, "is not running", true),
            (error(.timedOut), .unknown, .unknown, "did not answer", false),
            (error(.closed, .connectionReset), .unknown, .unknown, "did not answer", false),
            (error(.malformed, nil, "an answer that cannot be read"), .unknown, .unknown, "cannot be read", false),
            (error(.refused, .ioError, "org.bluez.Error.Failed"), .unknown, .unknown, "did not answer", false),
            (error(.unsupported), .unknown, .unknown, "did not answer", false),
            (error(.notRecorded), .readable, .readable, "recorded without asking bluetoothd", false),
        ] as [(DriverError?, Access, Access, String, Bool)])
    func `the answer of bluetoothd decides, and CAP_NET_ADMIN where it does not run`(
        bus: DriverError?, plain: Access, administrator: Access, evidence: String, isNoticed: Bool
    ) throws {
        for (capabilities, access) in [(UInt64(0), plain), (Self.administrator, administrator)] {
            var rig = rig(bus)
            rig.world.add("/proc/self/status", Rig.status(capabilities: capabilities))
            rig.world.add("/proc/self/uid_map", "         0          0 4294967295\n")
            let enumeration = try rig.enumeration()
            #expect(enumeration.access == access)
            #expect(enumeration.isAccessLate == (bus?.code == .timedOut))
            #expect(enumeration.accessEvidence?.said.contains(evidence) == true, "\(enumeration)")
            #expect(enumeration.accessRemedies.isEmpty == (access == .readable))
            #expect(enumeration.notices.map(\.id) == (isNoticed ? [.noBluetoothDaemon] : []))
            // The kernel's answer shows the power all the same.
            let sensor = try #require(enumeration.sensors.first)
            #expect(sensor.availability == .available && sensor.adapter?.state == .poweredOn)
            #expect(sensor.access == access && sensor.accessEvidence == enumeration.accessEvidence)
        }
    }

    @Test(
        arguments: [
            // Every capability but that one, and the first user namespace with all of its numbers.
            (~administrator, "0 0 4294967295", false), (~0, "0 0 4294967295", true), (~0, "0 1000 1", false),
            (~0, "0 0 65536", false), (~0, nil, true),
        ] as [(UInt64, String?, Bool)])
    func `a capability counts in the first user namespace alone`(
        capabilities: UInt64, map: String?, counts: Bool
    ) throws {
        var rig = rig()
        rig.stopDaemon()
        rig.world.add("/proc/self/status", Rig.status(capabilities: capabilities))
        if let map { rig.world.add("/proc/self/uid_map", map + "\n") }
        #expect(try rig.enumeration().access == (counts ? .readable : .unknown))
    }

    @Test func `the text of a refusal ends before what differs at each probe`() throws {
        let enumeration = try rig(Self.error(.refused, .permissionDenied, Self.refusal)).enumeration()
        #expect(enumeration.accessEvidence?.said == "Rejected send message, 2 matched rules")
        #expect(enumeration.accessEvidence?.errno == "EACCES")
    }

    @Test(arguments: [nil, error(.refused, .permissionDenied, refusal)])
    func `what bluetoothd answers root is not the right of another user`(bus: DriverError?) throws {
        var rig = rig(bus)
        rig.world.add("/proc/self/status", Rig.status(user: 0, capabilities: ~0))
        rig.world.user = Account(user: 1000, groups: [1000])
        let enumeration = try rig.enumeration()
        #expect(enumeration.access == .unknown)
        #expect(enumeration.accessEvidence?.said.contains("user 1000") == true)
        #expect(enumeration.accessRemedies.first?.words.contains("sudo -u '#1000' rigready") == true)
        // Neither are root's capabilities.
        rig.stopDaemon()
        #expect(try rig.enumeration().access == .unknown)
        rig.world.user = Account(user: 0, groups: [0])
        rig.world.add("/proc/self/uid_map", "0 0 4294967295\n")
        #expect(try rig.enumeration().access == .readable)
    }

    @Test func `a container without a bus leaves it unknown, and says what to mount`() throws {
        var rig = rig(Self.error(.refused, .noSuchFileOrDirectory))
        rig.contain()
        let enumeration = try rig.enumeration()
        #expect(enumeration.access == .unknown && enumeration.notices.isEmpty)
        #expect(enumeration.accessRemedies == [HostMount.systemBus.remedy])
    }

    @Test func `a bus without an end of its answer delays the probe by a share of its time`() throws {
        var rig = rig()
        let limits = Mutex<[Double]>([])
        let now = Instant.now
        rig.world.clock = { now }
        let channel = LimitedChannel { deadline in limits.withLock { $0.append(now.seconds(to: deadline)) } }
        rig.world.channels[.bluez] = { channel }
        for seconds in [2.0, 60] {
            let enumeration = try rig.session().enumeration(.sample, until: now.advanced(bySeconds: seconds))
            #expect(enumeration.access == .unknown && enumeration.sensors.map(\.availability) == [.available])
        }
        #expect(limits.withLock(\.self) == [0.5, 1])
    }

    @Test func `at the start and the end of bluetoothd a host's watch asks again`() throws {
        var rig = rig()
        let stop = "org.bluez\n:1.2\n"
        let other = "org.bluez.Adapter1\n"
        rig.serve(.bluez) { FakeChannel(greeting: [Array(other.utf8), Array(stop.utf8)], ends: true) }
        let changes = Mutex<[Change]>([])
        let monitor = try ChangeMonitor(.state) { change in changes.withLock { $0.append(change) } }
        let daemon = BluetoothDriver().changeSources[2]
        let error = #expect(throws: DriverError.self) { try daemon(rig.world, monitor) }
        #expect(error?.code == .closed)
        // The kernel itself announces what its controllers do.
        #expect(changes.withLock(\.self) == [.listing, .findings])
    }

    @Test(.timeLimit(.minutes(5))) func `damaged answers of the bus grant and deny nothing by themselves`() throws {
        for mutant in Mutations(of: [Array("/org/bluez/hci0\torg.bluez.Adapter1\tPowered\ttrue".utf8)], count: 300) {
            var rig = rig()
            rig.serve(.bluez) { FakeChannel { _ in [mutant] } }
            let enumeration = try rig.enumeration()
            #expect(enumeration.access == .readable)
            #expect(enumeration.sensors.map(\.availability) == [.available])
        }
    }
}

/// A peer that never answers, and notes how long each call may wait.
private final class LimitedChannel: Channel {
    private let note: @Sendable (Instant) -> Void

    init(_ note: @escaping @Sendable (Instant) -> Void) { self.note = note }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {}
    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        note(deadline)
        throw DriverError(.timedOut, subject: Endpoint.bluez.description)
    }
    func cancel() {}
}
