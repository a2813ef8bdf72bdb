internal import DriverKit
internal import Readiness
internal import SystemPackage

/// Finds why a user may not capture through a node; reads only files and status, and nothing of the chip.
struct Diagnosis {
    /// The cause in one clause, for evidence, and what would permit it on this rig.
    typealias Denial = (words: String, remedies: [Remedy])

    /// The rule that gives users of a rig access to motion sensors.
    static let rule = "70-rigready-iio.rules"
    static let group = "iio"
    /// Where udev reads rules; among files of one name the first counts.
    ///
    /// Source: udev(7).
    private static let folders: [FilePath] = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
        "/lib/udev/rules.d",
    ]

    let world: any World
    /// The device's folder, and its kernel properties.
    let device: FilePath
    let kernel: Properties
    /// The node as a word of a command.
    let node: ShellWord?

    /// The cause, as far as it can be determined here; the most general one for a recording that holds less.
    func denial(of status: NodeStatus?) -> Denial {
        let account = try? world.account()
        if let name = kernel["DEVNAME"],
            let explanation = NodeRefusal(of: FilePath("/dev").appending(name), in: world)
                .explanation(of: status, for: account)
        {
            return explanation
        }
        if let status, status.group != 0, status.mode & 0o040 != 0 {
            return denial(ofMembersOf: status.group, account)
        }
        guard let (file, installed) = installedRule else {
            return (
                "no udev rule grants access: \(Self.rule) is not installed",
                [
                    permission(
                        "for now; permanently: install the package rigready, or run Scripts/install in its sources")
                ]
            )
        }
        let reload: ShellCommand = "sudo udevadm control --reload"
        let trigger: ShellCommand = "sudo udevadm trigger --action=change"
        let all: ShellCommand = "\(reload) && \(trigger) --subsystem-match=iio"
        if isEmpty(file) {
            let removal = ShellWord(file.string).map { Remedy.command("sudo rm \($0) && \(all)") }
            return ("\(file), which is empty, masks the udev rule", [removal ?? .command(all)])
        }
        // The rule's group must exist when udev reads the rule.
        if groups?.contains(where: { $0.name == Self.group }) == false {
            return (
                "the group iio, to which \(Self.rule) gives it, does not exist",
                [.command("sudo groupadd --system --force iio && \(all)")]
            )
        }
        let udev = world.udevProperties(of: device, subsystem: "iio", kernel: kernel)
        if udev["RIGREADY_ACCELEROMETER"] == "1" || udev["RIGREADY_GYROSCOPE"] == "1" {
            // The node was made later, or something changed it.
            return ("udev has applied \(Self.rule), but the group of the node is another one", [.command(all)])
        }
        let looked = lookedAt
        let name: ShellCommand = node.map { "\($0)" } ?? "--subsystem-match=iio"
        if looked == nil, !world.exists("/run/udev/data") { return ("no udev runs here", [permission()]) }
        if let changed = installed.changed, let looked = looked?.changed, looked >= changed {
            return ("udev processed the device before it read \(file)", [.command(all)])
        }
        return (
            "udev has not processed the device since \(file) was installed",
            [.command(isLoaded ? "\(trigger) \(name)" : "\(reload) && \(trigger) \(name)")]
        )
    }

    private func denial(ofMembersOf number: UInt32, _ account: Account?) -> Denial {
        let group = name(of: number)
        // A user who is in the group already is denied by something else, which a login does not fix.
        if account?.groups.contains(number) == true {
            return (
                "this user is in group \(group), which may read it, but an entry of the access list or a folder keeps this user out",
                [permission()]
            )
        }
        if let subject = world.subject {
            if account?.loginGroups?.contains(number) == true {
                return (
                    "group \(group) may read it, and the user of \(subject.words) is in that group now, but was not when it started",
                    [subject.restart]
                )
            }
            return (
                "group \(group) may read it, and \(subject.words) is not in that group",
                [subject.remedy(setting: ["SupplementaryGroups=\(group)"], named: "SupplementaryGroups")]
            )
        }
        if account?.loginGroups?.contains(number) == true {
            return (
                "group \(group) may read it, and this user is in that group, but this login session is not",
                [.advice("log out and in again"), .option(.inGroup(group))]
            )
        }
        // Nobody can join a group that does not exist.
        let isNamed = groups?.contains { $0.number == number } ?? true
        return (
            "group \(group) may read it, and this user is not in that group",
            (isNamed ? ShellWord(group) : nil).map {
                [.command("sudo usermod -aG \($0) \"\(world.userName)\"", note: "then log in again")]
            } ?? [permission()]
        )
    }

    private func permission(_ note: String? = nil) -> Remedy {
        node.map { .command("sudo setfacl -m \"u:\(world.userName):rw\" \($0)", note: note) } ?? .option(.asRoot)
    }

    private var installedRule: (file: FilePath, status: NodeStatus)? {
        for folder in Self.folders {
            let file = folder.appending(Self.rule)
            if let status = try? world.status(of: file) { return (file, status) }
        }
        return nil
    }

    /// Whether a file is empty, as a link to /dev/null is; checked without reading its bytes.
    private func isEmpty(_ file: FilePath) -> Bool { (try? world.contents(of: file, limit: 0)) != nil }

    /// udev's record of the device, which it rewrites whenever it processes the device.
    private var lookedAt: NodeStatus? {
        guard let major = kernel["MAJOR"], let minor = kernel["MINOR"] else { return nil }
        return try? world.status(of: FilePath("/run/udev/data").appending("c\(major):\(minor)"))
    }

    /// Whether any device has the tag that the rule sets.
    private var isLoaded: Bool { (try? world.entries(of: "/run/udev/tags/rigready"))?.isEmpty == false }

    private func name(of number: UInt32) -> String { groups?.first { $0.number == number }?.name ?? String(number) }

    /// The groups of `/etc/group`, from lines of NAME:PASSWORD:NUMBER:MEMBERS; nil if it cannot be read.
    private var groups: [(name: String, number: UInt32)]? {
        guard let bytes = try? world.contents(of: "/etc/group", limit: 1 << 20) else { return nil }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count >= 3, let number = UInt32(String(decoding: fields[2], as: UTF8.self)),
                let word = ShellWord(String(decoding: fields[0], as: UTF8.self))
            else { return nil }
            return (word.quoted, number)
        }
    }
}
