import DriverKit
import Readiness
import Support
import Synchronization
import SystemPackage
import Testing
@testable import Bluetooth

@Suite("A controller's power")
struct PowerTests {
    @Test func `a powered controller is available, under its address`() throws {
        var rig = Rig()
        rig.list("hci0")
        rig.addSwitch(0, "hci0")
        rig.answer([(0, 0)], with: [Packets.information(0)])
        let enumeration = try rig.enumeration()
        let sensor = try #require(enumeration.sensors.first)
        #expect(enumeration.sensors.count == 1)
        #expect(enumeration.obstacles.isEmpty)
        #expect(sensor.key == "00:AA:01:00:00:00")
        #expect((sensor.name, sensor.path) == ("rig", "hci0"))
        #expect((sensor.availability, sensor.access) == (.available, .readable))
        #expect(
            sensor.adapter
                == AdapterReading(
                    state: .poweredOn, address: "00:AA:01:00:00:00", softBlocked: false, hardBlocked: false,
                    lowEnergy: true))
        #expect(enumeration.candidates.allSatisfy { !$0.isOpen })
    }

    @Test func `a controller that is off and not blocked is powered off, with a command for it`() throws {
        var rig = Rig()
        rig.addSwitch(0, "hci3")
        rig.answer([(3, 0)], with: [Packets.information(3, current: Packets.off)])
        let sensor = try #require(try rig.enumeration().sensors.first)
        #expect(sensor.availability == .unavailable(.poweredOff))
        #expect(sensor.adapter?.state == .poweredOff)
        #expect(sensor.remedy == "sudo btmgmt --index 3 power on")
        #expect(sensor.evidence.contains { $0.path == "/sys/class/rfkill/rfkill0" })
    }

    @Test(arguments: [true, false])
    func `if bluetoothd runs, its own tool switches its only controller on`(isAlone: Bool) throws {
        var rig = Rig()
        rig.list("hci0")
        let others: [(UInt8, UInt8)] = isAlone ? [] : [(1, 0)]
        rig.answer(
            [(0, 0)] + others, with: [Packets.information(0, current: Packets.off), Packets.information(1)])
        let remedy = try rig.enumeration().sensors.first?.remedy
        #expect(remedy == (isAlone ? "bluetoothctl power on" : "sudo btmgmt --index 0 power on"))
    }

    @Test func `a late answer of a controller that is off has the same remedy`() throws {
        var rig = Rig()
        rig.list("hci0")
        let questions = Mutex(0)
        rig.respond { request in
            switch request[0] {
            case 0x01: return [Packets.version]
            case 0x3c: return [Packets.extendedList([(0, 0)])]
            default:
                let isFirst = questions.withLock { questions in
                    questions += 1
                    return questions == 1
                }
                return isFirst ? [] : [Packets.information(0, current: Packets.off)]
            }
        }
        let (session, until) = (try rig.session(), Instant.now.advanced(bySeconds: 2))
        let candidate = try #require(try session.enumeration(.state, until: until).candidates.first)
        let finding = session.look(at: candidate, .state, until: until)
        #expect(finding.sensor.remedy == "bluetoothctl power on")
        #expect(finding.sensor.access == .readable)
    }

    @Test(arguments: [
        (true, false, Cause.softBlocked, "sudo rfkill unblock bluetooth"),
        (false, true, .hardBlocked, "turn on the hardware switch"),
        (true, true, .hardBlocked, "turn on the hardware switch"),
    ])
    func `the cause is the block, hard before soft`(soft: Bool, hard: Bool, cause: Cause, remedy: String) throws {
        var rig = Rig()
        rig.addSwitch(1, "hci0", soft: soft, hard: hard)
        rig.answer([(0, 0)], with: [Packets.information(0, current: Packets.off)])
        let sensor = try #require(try rig.enumeration().sensors.first)
        #expect(sensor.availability == .unavailable(cause))
        #expect(sensor.remedy == remedy)
        #expect((sensor.adapter?.softBlocked, sensor.adapter?.hardBlocked) == (soft, hard))
        #expect(sensor.detail?.contains("hci0") == true)
    }

    @Test func `a block in software says that it comes back at boot`() throws {
        var rig = Rig()
        rig.addSwitch(1, "hci0", soft: true)
        rig.answer([(0, 0)], with: [Packets.information(0, current: Packets.off)])
        #expect(try rig.enumeration().sensors.first?.detail?.contains("systemd-rfkill") == true)
    }

    @Test func `the platform's switch blocks a controller whose own switch is open`() throws {
        var rig = Rig()
        rig.addSwitch(0, "hci0")
        rig.addSwitch(1, "ideapad_bluetooth", hard: true)
        rig.addSwitch(2, "phy0", soft: true, type: "wlan")
        rig.answer([(0, 0)], with: [Packets.information(0, current: Packets.off)])
        let sensor = try #require(try rig.enumeration().sensors.first)
        #expect(sensor.availability == .unavailable(.hardBlocked))
        #expect(sensor.adapter?.softBlocked == false)
    }

    @Test func `another controller's block is not this one's`() throws {
        var rig = Rig()
        rig.addSwitch(0, "hci0", soft: true)
        rig.addSwitch(1, "hci1")
        rig.answer([(1, 0)], with: [Packets.information(1, current: Packets.off)])
        #expect(try rig.enumeration().sensors.first?.availability == .unavailable(.poweredOff))
    }

    @Test func `a powered controller is not blocked because of the platform's switch`() throws {
        var rig = Rig()
        rig.addSwitch(0, "thinkpad_bluetooth", soft: true)
        rig.answer([(0, 0)], with: [Packets.information(0)])
        let sensor = try #require(try rig.enumeration().sensors.first)
        #expect(sensor.availability == .available)
        #expect(sensor.adapter?.softBlocked == nil)
    }

    @Test func `of two controllers each has its own power`() throws {
        var rig = Rig()
        rig.addSwitch(0, "hci0", soft: true)
        rig.addSwitch(1, "hci1")
        rig.answer(
            [(0, 0), (1, 0)],
            with: [
                Packets.information(0, current: Packets.off),
                Packets.information(1, address: hex("01 00 00 01 aa 00")),
            ])
        let enumeration = try rig.enumeration()
        #expect(enumeration.sensors.map(\.availability) == [.unavailable(.softBlocked), .available])
        #expect(enumeration.sensors.map(\.key) == ["00:AA:01:00:00:00", "00:AA:01:00:00:01"])
        #expect(enumeration.obstacles.isEmpty)
    }

    @Test(
        arguments: [
            (Packets.everything, Packets.on, .available, .poweredOn, true, nil),
            (
                Packets.everything, Packets.onWithoutLowEnergy, .unavailable(.lowEnergyOff), .poweredOn, false,
                "sudo btmgmt --index 0 le on; "
                    + "if bluetoothd switches it off again, remove ControllerMode = bredr from /etc/bluetooth/main.conf"
            ),
            (
                Packets.withoutLowEnergy, Packets.onWithoutLowEnergy, .unavailable(.lowEnergyOff), .unsupported, false,
                "use a controller with Bluetooth 4.0 or newer, such as a USB adapter"
            ),
            // Its power comes first, and switching that on is not enough for one that does not support it.
            (Packets.everything, Packets.off, .unavailable(.poweredOff), .poweredOff, true, "bluetoothctl power on"),
            (
                Packets.withoutLowEnergy, hex("90 00 00 00"), .unavailable(.poweredOff), .unsupported, false,
                "bluetoothctl power on; use a controller with Bluetooth 4.0 or newer, such as a USB adapter"
            ),
        ] as [([UInt8], [UInt8], Availability, AdapterReading.State, Bool, String?)])
    func `a controller is available only with Low Energy switched on`(
        supported: [UInt8], current: [UInt8], availability: Availability, state: AdapterReading.State, lowEnergy: Bool,
        remedy: String?
    ) throws {
        var rig = Rig()
        rig.list("hci0")
        rig.answer([(0, 0)], with: [Packets.information(0, supported: supported, current: current)])
        let sensor = try #require(try rig.enumeration().sensors.first)
        #expect(sensor.availability == availability)
        #expect(sensor.adapter?.state == state && sensor.adapter?.lowEnergy == lowEnergy)
        #expect(sensor.remedy == remedy)
        #expect(lowEnergy || sensor.detail?.contains("Low Energy") == true)
    }

    @Test(arguments: [
        ("00:00:00:00:00:00", false), ("FF:FF:FF:FF:FF:FF", false), ("AA:AA:AA:AA:AA:AA", false),
        // The defaults of Linux' btbcm.c, btintel.c and btqca.c, and one of each beside it.
        ("00:20:70:02:A0:00", false), ("00:20:70:02:A0:01", true), ("20:70:02:A0:00:00", false),
        ("20:70:02:A0:00:01", true), ("20:76:A0:00:56:79", false), ("20:76:A0:00:56:7A", true),
        ("43:43:A0:12:1F:AC", false), ("43:43:A1:12:1F:AC", false), ("43:45:C5:00:1F:AC", false),
        ("43:24:B3:00:00:00", false), ("00:03:19:9E:8B:00", false), ("00:03:19:9E:8B:01", true),
        ("00:00:00:00:5A:AD", false), ("00:00:00:00:5A:AE", true),
        // A group's address: the lowest bit of the first byte.
        ("01:AA:01:00:00:00", false), ("02:AA:01:00:00:00", true), ("AA:AA:AA:AA:AA:AB", true),
        ("DC:A6:32:01:02:03", true),
    ])
    func `an address is the key only if it can be this controller's alone`(text: String, isKey: Bool) throws {
        let address = try #require(DeviceAddress(text))
        var rig = Rig()
        rig.list("hci0", at: "platform/soc/3f201000.serial/serial0/serial0-0")
        rig.answer([(0, 0)], with: [Packets.information(0, address: address.bytes.reversed())])
        let enumeration = try rig.enumeration()
        #expect(enumeration.sensors.map(\.availability) == [.available])
        let key = isKey ? text : "platform/soc/3f201000.serial/serial0/serial0-0"
        #expect(enumeration.sensors.map(\.key) == [key])
        #expect(enumeration.notices.map(\.id) == (isKey ? [] : [.defaultAddress]))
        #expect(enumeration.notices.allSatisfy { $0.sensor == key && $0.detail.contains("missing") })
    }

    @Test func `a controller that waits for an address is inactive`() throws {
        var rig = Rig()
        rig.list("hci0", at: "platform/soc/3f201000.serial/serial0/serial0-0")
        rig.answer([(0, 1)], with: [Packets.configuration(0, missing: 2)])
        let sensor = try #require(try rig.enumeration().sensors.first)
        #expect(sensor.availability == .unavailable(.inactive))
        #expect(sensor.detail?.contains("no public address") == true)
        #expect(sensor.key == "platform/soc/3f201000.serial/serial0/serial0-0")
    }

    @Test func `Invalid Index is a busy controller with unknown power`() throws {
        var rig = Rig()
        rig.list("hci0")
        rig.answer([(0, 0)], with: [Packets.status(0x04, 0, 0x11)])
        let sensor = try #require(try rig.enumeration().sensors.first)
        #expect(sensor.availability == .unavailable(.indeterminate))
        #expect(sensor.detail?.contains("another process owns it") == true)
        // Its set-up may have failed, as of a chip that is not there: the kernel's log has the reason.
        #expect(sensor.remedies.first == .command("sudo dmesg | grep -i bluetooth"))
        #expect(sensor.evidence.first?.said == "hci0: Invalid Index (0x11)")
    }

    @Test func `a controller that sysfs lists and the management interface does not is busy, not absent`() throws {
        var rig = Rig()
        rig.list("hci0")
        rig.answer([])
        let enumeration = try rig.enumeration()
        #expect(enumeration.sensors.map(\.availability) == [.unavailable(.indeterminate)])
        #expect(enumeration.sensors.first?.detail?.contains("another process owns it") == true)
        #expect(enumeration.sensors.first?.remedies.first == .command("sudo dmesg | grep -i bluetooth"))
        #expect(enumeration.obstacles.isEmpty)
    }

    @Test func `RFKilled is a block even if no switch can be read`() throws {
        var rig = Rig()
        rig.answer([(0, 0)], with: [Packets.status(0x04, 0, 0x12)])
        #expect(try rig.enumeration().sensors.first?.availability == .unavailable(.softBlocked))
    }

    @Test func `Permission Denied is access denied, not off`() throws {
        var rig = Rig()
        rig.answer([(0, 0)], with: [Packets.status(0x04, 0, 0x14)])
        let sensor = try #require(try rig.enumeration().sensors.first)
        #expect((sensor.availability, sensor.access) == (.unavailable(.indeterminate), .denied))
        #expect(sensor.isValueDenied && sensor.accessRemedy == "run again with sudo")
    }

    @Test func `powered off does not rule out a block that cannot be read`() throws {
        var rig = Rig()
        rig.world.errors["/sys/class/rfkill"] = .permissionDenied
        rig.refuse(.rfkill, .permissionDenied)
        rig.answer([(0, 0)], with: [Packets.information(0, current: Packets.off)])
        let sensor = try #require(try rig.enumeration().sensors.first)
        #expect(sensor.availability == .unavailable(.poweredOff))
        #expect(sensor.evidence.contains { $0.errno == "EACCES" })
    }
}
