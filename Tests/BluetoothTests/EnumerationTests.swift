import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import Bluetooth

@Suite("Enumeration of controllers")
struct EnumerationTests {
    @Test func `no controller and no switch is absent`() throws {
        var rig = Rig()
        rig.answer([])
        let enumeration = try rig.enumeration()
        #expect(enumeration.candidates.isEmpty)
        #expect(enumeration.obstacles.map(\.cause) == [.absent])
        #expect(enumeration.access == .readable)
        let said = "/sys/class/bluetooth lists no controller; management index list is empty"
        #expect(enumeration.searched == Evidence(path: "/sys/class/bluetooth", said: said))
        #expect(enumeration.obstacles.first?.evidence == [Evidence(path: "/sys/class/bluetooth", said: said)])
    }

    @Test func `what was searched is named with controllers too`() throws {
        var rig = Rig()
        rig.list("hci0")
        #expect(try rig.enumeration(.presence).searched?.said == "/sys/class/bluetooth lists hci0")
        rig.answer([(0, 0), (1, 0)], with: [Packets.information(0), Packets.information(1)])
        let enumeration = try rig.enumeration()
        #expect(enumeration.searched?.said == "/sys/class/bluetooth lists hci0; management index list has hci0, hci1")
    }

    @Test func `a connection is not a controller`() throws {
        var rig = Rig()
        rig.list("hci0:12")
        rig.answer([])
        #expect(try rig.enumeration().candidates.isEmpty)
        #expect(try rig.enumeration(.presence).candidates.isEmpty)
    }

    @Test(arguments: [(true, false, Cause.softBlocked), (false, true, .hardBlocked), (true, true, .hardBlocked)])
    func `a blocked switch without a controller is blocked, therefore invisible`(soft: Bool, hard: Bool, cause: Cause)
        throws
    {
        var rig = Rig()
        rig.addSwitch(0, "ideapad_bluetooth", soft: soft, hard: hard)
        rig.answer([])
        let obstacle = try #require(try rig.enumeration().obstacles.first)
        #expect(obstacle.cause == cause)
        #expect(obstacle.detail.contains("invisible"))
        #expect(obstacle.remedy != nil)
        #expect(obstacle.evidence.map(\.path) == ["/sys/class/rfkill/rfkill0"])
    }

    @Test func `an open switch without a controller is absent, with the switch as evidence`() throws {
        var rig = Rig()
        rig.addSwitch(0, "ideapad_bluetooth")
        rig.answer([])
        let obstacle = try #require(try rig.enumeration().obstacles.first)
        #expect(obstacle.cause == .absent)
        #expect(obstacle.detail.contains("ideapad_bluetooth"))
        #expect(obstacle.evidence.map(\.path) == ["/sys/class/rfkill/rfkill0", "/sys/class/bluetooth"])
    }

    @Test func `unreadable switches leave absence open`() throws {
        var rig = Rig()
        rig.world.errors["/sys/class/rfkill"] = .permissionDenied
        rig.refuse(.rfkill, .permissionDenied)
        rig.answer([])
        #expect(try rig.enumeration().obstacles.map(\.cause) == [.indeterminate])
    }

    @Test func `the rfkill device is used where sysfs fails, up to the end of its dump`() throws {
        var rig = Rig()
        rig.world.errors["/sys/class/rfkill"] = .permissionDenied
        let dump = [
            Packets.radioEvent(0, type: 1, soft: 1, hard: 1),  // a radio for wireless networks
            Packets.radioEvent(1, soft: 1, hard: 0),
            Packets.radioEvent(2, soft: 0, hard: 1),
            Packets.radioEvent(2, operation: 1, soft: 0, hard: 1),  // removed again
        ]
        rig.serve(.rfkill) { FakeChannel(greeting: dump) }
        rig.answer([])
        #expect(try rig.enumeration().obstacles.map(\.cause) == [.softBlocked])
    }

    @Test(arguments: [("0", Cause.softBlocked), ("2", .hardBlocked)])
    func `the older attribute of a switch is read`(state: String, cause: Cause) throws {
        var rig = Rig()
        rig.world.add("/sys/class/rfkill/rfkill4/type", "bluetooth\n")
        rig.world.add("/sys/class/rfkill/rfkill4/state", state + "\n")
        rig.answer([])
        #expect(try rig.enumeration().obstacles.map(\.cause) == [cause])
    }

    @Test func `a kernel without the extended list is asked for the two lists`() throws {
        var rig = Rig()
        rig.respond { request in
            switch request[0] {
            case 0x01: [Packets.version]
            case 0x3c: [Packets.unknownExtendedList]
            case 0x03: [Packets.list(0x03, [0])]
            case 0x36: [Packets.list(0x36, [1])]
            case 0x04: [Packets.information(0)]
            case 0x37: [Packets.configuration(1, missing: 1)]
            default: []
            }
        }
        let sensors = try rig.enumeration().sensors
        #expect(sensors.map(\.path) == ["hci0", "hci1"])
        #expect(sensors.map(\.availability) == [.available, .unavailable(.inactive)])
    }

    @Test func `events and answers to others are skipped`() throws {
        var rig = Rig()
        rig.answer(
            [(0, 0)], with: [Packets.information(0)],
            list: [
                Packets.newSettings, Packets.list(0x03, [7]), Packets.information(9), Packets.extendedList([(0, 0)]),
            ])
        #expect(try rig.enumeration().sensors.map(\.path) == ["hci0"])
    }

    @Test func `a controller for high-speed transfers only is skipped`() throws {
        var rig = Rig()
        rig.list("hci1")
        rig.answer([(0, 0), (1, 2)], with: [Packets.information(0)])
        #expect(try rig.enumeration().sensors.map(\.path) == ["hci0"])
    }

    @Test func `controllers without an address are known by their place, equal ones by number, with a notice`() throws {
        var rig = Rig()
        rig.list("hci0", at: "virtual")
        rig.list("hci1", at: "virtual")
        rig.list("hci2")
        let none = hex("00 00 00 00 00 00")
        rig.answer([(0, 0), (1, 0), (2, 0)], with: (0..<3).map { Packets.information($0, address: none) })
        let enumeration = try rig.enumeration()
        #expect(
            enumeration.sensors.map(\.key) == ["virtual", "virtual#2", "pci0000:00/0000:00:14.0/usb1/1-7/1-7:1.0"])
        #expect(enumeration.notices.map(\.id) == [.duplicateKey, .defaultAddress, .defaultAddress, .defaultAddress])
        #expect(enumeration.notices.map(\.sensor) == ["virtual#2"] + enumeration.sensors.map(\.key))
        #expect(enumeration.sensors.allSatisfy { $0.adapter?.address == nil })
    }

    @Test func `two controllers with one address stay distinct`() throws {
        var rig = Rig()
        rig.answer([(0, 0), (1, 0)], with: [Packets.information(0), Packets.information(1)])
        let enumeration = try rig.enumeration()
        #expect(enumeration.sensors.map(\.key) == ["00:AA:01:00:00:00", "00:AA:01:00:00:00#2"])
        #expect(enumeration.notices.map(\.id) == [.duplicateKey])
    }

    @Test func `a name without text falls back to the kernel's, and control characters are left out`() throws {
        var rig = Rig()
        rig.answer(
            [(0, 0), (1, 0)],
            with: [
                Packets.information(0, name: ""),
                Packets.information(1, address: hex("01 00 00 01 aa 00"), name: " bench\u{1b}[2J\n7 "),
            ])
        #expect(try rig.enumeration().sensors.map(\.name) == ["hci0", "bench[2J 7"])
    }

    @Test(arguments: [true, false])
    func `a recording without bluetoothd's answer tells by systemd's units that it does not run`(running: Bool) throws {
        var rig = Rig()
        rig.refuseBus(DriverError(.notRecorded, subject: Endpoint.bluez.description))
        let unit = running ? "bluetooth.service" : "cron.service"
        rig.world.add("/sys/fs/cgroup/system.slice/\(unit)/cgroup.procs", "1\n")
        rig.answer([(0, 0)], with: [Packets.information(0)])
        #expect(try rig.enumeration().notices.map(\.id) == (running ? [] : [.noBluetoothDaemon]))
    }

    @Test func `sixty controllers are sixty candidates`() throws {
        var rig = Rig()
        let indices = (0..<60).map { UInt8($0) }
        rig.answer(
            indices.map { ($0, 0) },
            with: indices.map { Packets.information($0, address: [$0] + hex("00 00 01 aa 00")) })
        #expect(try rig.enumeration().sensors.filter { $0.availability == .available }.count == 60)
    }
}
