import DriverKit
import Foundation
import Readiness
import Support
import SystemPackage
import Testing

/// What keeps a user from a node besides its mode, as the kernel's answer and the rest of the machine show it.
@Suite struct NodeRefusalTests {
    private static let node: FilePath = "/dev/iio:device0"
    private static let member = Account(user: 1000, groups: [1000, 900], loginGroups: [1000, 900])
    private static let stranger = Account(user: 1000, groups: [1000], loginGroups: [1000])

    private func status(_ refusal: Errno?, group: UInt32 = 900, _ mode: UInt16 = 0o660) -> NodeStatus {
        NodeStatus(owner: 0, group: group, mode: mode, readable: false, refusal: refusal)
    }

    private func explain(
        _ status: NodeStatus, _ account: Account?, in world: FakeWorld = FakeWorld()
    ) -> (words: String, remedies: String)? {
        NodeRefusal(of: Self.node, in: world).explanation(of: status, for: account).map {
            ($0.words, $0.remedies.map(\.words).joined(separator: "; "))
        }
    }

    private static var container: FakeWorld {
        var world = FakeWorld()
        world.add("/run/.containerenv", "")
        return world
    }

    @Test func `a user whom the mode keeps out is explained by the mode`() {
        #expect(explain(status(.permissionDenied), Self.stranger) == nil)
        // As are recordings and users for whom access is computed.
        #expect(explain(status(nil), Self.member) == nil && explain(status(nil), Self.stranger) == nil)
    }

    @Test func `EPERM is the device control group's, whatever the mode`() throws {
        for account in [Self.member, Self.stranger, Account(user: 0, groups: [0])] {
            let told = try #require(explain(status(.notPermitted), account))
            #expect(told.words.contains("device control group") && told.words.contains("EPERM"))
            #expect(told.remedies.contains("DeviceAllow=/dev/iio:device0 r") && !told.remedies.contains("usermod"))
        }
        let inside = try #require(explain(status(.notPermitted), Self.member, in: Self.container))
        #expect(inside.remedies == "on the host: start the container with --device /dev/iio:device0")
    }

    // MARK: A subject

    private static let subjects: [AccessSubject] = [.unit("gpsd.service"), .process(7), .container("lab")]

    @Test(arguments: subjects)
    func `a node that only the machine has is missing in the place of the subject`(subject: AccessSubject) throws {
        var world = FakeWorld()
        world.subject = subject
        let told = try #require(explain(status(.noSuchFileOrDirectory), Self.member, in: world))
        #expect(told.words == "this machine has the node, but the /dev of \(subject.words) does not")
        let isContainer = subject == .container("lab")
        #expect(told.remedies.contains(isContainer ? "--device /dev/iio:device0" : "PrivateDevices=no"))
        #expect(told.remedies.contains("sudo") == (subject == .unit("gpsd.service")))
        #expect(explain(status(.noSuchFileOrDirectory), Self.stranger) == nil)
        world.add("/run/.containerenv", "")
        let inside = try #require(explain(status(.noSuchFileOrDirectory), Self.member, in: world))
        #expect(inside.remedies == "on the host: start the container with --device /dev/iio:device0")
    }

    @Test func `the remedy of a unit is a drop-in that a shell writes as it stands`() throws {
        var world = FakeWorld()
        world.subject = .unit("my app@1.service")
        let told = try #require(explain(status(.notPermitted), Self.member, in: world))
        #expect(
            told.remedies
                == "sudo mkdir -p '/etc/systemd/system/my app@1.service.d' && printf '%s\\n' '[Service]' "
                + "'DeviceAllow=/dev/iio:device0 r' | sudo tee -a '/etc/systemd/system/my app@1.service.d'/rigready-DeviceAllow.conf "
                + "&& sudo systemctl daemon-reload && sudo systemctl try-restart 'my app@1.service'"
                + "    # to undo it, remove these lines, reload and restart")
        world.subject = .unit("odd\nname.service")
        let odd = try #require(explain(status(.notPermitted), Self.member, in: world))
        #expect(!odd.remedies.contains("sudo") && odd.remedies.contains("DeviceAllow=/dev/iio:device0 r"))
    }

    @Test(arguments: [nil, "[Service]\nNice=5\n"] as [String?])
    func `a drop-in is taken back, and what its file had before stays`(before: String?) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rigready-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "lab.service.d/rigready-Rights.conf")
        if let before {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(before.utf8).write(to: file)
        } else {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let settings = ["DeviceAllow=/dev/iio:device0 r", "PrivateDevices=no"]
        let remedy = AccessSubject.unit("lab.service").remedy(setting: settings, named: "Rights")
        guard case .command(let command, _) = remedy else {
            Issue.record("\(remedy)")
            return
        }
        func run(_ command: ShellCommand) throws {
            let line = command.withoutSudo.line.replacing("/etc/systemd/system", with: folder.path)
            #expect(
                try ChildProcess(["/bin/sh", "-c", "systemctl() { :; }; \(line)"]).wait() == .exit(0))
        }
        try run(command)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == (before ?? "") + "[Service]\nDeviceAllow=/dev/iio:device0 r\nPrivateDevices=no\n")
        try run(#require(command.undo))
        #expect((try? String(contentsOf: file, encoding: .utf8)) == before)
        #expect(FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path) == (before != nil))
        #expect(command.undo?.line.contains("sudo rm ") == true && command.withoutSudo.undo?.needsRoot == true)
        #expect(command.withoutSudo.undo?.line.contains("sudo") == false)
    }

    @Test(arguments: subjects) func `a subject is recorded as one word`(subject: AccessSubject) {
        #expect(AccessSubject(id: subject.id) == subject)
    }

    @Test(arguments: ["", "unit", "process:x", "process:", "user:root", "unit:" + String(repeating: "a", count: 257)])
    func `other words are no subject`(id: String) { #expect(AccessSubject(id: id) == nil) }

    // MARK: Labels

    @Test(
        arguments: [
            ("system_u:system_r:rig_t:s0:c1,c2\n", nil, "SELinux", "ausearch"),
            ("kernel\n", "/sys/fs/selinux/enforce", "SELinux", "ausearch"),
            ("User\n", "/sys/fs/smackfs", "SMACK", "smack"),
            ("docker-default (enforce)\n", nil, "AppArmor", "apparmor"), ("", nil, "a security module", "dmesg"),
        ] as [(String, String?, String, String)])
    func `EACCES that the mode does not explain is a security module's`(
        label: String, mark: String?, name: String, log: String
    ) throws {
        var world = FakeWorld()
        world.add("/proc/self/attr/current", label)
        if let mark { world.add(mark, "1") }
        let told = try #require(explain(status(.permissionDenied), Self.member, in: world))
        #expect(told.words.contains("\(name) denies it (EACCES)"))
        #expect(told.remedies.contains(log) && !told.remedies.contains("usermod"))
        #expect(label.isEmpty || told.words.contains("runs as \(label.dropLast())"))
    }

    @Test(arguments: [
        (
            "sensor-probe (enforce)", "/dev/iio:device0",
            "add the rule /dev/iio:device0 r, to the AppArmor profile sensor-probe"
        ),
        (
            "snap.lab.probe (enforce)", "/dev/iio:device0",
            "sudo snap connect lab:iio    # allows it in the snap's AppArmor profile"
        ),
        ("snap.lab.probe (enforce)", "/dev/input/event3", "sudo snap connect lab:joystick"),
    ])
    func `what permits it in an AppArmor profile is a rule, or a snap's interface`(
        label: String, node: String, remedy: String
    ) throws {
        var world = FakeWorld()
        world.add("/proc/self/attr/current", label + "\n")
        let told = NodeRefusal(of: FilePath(node), in: world)
            .explanation(of: status(.permissionDenied), for: Self.member)
        #expect(told?.remedies.map(\.words).contains { $0.hasPrefix(remedy) } == true, "\(told?.remedies ?? [])")
        #expect(told?.words.contains(label) == true)
    }

    private static let lines = [
        #"audit: type=1400 audit(1.1:7): apparmor="DENIED" operation="open" profile="lab" name="/dev/iio:device0" pid=7"#,
        #"audit: type=1400 audit(1.1:8): avc:  denied  { read } for  pid=7 comm="a" name="iio:device0" dev="devtmpfs" "#
            + "scontext=u:r:lab_t:s0 tcontext=u:r:device_t:s0 tclass=chr_file permissive=0",
        #"audit: type=1400 audit(1.1:9): lsm=SMACK fn=smack_inode_permission action=denied subject="Lab" object="_" "#
            + #"requested=r pid=7 comm="a" name="iio:device0""#,
        #"audit: type=1400 audit(1.1:10): apparmor="DENIED" operation="open" profile="other" name="/dev/iio:device0""#,
        #"audit: type=1400 audit(1.1:11): apparmor="DENIED" operation="open" profile="lab" name="/dev/iio:device01""#,
        #"audit: type=1400 audit(1.1:12): apparmor="DENIED" operation="open" profile="lab2" name="/dev/iio:device0""#,
    ]

    @Test(
        arguments: [
            ("lab (enforce)", nil, 0), ("u:r:lab_t:s0", nil, 1), ("Lab", "/sys/fs/smackfs", 2),
            ("new (enforce)", nil, nil),
            ("u:r:lab_t:s1", nil, nil), ("La", "/sys/fs/smackfs", nil),
        ] as [(String, String?, Int?)])
    func `the kernel's own line of a refusal is quoted`(label: String, mark: String?, line: Int?) throws {
        var world = FakeWorld()
        world.add("/proc/self/attr/current", label + "\n")
        if let mark { world.add(mark, "") }
        world.refusals = Self.lines
        let told = try #require(explain(status(.permissionDenied), Self.member, in: world))
        #expect(told.words.contains("the kernel logged") == (line != nil), "\(told.words)")
        if let line { #expect(told.words.hasSuffix("; the kernel logged: \(Self.lines[line])")) }
        world.refusals.append(Self.lines[line ?? 0].replacing("1.1", with: "2.2") + " \u{1b}[2J")
        let newer = try #require(explain(status(.permissionDenied), Self.member, in: world))
        #expect(newer.words.contains("2.2") == (line != nil) && !newer.words.contains("\u{1b}"))
    }

    @Test func `EACCES of a folder is the folder's`() throws {
        var world = FakeWorld()
        world.nodes["/dev"] = NodeStatus(owner: 0, group: 0, mode: 0o750, readable: true)
        let told = try #require(explain(status(.permissionDenied), Self.member, in: world))
        #expect(told.words.contains("this user may not enter the folder /dev"))
        #expect(told.remedies == "sudo chmod a+x /dev")
        world.nodes["/dev"] = NodeStatus(owner: 0, group: 0, mode: 0o755, readable: true)
        #expect(explain(status(.permissionDenied), Self.member, in: world)?.words.contains("folder") == false)
    }

    @Test func `a group of the host is not joined inside a container`() throws {
        let unmapped = try #require(explain(status(nil, group: 65534), Self.stranger, in: Self.container))
        #expect(unmapped.words.contains("not mapped into this container"))
        #expect(unmapped.remedies.contains("on the host") && !unmapped.remedies.contains("usermod"))
        // So it is where nothing else shows the container.
        #expect(explain(status(nil, group: 65534), Self.stranger) != nil)
        let mapped = try #require(explain(status(nil), Self.stranger, in: Self.container))
        #expect(mapped.remedies == "on the host: start the container with --group-add 900")
        let closed = try #require(explain(status(nil, group: 0, 0o600), Self.stranger, in: Self.container))
        #expect(closed.remedies.hasPrefix("on the host: install rigready's udev rules"))
    }

    @Test(
        arguments: [
            ("docker-default (enforce)\n", "docker-default (enforce)"),
            ("snap.rig.probe (kill)\n", "snap.rig.probe (kill)"),
            ("unconfined\n", nil), ("\n", nil), ("", nil), ("rig (complain)\n", nil), ("rig (unconfined)\n", nil),
            // Labels of other modules.
            ("system_u:system_r:rig_t:s0\n", nil), ("_\n", nil), ("kernel\n", nil),
        ] as [(String, String?)])
    func `an AppArmor profile that forbids is known by its mode`(label: String, profile: String?) {
        var world = FakeWorld()
        world.add("/proc/self/attr/current", label)
        #expect(SecurityModule.appArmorProfile(in: world) == profile)
        #expect(SecurityModule.appArmorProfile(in: FakeWorld()) == nil)
    }
}
