import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import Bluetooth

/// What bluetoothd reports on the system bus, where the kernel's sockets are out of reach.
@Suite("BlueZ")
struct BlueZTests {
    private static func adapter(_ index: Int, powered: String, state: String? = nil, roles: [String] = []) -> String {
        let path = "/org/bluez/hci\(index)\torg.bluez.Adapter1"
        return [
            "\(path)\tAddress\t00:AA:01:00:00:0\(index)", "\(path)\tAlias\tbench",
            state.map { "\(path)\tPowerState\t\($0)" }, "\(path)\tPowered\t\(powered)",
            roles.isEmpty ? nil : roles.map { "\(path)\tRoles\t\($0)" }.joined(separator: "\n"),
        ].compactMap(\.self).joined(separator: "\n")
    }

    /// A container without Bluetooth sockets, with a bluetoothd that gives this answer.
    private func container(_ answer: String, sockets: Errno = .addressFamilyNotSupported) -> Rig {
        var rig = Rig()
        rig.world.add("/.dockerenv", "")
        rig.world.files["/proc/sys/net/core/dev_weight"] = nil
        rig.refuse(.management, sockets)
        rig.serve(.bluez) { FakeChannel { $0 == BlueZAdapters.call.frame ? [Array(answer.utf8)] : [] } }
        return rig
    }

    @Test func `a controller is on or off, and its evidence names the bus`() throws {
        let both = [Self.adapter(0, powered: "true"), Self.adapter(1, powered: "false")].joined(separator: "\n")
        var rig = container(both)
        rig.list("hci0")
        rig.list("hci1")
        let enumeration = try rig.enumeration()
        #expect(enumeration.sensors.map(\.availability) == [.available, .unavailable(.poweredOff)])
        #expect(enumeration.sensors.map(\.key) == ["00:AA:01:00:00:00", "00:AA:01:00:00:01"])
        #expect(enumeration.sensors.allSatisfy { $0.evidence.first?.path == "org.bluez on the system bus" })
        #expect((enumeration.access, enumeration.state) == (.readable, .ok))
        #expect(enumeration.accessEvidence?.errno == "EAFNOSUPPORT")
        #expect(enumeration.notices.map(\.id) == [.containerized])
    }

    @Test(
        arguments: [
            // Before BlueZ 5.55 there are no roles; one without Low Energy has none of them.
            ([], .available, nil), ([""], .unavailable(.lowEnergyOff), false),
            (["central", "peripheral"], .available, nil), (["peripheral"], .unavailable(.lowEnergyOff), false),
        ] as [([String], Availability, Bool?)])
    func `its roles show whether a controller supports Low Energy`(
        roles: [String], availability: Availability, lowEnergy: Bool?
    ) throws {
        let sensor = try #require(
            try container(Self.adapter(0, powered: "true", roles: roles)).enumeration().sensors.first)
        #expect(sensor.availability == availability)
        #expect(sensor.adapter?.lowEnergy == lowEnergy)
        #expect(sensor.adapter?.state == (lowEnergy == false ? .unsupported : .poweredOn))
    }

    @Test func `a recording made before the roles were asked for still shows the controllers`() throws {
        var rig = container("")
        let answer = Array(Self.adapter(0, powered: "true").utf8)
        rig.serve(.bluez) {
            FakeChannel(onlyRecorded: BlueZAdapters.callWithoutRoles.frame) { _ in [answer] }
        }
        #expect(try rig.enumeration().sensors.map(\.availability) == [.available])
    }

    @Test func `rfkill in sysfs tells which block it is, and BlueZ alone only that there is one`() throws {
        let blocked = Self.adapter(0, powered: "false", state: "off-blocked")
        var rig = container(blocked)
        #expect(try rig.enumeration().sensors.first?.detail == "blocked by rfkill")
        rig.addSwitch(0, "hci0", hard: true)
        #expect(try rig.enumeration().sensors.map(\.availability) == [.unavailable(.hardBlocked)])
        rig = container(Self.adapter(0, powered: "false"))
        rig.addSwitch(0, "hci0", soft: true)
        #expect(try rig.enumeration().sensors.map(\.availability) == [.unavailable(.softBlocked)])
        rig = container(Self.adapter(0, powered: "false"))
        rig.world.errors["/sys/class/rfkill"] = .permissionDenied
        rig.world.errors["/sys/class"] = .permissionDenied
        #expect(
            try rig.enumeration().sensors.first?.detail == "powered off; whether rfkill blocks it cannot be read")
    }

    @Test func `a controller that BlueZ does not list is busy, and none at all is absent`() throws {
        var rig = container(Self.adapter(0, powered: "true"))
        rig.list("hci0")
        rig.list("hci1")
        #expect(try rig.enumeration().sensors.map(\.availability) == [.available, .unavailable(.indeterminate)])
        rig = container("")
        #expect(try rig.enumeration().obstacles.map(\.cause) == [.absent])
        rig.world.errors["/sys/class/bluetooth"] = .permissionDenied
        #expect(try rig.enumeration().obstacles.map(\.cause) == [.indeterminate])
    }

    @Test func `a refusal of the sockets is no denial while bluetoothd may permit Bluetooth`() throws {
        var rig = container(Self.adapter(0, powered: "true"), sockets: .notPermitted)
        #expect(try rig.enumeration().access == .readable)
        // Whether bluetoothd would permit it is unknown.
        rig.serve(.bluez) { FakeChannel(ends: true) }
        #expect(try rig.enumeration().access == .unknown)
        rig.refuse(.bluez, .noSuchFileOrDirectory)
        #expect(try rig.enumeration().access == .denied)
        rig = container(Self.adapter(0, powered: "true"), sockets: .notPermitted)
        rig.world.files["/.dockerenv"] = nil
        #expect(try rig.enumeration().access == .readable)
    }

    @Test(arguments: [
        (Errno.noSuchFileOrDirectory, "--volume /run/dbus/system_bus_socket"), (.connectionRefused, "start bluetooth"),
        (.permissionDenied, "policy"), (.ioError, "restart bluetooth"),
    ])
    func `why BlueZ does not answer has its own remedy`(errno: Errno, remedy: String) throws {
        var rig = container("")
        rig.refuse(.bluez, errno)
        let obstacle = try #require(try rig.enumeration().obstacles.first)
        #expect(obstacle.cause == .indeterminate && obstacle.evidence.contains { $0.errno == errno.name })
        let isRefusal = errno == .permissionDenied
        #expect((obstacle.remedies.first?.words.hasPrefix("run it on the host") == true) != isRefusal)
        // A container has no init system of the host's, so nothing is a command to run in it.
        #expect(obstacle.remedies.allSatisfy { if case .command = $0 { false } else { true } })
        #expect(obstacle.remedies.last?.words.contains(remedy) == true, "\(obstacle.remedies)")
    }

    @Test func `at depth presence the bus is not opened`() throws {
        var rig = container("")
        rig.serve(.bluez) {
            Issue.record("opened the bus")
            return FakeChannel()
        }
        _ = try rig.enumeration(.presence)
    }

    @Test func `an adapter without its address or power is faulty, others are as they are`() throws {
        let path = "/org/bluez/hci1\torg.bluez.Adapter1"
        let bad = "\(path)\tPowered\tperhaps\n\(path)\tAddress\tx"
        let enumeration = try container([Self.adapter(0, powered: "true"), bad].joined(separator: "\n")).enumeration()
        #expect(enumeration.sensors.map(\.availability) == [.available, .unavailable(.faulty)])
    }

    @Test func `mutants of an answer do no harm`() throws {
        let seeds = [Self.adapter(0, powered: "true"), Self.adapter(1, powered: "false", state: "off-blocked")]
        for mutant in Mutations(of: seeds.map { Array($0.utf8) }, count: 5000) {
            let values = BusValues(parsing: mutant)
            #expect(BusValues(parsing: BusValues.frame(of: values.values)) == values)
            _ = BlueZAdapters.answers(parsing: mutant)
        }
    }

    @Test func `a call is read as it was written`() {
        #expect(BusCall(BlueZAdapters.call.frame) == BlueZAdapters.call)
        #expect(BusCall(Array("call / a b -".utf8)) == nil && BusCall(BusCall.watch) == nil)
    }
}
