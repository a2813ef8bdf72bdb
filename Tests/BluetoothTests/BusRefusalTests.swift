import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import Bluetooth

/// What lets a user send to bluetoothd, by what refuses it.
@Suite("A bus that refuses")
struct BusRefusalTests {
    private static let policy = "Rejected send message, 2 matched rules; type=\"method_call\""
    private static let appArmor = "An AppArmor policy prevents this sender from sending this message to this recipient"
    private static let seLinux = "An SELinux policy prevents this sender from sending this message to this recipient"
    private static let etc = "/etc/dbus-1/system.d/bluetooth.conf"
    private static let share = "/usr/share/dbus-1/system.d/bluetooth.conf"

    private func remedies(_ text: String, _ change: (inout Rig) -> Void = { _ in }) throws -> [Remedy] {
        var rig = Rig()
        rig.list("hci0")
        rig.answer([(0, 0)], with: [Packets.information(0)])
        rig.denyBus(text)
        change(&rig)
        let enumeration = try rig.enumeration()
        #expect(enumeration.access == .denied)
        return enumeration.accessRemedies
    }

    private static func allowing(group: String) -> String {
        """
        <busconfig><policy user="root"><allow own="org.bluez"/><allow send_destination="org.bluez"/></policy>
        <policy group="\(group)"><allow send_destination="org.bluez"/></policy>
        <policy context="default"><deny send_destination="org.bluez"/></policy></busconfig>
        """
    }

    @Test func `the group of the policy is the remedy if this machine has it`() throws {
        let join = "sudo usermod -aG bluetooth \"$(id -un)\"    # then log in again"
        func words(_ groups: String, in file: String = Self.share, account: Account? = nil) throws -> String? {
            try remedies(Self.policy) { rig in
                rig.world.add(file, Self.allowing(group: "bluetooth"))
                rig.world.add("/etc/group", groups)
                rig.world.user = account
            }.words
        }
        func change(_ file: String) -> String { "let this user send to org.bluez in \(file)" }
        #expect(try words("root:x:0:\nbluetooth:x:112:\n") == join)
        #expect(try words("root:x:0:\n") == change(Self.share))
        #expect(try words("bluetooth:x:112:\n", in: Self.etc) == join)
        #expect(try words("bluetooth:x:112:\n", account: Account(user: 1000, groups: [1000])) == join)
        // A member whose session is older than the membership, and one who is refused all the same.
        let late = Account(user: 1000, groups: [1000], loginGroups: [1000, 112])
        let again = "log out and in again; probe with the rights of the group bluetooth"
        #expect(try words("bluetooth:x:112:\n", account: late) == again)
        let member = Account(user: 1000, groups: [1000, 112])
        #expect(try words("bluetooth:x:112:\n", account: member) == change(Self.share))
        #expect(try remedies(Self.policy).words == change(Self.etc))
    }

    @Test func `in a container nothing is joined or started`() throws {
        let remedies = try remedies(Self.policy) { rig in
            rig.contain()
            rig.world.add(Self.etc, Self.allowing(group: "lp"))
            rig.world.add("/etc/group", "lp:x:7:\n")
        }
        #expect(remedies == [.advice("let this user send to org.bluez, in the bus's policy on the host")])
    }

    @Test(arguments: [
        (appArmor, true, "", "apparmor=unconfined"),
        (appArmor, false, "sensor-probe (enforce)", "profile sensor-probe"),
        (appArmor, false, "", "AppArmor profile in force"),
        (appArmor, false, "snap.rigready.rigready (enforce)", "sudo snap connect rigready:bluez"),
        (seLinux, true, "", "label=disable"),
        (seLinux, false, "system_u:system_r:rig_t:s0", "domain of system_u:system_r:rig_t:s0"),
        // A socket that a profile hides has no text of the bus.
        ("", false, "sensor-probe (enforce)", "profile sensor-probe"),
        ("", false, "sensor-probe (complain)", "let this"),
    ])
    func `a security module is named, with its profile`(
        text: String, isContainer: Bool, label: String, remedy: String
    ) throws {
        let remedies = try remedies(text) { rig in
            if isContainer { rig.contain() }
            if !label.isEmpty { rig.world.add("/proc/self/attr/current", label + "\n") }
        }
        #expect(remedies.count == 1 && remedies.words?.contains(remedy) == true, "\(remedies)")
    }

    @Test(
        arguments: [
            (.addressFamilyNotSupported, "2", "RestrictAddressFamilies=AF_UNIX", .denied),
            (.noSuchFileOrDirectory, "0", "BindPaths=/run/dbus/system_bus_socket", .denied),
            // Without a filter, the kernel lacks the family.
            (.addressFamilyNotSupported, "0", nil, .unknown),
        ] as [(Errno, String, String?, Access)])
    func `the confinement of a unit is lifted by a setting`(
        errno: Errno, filter: String, setting: String?, access: Access
    ) throws {
        var rig = Rig()
        rig.list("hci0")
        rig.answer([(0, 0)], with: [Packets.information(0)])
        rig.world.subject = .unit("lab.service")
        rig.world.add("/proc/self/status", "Seccomp:\t\(filter)\n")
        let code: DriverError.Code = errno == .noSuchFileOrDirectory ? .confined : .refused
        rig.refuseBus(DriverError(code, errno: errno, subject: Endpoint.bluez.description))
        let enumeration = try rig.enumeration()
        #expect(enumeration.access == access)
        let words = enumeration.accessRemedies.map(\.words)
        #expect(
            !words.isEmpty && words.contains { $0.contains(setting ?? "[Service]") } == (setting != nil), "\(words)")
    }

    @Test func `the label of the sender in a policy's refusal is no security module's`() throws {
        let text = "\(Self.policy), sender=\":1.5\" (label=\"docker-default (enforce) AppArmor\")"
        #expect(try remedies(text).words?.contains("AppArmor") == false)
    }

    @Test(arguments: [
        ("<policy group=\"lp\"><allow send_destination=\"org.bluez\"/></policy>", ["lp"]),
        ("<policy\n  group='lp'>\n <allow send_destination='org.bluez' />\n</policy>", ["lp"]),
        ("<policy group=\"lp\"><allow send_destination=\"*\"/></policy>", ["lp"]),
        ("<policy group=\"lp\"><allow send_destination=\"org.bluez.obex\"/></policy>", []),
        ("<policy group=\"lp\"><deny send_destination=\"org.bluez\"/></policy>", []),
        ("<policy group=\"lp\"></policy><policy user=\"x\"><allow send_destination=\"org.bluez\"/></policy>", []),
        ("<!-- <policy group=\"lp\"><allow send_destination=\"org.bluez\"/></policy> -->", []),
        ("<!-- <policy group=\"lp\"><allow send_destination=\"org.bluez\"/></policy>", []),
        ("<policy group=\"\"><allow send_destination=\"org.bluez\"/></policy>", []),
        ("<policy group=\"lp", []), ("", []),
    ])
    func `the groups of a policy are those that may send`(text: String, groups: [String]) {
        #expect(BusRefusal.groups(allowedBy: text) == groups)
    }

    @Test func `a group's name enters a command only as a word`() throws {
        let remedies = try remedies(Self.policy) { rig in
            rig.world.add(Self.etc, Self.allowing(group: "$(reboot)"))
            rig.world.add("/etc/group", "$(reboot):x:7:\n")
        }
        #expect(remedies.first?.words.hasPrefix("sudo usermod -aG '$(reboot)' ") == true)
    }

    @Test func `mutants of a policy do no harm`() {
        for mutant in Mutations(of: [Array(Self.allowing(group: "lp").utf8)], count: 2000) {
            _ = BusRefusal.groups(allowedBy: String(decoding: mutant, as: UTF8.self))
        }
    }
}
