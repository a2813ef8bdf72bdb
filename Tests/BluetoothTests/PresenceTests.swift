import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import Bluetooth

@Suite("At depth presence")
struct PresenceTests {
    @Test func `a listed controller is available, and its power is not read`() throws {
        var rig = Rig()
        rig.list("hci0")
        rig.answer([(0, 0)], with: [Packets.information(0)])
        let enumeration = try rig.enumeration(.presence)
        #expect(enumeration.sensors.map(\.availability) == [.unavailable(.indeterminate)])
        #expect(enumeration.sensors.first?.detail == "power is not read at this depth")
        #expect(enumeration.sensors.first?.key == "pci0000:00/0000:00:14.0/usb1/1-7/1-7:1.0")
        #expect(enumeration.sensors.first?.reading == nil)
        #expect(enumeration.sensors.first?.remedy == "run again with --depth state")
        #expect(enumeration.access == .unknown)
        let finding = try rig.session().look(at: enumeration.candidates[0], .presence, until: .now)
        #expect(finding.sensor == enumeration.candidates[0].sensor)
    }

    @Test func `a controller pinned by address is unknown at this depth, not absent`() throws {
        var rig = Rig()
        rig.list("hci0")
        let obstacle = try #require(try rig.enumeration(.presence).obstacles.first)
        #expect(obstacle.cause == .indeterminate)
        #expect(obstacle.detail == "addresses and power are not read at this depth")
        #expect(obstacle.remedy == "run again with --depth state")
        #expect(obstacle.evidence.map(\.said) == ["/sys/class/bluetooth lists hci0"])
    }

    @Test func `nothing is opened`() throws {
        var rig = Rig()
        rig.list("hci0")
        rig.world.errors["/sys/class/rfkill"] = .permissionDenied
        for endpoint in [Endpoint.management, .hci, .rfkill, .bluez] {
            rig.serve(endpoint) {
                Issue.record("opened \(endpoint.description)")
                return FakeChannel()
            }
        }
        #expect(try rig.enumeration(.presence).candidates.count == 1)
    }

    @Test func `no class and no switch is absent if the kernel's Bluetooth is not loaded`() throws {
        var rig = Rig()
        rig.unload()
        let obstacles = try rig.enumeration(.presence).obstacles
        #expect(obstacles.map(\.cause) == [.absent])
        #expect(obstacles.first?.evidence.first?.said == "the kernel's Bluetooth is not loaded")
    }

    @Test func `a class that lists only connections is absent`() throws {
        #expect(try Rig().enumeration(.presence).obstacles.map(\.cause) == [.absent])
    }

    @Test(arguments: [true, false])
    func `a switch without a controller is not absent`(soft: Bool) throws {
        var rig = Rig()
        rig.addSwitch(0, "ideapad_bluetooth", soft: soft)
        let obstacles = try rig.enumeration(.presence).obstacles
        #expect(obstacles.map(\.cause) == [.indeterminate])
        #expect(obstacles.first?.evidence.first?.path == "/sys/class/rfkill/rfkill0")
    }

    @Test(arguments: [Errno.permissionDenied, .noSuchFileOrDirectory])
    func `what cannot be listed is not absent`(errno: Errno) throws {
        var rig = Rig()
        rig.unload()
        rig.world.files["/sys/class/net/lo/type"] = nil
        rig.world.errors["/sys/class/bluetooth"] = errno
        rig.world.errors["/sys/class"] = errno
        #expect(try rig.enumeration(.presence).obstacles.map(\.cause) == [.indeterminate])
    }

    @Test func `an empty listing in a container is not absent`() throws {
        var rig = Rig()
        rig.world.add("/run/.containerenv", "")
        let enumeration = try rig.enumeration(.presence)
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
        #expect(enumeration.notices.map(\.id) == [.containerized])
        #expect(enumeration.obstacles.first?.remedy == "run it on the host")
    }
}
