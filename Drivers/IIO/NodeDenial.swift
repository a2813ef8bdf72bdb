internal import DriverKit
internal import Readiness
internal import SystemPackage

/// Why a user may not capture through a node, as the rig's rules, udev and its users show.
enum NodeDenial: Sendable, Equatable {
    /// No folder that udev reads contains the rule.
    case ruleNotInstalled
    /// An empty file of the rule's name, in a folder of higher priority, replaces the rule.
    case ruleMasked(by: String)
    /// The rule exists, but the group that it gives nodes to does not.
    case groupMissing
    /// udev has processed the device since the rule was installed, but did not know the rule.
    case notReloaded(rule: String)
    /// udev has not processed the device since the rule was installed.
    ///
    /// `isLoaded`: another device shows that udev knows the rule.
    case notTriggered(rule: String, isLoaded: Bool)
    /// udev has applied the rule, but the node does not have the group: it was made later, or something changed the
    /// node.
    case undone
    /// No udev runs here, so no rule can apply.
    case noUdev
    /// A group may read it, and the user is not in that group.
    case notInGroup(String)
    /// The user is in the group that may read it, but this login session is older.
    case notInSession(String)
    /// The user is in the group that may read it, but an access control list or a folder denies access.
    case excluded(String)

    /// The cause in one clause, for evidence.
    var words: String {
        switch self {
        case .ruleNotInstalled: "no udev rule gives it to anybody: \(Diagnosis.rule) is not installed"
        case .ruleMasked(let file): "\(file), which is empty, masks the udev rule"
        case .groupMissing: "the group iio, to which \(Diagnosis.rule) gives it, does not exist"
        case .notReloaded(let rule): "udev has looked at it without \(rule), which it has not read"
        case .notTriggered(let rule, _): "udev has not looked at it since \(rule) was installed"
        case .undone: "udev has applied \(Diagnosis.rule), but the node is not the group's"
        case .noUdev: "no udev runs here"
        case .notInGroup(let group): "group \(group) may read it, and this user is not in that group"
        case .notInSession(let group):
            "group \(group) may read it, and this user is in that group, but this login session is not"
        case .excluded(let group):
            "group \(group) may read it, and this user, who is in that group, is kept out by name or by a folder"
        }
    }

    /// The remedies on this rig; `node` is the node as a word of a command.
    func remedies(for node: String) -> [Remedy] {
        let reload = "sudo udevadm control --reload"
        let trigger = "sudo udevadm trigger --action=change"
        let all = "\(reload) && \(trigger) --subsystem-match=iio"
        return switch self {
        case .ruleNotInstalled:
            [
                .command(
                    "sudo setfacl -m \"u:$(id -un):r\" \(node)",
                    note: "for now; permanently: install the package rigready, or run Scripts/install in its sources")
            ]
        case .noUdev, .excluded: [.command("sudo setfacl -m \"u:$(id -un):r\" \(node)")]
        case .ruleMasked(let file): [.command("sudo rm \(ShellWord.quoted(file) ?? "'\(Diagnosis.rule)'") && \(all)")]
        case .groupMissing: [.command("sudo groupadd --system --force iio && \(all)")]
        case .notReloaded, .undone: [.command(all)]
        case .notTriggered(_, let isLoaded): [.command((isLoaded ? "" : "\(reload) && ") + "\(trigger) \(node)")]
        case .notInGroup(let group): [.command("sudo usermod -aG \(group) \"$(id -un)\"", note: "then log in again")]
        case .notInSession(let group): [.advice("log out and in again"), .option(.inGroup(group))]
        }
    }
}

/// Finds why a user may not capture through a node; reads only files and status, and nothing of the chip.
struct Diagnosis {
    /// The rule that gives users of a rig access to motion sensors.
    static let rule = "70-rigready-iio.rules"
    /// The group that gets the access.
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

    /// The cause, as far as it can be determined here; the most general one for a recording that holds less.
    func denial(of status: NodeStatus?) -> NodeDenial {
        if let status, status.group != 0, status.mode & 0o040 != 0 {
            let name = name(of: status.group)
            let account = try? world.account()
            // A user who is in the group already is denied by something else, which a login does not fix.
            if account?.groups.contains(status.group) == true { return .excluded(name) }
            return account?.loginGroups?.contains(status.group) == true ? .notInSession(name) : .notInGroup(name)
        }
        guard let (file, installed) = installedRule else { return .ruleNotInstalled }
        if isEmpty(file) { return .ruleMasked(by: file.string) }
        // The rule's group must exist when udev reads the rule.
        if groups?.contains(where: { $0.name == Self.group }) == false { return .groupMissing }
        let udev = world.udevProperties(of: device, subsystem: "iio", kernel: kernel)
        if udev["RIGREADY_ACCELEROMETER"] == "1" || udev["RIGREADY_GYROSCOPE"] == "1" { return .undone }
        guard let looked = lookedAt else {
            return world.exists("/run/udev/data") ? .notTriggered(rule: file.string, isLoaded: isLoaded) : .noUdev
        }
        if let changed = installed.changed, let looked = looked.changed, looked >= changed {
            return .notReloaded(rule: file.string)
        }
        return .notTriggered(rule: file.string, isLoaded: isLoaded)
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
                let name = ShellWord.quoted(String(decoding: fields[0], as: UTF8.self))
            else { return nil }
            return (name, number)
        }
    }
}
