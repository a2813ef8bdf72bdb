internal import Readiness
internal import DriverKit
/// Why a user may not capture through a node, told apart by what the rig's rules, udev and its users show.
enum NodeDenial: Sendable, Equatable {
    /// No folder that udev reads has the rule.
    case ruleNotInstalled
    /// An empty file of the rule's name, in a folder that goes before, takes the rule's place.
    case ruleMasked(by: String)
    /// The rule is there, and the group that it gives nodes to is not.
    case groupMissing
    /// udev has looked at the device since the rule was installed, and did not know it.
    case notReloaded(rule: String)
    /// udev has not looked at the device since the rule was installed.
    ///
    /// `isLoaded` where another device shows that udev knows the rule.
    case notTriggered(rule: String, isLoaded: Bool)
    /// udev knows the device by the rule, and the node is not the group's: the group came later, or another hand.
    case undone
    /// No udev runs here that a rule could tell anything.
    case noUdev
    /// A group may read it, and the user is not in that group.
    case notInGroup(String)
    /// The user is in the group that may read it, and this login session, which is older, is not.
    case notInSession(String)
    /// The user is in the group that may read it, and an access control list or a folder keeps them out.
    case excluded(String)

    /// The finding in one clause, as evidence tells it.
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

    /// What to do about it on this rig; `node` is the node as a word of a command.
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
