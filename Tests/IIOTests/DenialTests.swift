import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import IIO

/// Why a node is denied, distinguished by what the rig shows; the bench has each of them with the real udevd.
@Suite struct DenialTests {
    private static let rule = "/usr/lib/udev/rules.d/70-rigready-iio.rules"
    private static let record = "/run/udev/data/c243:0"
    private static let all =
        "sudo udevadm control --reload && sudo udevadm trigger --action=change --subsystem-match=iio"

    private static func status(_ group: UInt32 = 0, _ mode: UInt16 = 0o600, changed: Int64? = nil) -> NodeStatus {
        NodeStatus(owner: 0, group: group, mode: mode, readable: false, changed: changed)
    }

    /// A rig with the rule and its group, whose udev has not processed the device since.
    private static var installed: FakeWorld {
        var world = RemedyTests.denied
        world.add("\(LocalTests.folder)/uevent", "MAJOR=243\nMINOR=0\nDEVNAME=iio:device0\nDEVTYPE=iio_device\n")
        world.add(rule, "# rules\n")
        world.add("/etc/group", "root:x:0:\n:bad\niio:x:900:someone\n")
        world.add(record, "I:1\n")
        world.add("/run/udev/data/n1", "")
        world.nodes["/run/udev/data"] = status(0, 0o755)
        world.nodes[rule] = status(0, 0o644, changed: 2_000)
        world.nodes[record] = status(0, 0o644, changed: 1_000)
        world.user = Account(user: 1001, groups: [1001], loginGroups: [1001])
        return world
    }

    /// The one line about the node and its remedy, which must be valid shell.
    private func told(_ world: FakeWorld) throws -> (said: String, remedy: String) {
        let sensor = try #require(try DriverHarness(world).first(.gyroscope))
        #expect(sensor.access == .denied && sensor.availability == .available)
        let evidence = try #require(sensor.evidence.last { $0.path == RemedyTests.node })
        let remedy = try #require(sensor.accessRemedy)
        #expect(try RemedyTests.canBeTyped(remedy.replacing("log out and in again; or for one command: ", with: "")))
        return (evidence.said, remedy)
    }

    @Test func `without the rule`() throws {
        var world = Self.installed
        world.files[Self.rule] = nil
        world.nodes[Self.rule] = nil
        let told = try told(world)
        #expect(told.said == "rw------- 0:0; no udev rule grants access: 70-rigready-iio.rules is not installed")
        #expect(told.remedy.hasPrefix("sudo setfacl -m \"u:$(id -un):rw\" /dev/iio:device0 "))
    }

    /// Root evaluates the rights of another user: the command gives them to that user, and not to root.
    @Test(
        arguments: [(0, 1001, "$(id -un 1001)"), (0, 0, "$(id -un)"), (1001, 1001, "$(id -un)")]
            as [(Int, UInt32, String)])
    func `the command is for the user whose rights are evaluated`(own: Int, user: UInt32, name: String) throws {
        var world = Self.installed
        world.files[Self.rule] = nil
        world.nodes[Self.rule] = nil
        world.user = Account(user: user, groups: [user], loginGroups: [user])
        world.add("/proc/self/status", "Uid:\t\(own)\t\(own)\t\(own)\t\(own)\n")
        #expect(try told(world).remedy.hasPrefix("sudo setfacl -m \"u:\(name):rw\" /dev/iio:device0 "))
    }

    @Test(arguments: ["/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d"])
    func `with a rule that an empty file masks`(folder: String) throws {
        var world = Self.installed
        world.add("\(folder)/70-rigready-iio.rules", "")
        let told = try told(world)
        #expect(told.said.hasSuffix("; \(folder)/70-rigready-iio.rules, which is empty, masks the udev rule"))
        #expect(told.remedy == "sudo rm \(folder)/70-rigready-iio.rules && \(Self.all)")
        // The other way round nothing is masked.
        world.add("\(folder)/70-rigready-iio.rules", "# rules\n")
        world.add(Self.rule, "")
        #expect(try self.told(world).said.hasSuffix("since \(folder)/70-rigready-iio.rules was installed"))
    }

    @Test func `without the group`() throws {
        var world = Self.installed
        world.add("/etc/group", "root:x:0:\n")
        let told = try told(world)
        #expect(told.said.hasSuffix("the group iio, to which 70-rigready-iio.rules gives it, does not exist"))
        #expect(told.remedy == "sudo groupadd --system --force iio && " + Self.all)
    }

    @Test func `not triggered for this device`() throws {
        var world = Self.installed
        let told = try told(world)
        #expect(told.said == "rw------- 0:0; udev has not processed the device since \(Self.rule) was installed")
        let trigger = "sudo udevadm trigger --action=change /dev/iio:device0"
        #expect(told.remedy == "sudo udevadm control --reload && \(trigger)")
        // Another device has the rule's tag, so udev knows the rule.
        world.add("/run/udev/tags/rigready/c243:7", "")
        #expect(try self.told(world).remedy == trigger)
        // udev never processed the device.
        world.files[Self.record] = nil
        world.nodes[Self.record] = nil
        #expect(try self.told(world).remedy == trigger)
    }

    @Test func `not reloaded`() throws {
        var world = Self.installed
        world.nodes[Self.record] = Self.status(0, 0o644, changed: 2_000)
        let told = try told(world)
        #expect(told.said.hasSuffix("udev processed the device before it read \(Self.rule)"))
        #expect(told.remedy == Self.all)
    }

    @Test(arguments: ["ACCELEROMETER", "GYROSCOPE"]) func `applied and undone`(kind: String) throws {
        var world = Self.installed
        world.add(Self.record, "I:1\nE:RIGREADY_\(kind)=1\nG:rigready\n")
        let told = try told(world)
        #expect(told.said.hasSuffix("udev has applied 70-rigready-iio.rules, but the group of the node is another one"))
        #expect(told.remedy == Self.all)
    }

    @Test func `udev is not running`() throws {
        var world = Self.installed
        for file in [Self.record, "/run/udev/data/n1"] { world.files[file] = nil }
        for node in [Self.record, "/run/udev/data"] { world.nodes[node] = nil }
        #expect(try told(world).said.hasSuffix("; no udev runs here"))
    }

    @Test func `not in the group, not in this session, or denied anyway`() throws {
        var world = Self.installed
        world.nodes[RemedyTests.node] = Self.status(900, 0o660)
        let stranger = try told(world)
        #expect(stranger.said.hasSuffix("group iio may read it, and this user is not in that group"))
        #expect(stranger.remedy.hasPrefix("sudo usermod -aG iio \"$(id -un)\" "))
        world.user?.loginGroups = [1001, 900]
        let early = try told(world)
        #expect(early.said.hasSuffix("this user is in that group, but this login session is not"))
        #expect(early.remedy == "log out and in again; or for one command: sg iio -c rigready")
        world.user?.groups = [1001, 900]
        #expect(try told(world).said.hasSuffix("keeps this user out"))
        // An old recording contains no account, and a group without a name is reported by number.
        world.user = nil
        world.add("/etc/group", "root:x:0:\n")
        // Nobody can join it, since it does not exist.
        #expect(try told(world).remedy == "sudo setfacl -m \"u:$(id -un):rw\" /dev/iio:device0")
    }

    @Test func `the kernel's own answer tells the layer that refuses`() throws {
        var world = Self.installed
        world.user = Account(user: 1001, groups: [1001, 900], loginGroups: [1001, 900])
        func refused(_ errno: Errno?) -> NodeStatus {
            NodeStatus(owner: 0, group: 900, mode: 0o660, readable: false, refusal: errno)
        }
        world.nodes[RemedyTests.node] = refused(.notPermitted)
        let byGroup = try #require(try DriverHarness(world).first(.gyroscope))
        #expect(byGroup.access == .denied && byGroup.accessEvidence?.errno == "EPERM")
        #expect(byGroup.accessEvidence?.said.contains("device control group") == true)
        #expect(byGroup.accessRemedy?.contains("DeviceAllow=") == true)
        world.nodes[RemedyTests.node] = refused(.permissionDenied)
        world.add("/proc/self/attr/current", "u:r:rig_t:s0\n")
        let byModule = try #require(try DriverHarness(world).first(.gyroscope))
        #expect(byModule.accessEvidence?.errno == "EACCES")
        #expect(byModule.accessEvidence?.said.contains("SELinux denies it") == true)
        #expect(byModule.accessRemedy?.contains("ausearch") == true)
        // An old recording does not hold the number.
        world.nodes[RemedyTests.node] = refused(nil)
        #expect(try told(world).said.hasSuffix("keeps this user out"))
    }

    @Test func `in a container nobody is told to change groups inside it`() throws {
        var world = Self.installed
        world.add("/.dockerenv", "")
        for (group, mode) in [(900, 0o660), (0, 0o600), (65534, 0o660)] as [(UInt32, UInt16)] {
            world.nodes[RemedyTests.node] = Self.status(group, mode)
            let sensor = try #require(try DriverHarness(world).first(.gyroscope))
            #expect(sensor.access == .denied && sensor.accessRemedy?.contains("on the host") == true)
            #expect(sensor.accessRemedy?.contains("usermod") == false)
        }
    }

    @Test func `under an AppArmor profile a node that seems readable is unknown`() throws {
        var world = LocalTests.sixAxis
        world.add("/proc/self/attr/current", "rig (enforce)\n")
        let sensor = try #require(try DriverHarness(world).first(.gyroscope))
        #expect(sensor.access == .unknown && sensor.availability == .available)
        #expect(sensor.accessEvidence?.said.contains("AppArmor confines this process (rig (enforce))") == true)
        #expect(sensor.accessRemedy?.contains("/dev/iio:device0 r") == true)
        world.nodes["/dev/iio:device0"]?.readable = false
        #expect(try DriverHarness(world).first(.gyroscope)?.access == .denied)
        world.nodes["/dev/iio:device0"]?.readable = true
        world.add("/proc/self/attr/current", "unconfined\n")
        #expect(try DriverHarness(world).first(.gyroscope)?.access == .readable)
    }

    @Test func `the evidence of access is of access, whatever the values are`() throws {
        let values: [(String, Errno?)] = [
            ("5", nil), ("0", nil), ("-1", nil), ("?", nil), ("5", .ioError), ("5", .timedOut), ("5", .resourceBusy),
        ]
        for readable in [true, false] {
            for (text, errno) in values {
                var world = LocalTests.sixAxis
                world.nodes[RemedyTests.node] = NodeStatus(owner: 0, group: 0, mode: 0o600, readable: readable)
                for axis in ["x", "y", "z"] {
                    world.add("\(LocalTests.folder)/in_accel_\(axis)_raw", text + "\n")
                    world.errors["\(LocalTests.folder)/in_accel_\(axis)_raw"] = errno
                }
                let sensor = try #require(try DriverHarness(world).first(.accelerometer))
                #expect(sensor.access == (readable ? .readable : .denied))
                #expect(sensor.accessEvidence?.path == RemedyTests.node, "\(text) \(errno?.name ?? "")")
                #expect(sensor.accessEvidence?.sensor == sensor.key)
            }
        }
        // A denied value is what denies the access.
        var world = LocalTests.sixAxis
        world.errors["\(LocalTests.folder)/in_accel_y_raw"] = .permissionDenied
        let denied = try #require(try DriverHarness(world).first(.accelerometer)?.accessEvidence)
        #expect(denied.path == "\(LocalTests.folder)/in_accel_y_raw" && denied.errno == "EACCES")
        // Of a context, that it opened.
        let remote = try DriverHarness(RemoteIIODriver(uri: RemoteTests.uri), RemoteTests.world(RemoteTests.values))
        for sensor in remote.sensors {
            #expect(
                sensor.accessEvidence
                    == Evidence(sensor: sensor.key, path: RemoteTests.uri, said: "the context opened"))
        }
    }

    @Test func `a local label takes precedence over the firmware's`() throws {
        var world = Self.installed
        world.add("\(LocalTests.folder)/label", "imu\n")
        #expect(try DriverHarness(world).first(.gyroscope)?.label == "imu")
        world.add(Self.record, "E:RIGREADY_LABEL=front left\n")
        #expect(try DriverHarness(world).first(.gyroscope)?.label == "front left")
    }
}
