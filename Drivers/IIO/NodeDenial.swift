internal import Readiness
internal import DriverKit
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
                    note: "for now; permanently: install the package, or from the sources: Scripts/install")
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
