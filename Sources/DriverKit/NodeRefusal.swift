package import Readiness
package import SystemPackage

/// What keeps a user from a device's node besides its owner, mode and access control list: a device control group, a
/// folder, a security module, or a container that the node's group does not exist in.
package struct NodeRefusal {
    /// The cause in one clause, for evidence, and what would permit it.
    package typealias Explanation = (words: String, remedies: [Remedy])

    private let world: any World
    private let node: FilePath

    package init(of node: FilePath, in world: any World) {
        self.node = node
        self.world = world
    }

    /// The explanation of a refusal; nil if the mode or the list explains it, and a command here changes that.
    package func explanation(of status: NodeStatus?, for account: Account?) -> Explanation? {
        guard let status else { return nil }
        // The kernel asks the mode first, then the control group, which alone answers EPERM, then the security module.
        // Source: Linux, `inode_permission` in fs/namei.c.
        if status.refusal == .notPermitted { return ofControlGroup }
        if status.refusal == .noSuchFileOrDirectory, let subject = world.subject { return ofMissingNode(for: subject) }
        if status.refusal == .permissionDenied, let account, status.right(of: account) != nil {
            return ofFolder(for: account) ?? ofSecurityModule
        }
        return ofContainer(status)
    }

    private var isInContainer: Bool {
        if case .container? = world.subject { true } else { ContainerEnvironment.container(in: world) != nil }
    }

    private var ofControlGroup: Explanation {
        let words = "the device control group denies access (EPERM); the mode of the node is not the reason"
        // Source: systemd.resource-control(5), DeviceAllow=; systemd.exec(5), PrivateDevices=.
        if isInContainer { return (words, [.advice("on the host: start the container with --device \(node)")]) }
        if let subject = world.subject {
            return (words, [subject.remedy(setting: ["DeviceAllow=\(node) r"], named: "DeviceAllow")])
        }
        return (words, [.advice("in the unit that runs this: set DeviceAllow=\(node) r, and PrivateDevices=no")])
    }

    /// The machine has the node, and the subject's own `/dev` does not.
    private func ofMissingNode(for subject: AccessSubject) -> Explanation {
        let words = "this machine has the node, but the /dev of \(subject.words) does not"
        if isInContainer { return (words, [.advice("on the host: start the container with --device \(node)")]) }
        return (words, [subject.remedy(setting: ["PrivateDevices=no"], named: "PrivateDevices")])
    }

    private func ofFolder(for account: Account) -> Explanation? {
        guard account.user != 0 else { return nil }
        var folder = node.removingLastComponent()
        while !folder.components.isEmpty {
            if let status = try? world.status(of: folder), status.right(of: account, to: 0o1) == nil {
                let command: ShellCommand? = ShellWord(folder.string).map { "sudo chmod a+x \($0)" }
                return (
                    "its mode permits reading, but this user may not enter the folder \(folder)",
                    [command.map { .command($0) } ?? .option(.asRoot)]
                )
            }
            folder.removeLastComponent()
        }
        return nil
    }

    /// The connection of a snap's interface, whose profile snapd writes; nil for any other profile.
    ///
    /// Source: snapd, "supported interfaces": `iio`, `joystick`.
    private func snapConnection(of profile: String) -> Remedy? {
        let parts = profile.split(separator: ".")
        let interface = node.string.hasPrefix("/dev/iio:") ? "iio" : "joystick"
        guard parts.count > 2, parts[0] == "snap", let plug = ShellWord("\(parts[1]):\(interface)") else { return nil }
        return .command("sudo snap connect \(plug)", note: "allows it in the snap's AppArmor profile")
    }

    private var ofSecurityModule: Explanation {
        let module = SecurityModule(in: world)
        let process = world.subject?.words ?? "this process"
        let label = module?.label.map { "; \(process) runs as \($0)" } ?? ""
        let logged = module?.refusal(of: node, in: world).map { "; the kernel logged: \($0)" } ?? ""
        let words =
            "its mode permits reading, but \(module?.name ?? "a security module") denies it (EACCES)\(label)\(logged)"
        let log = Remedy.command(
            module?.log ?? SecurityModule.anyLog,
            note: "shows the refusal; then permit it in the policy of \(module?.name ?? "that module")")
        guard module?.name == SecurityModule.appArmor, let profile = module?.profile else { return (words, [log]) }
        if let connection = snapConnection(of: profile) { return (words, [connection]) }
        let rule = Remedy.advice(
            "add the rule \(node) r, to the AppArmor profile \(profile), load it with apparmor_parser -r, and start \(process) "
                + "again")
        return (words, [log, rule])
    }

    /// In a container the groups are the host's, and nothing that is done to a user inside lasts.
    private func ofContainer(_ status: NodeStatus) -> Explanation? {
        // The kernel shows every number without a mapping as this one. Source: user_namespaces(7).
        let isUnmapped = status.group == 65534
        guard isUnmapped || isInContainer else { return nil }
        let rules = "on the host: install rigready's udev rules, which give \(node) to a group"
        if isUnmapped {
            return (
                "it belongs to a group of the host that is not mapped into this container (65534, nogroup)",
                [
                    .advice(
                        "on the host: let everybody read it (chmod a+r \(node)), or start the container with an id map "
                            + "that has its group, in Podman with --group-add keep-groups")
                ]
            )
        }
        guard status.group != 0, status.mode & 0o040 != 0 else {
            return (
                "on this container's host no group may read it",
                [.advice("\(rules); then start the container with --group-add and that group's number")]
            )
        }
        return (
            "group \(status.group) of the host may read it, and this container's user is not in that group",
            [.advice("on the host: start the container with --group-add \(status.group)")]
        )
    }
}

/// The Linux security module that confines this process.
package struct SecurityModule: Sendable, Equatable {
    package let name: String
    /// The label or profile of this process; nil if unknown.
    package let label: String?
    /// What shows its refusals.
    package let log: ShellCommand

    static let appArmor = "AppArmor"
    static let anyLog: ShellCommand = "sudo dmesg | grep -iE 'avc|smack|apparmor|denied'"

    /// The name of an AppArmor profile, without its mode.
    var profile: String? { label.map { $0.split(separator: " (", maxSplits: 1)[0] }.map(String.init) }

    /// Finds the module that confines the process by a label or profile: AppArmor, SELinux or SMACK; nil if there is no sign
    /// of one.
    ///
    /// Source: proc_pid_attr(5); the kernel's Documentation/admin-guide/LSM.
    package init?(in world: any World) {
        let label = Self.label(in: world)
        if let label, label.hasSuffix(")"), label.contains(" (") {
            (name, self.label, log) = (Self.appArmor, label, "sudo dmesg | grep -i apparmor")
        } else if let label, label.split(separator: ":").count >= 3 {
            (name, self.label, log) = ("SELinux", label, "sudo ausearch -m avc -ts recent")
        } else if world.exists("/sys/fs/selinux/enforce") {
            (name, self.label, log) = ("SELinux", label, "sudo ausearch -m avc -ts recent")
        } else if world.exists("/sys/fs/smackfs") {
            (name, self.label, log) = ("SMACK", label, "sudo dmesg | grep -i smack")
        } else {
            return nil
        }
    }

    /// The AppArmor profile that confines this process; nil if none does, or if that is unknown.
    ///
    /// access(2) does not ask AppArmor, which checks only when a file is opened, so with a profile it says nothing.
    /// A profile is shown with its mode: `docker-default (enforce)`. One in the mode `complain` forbids nothing. Source:
    /// Linux, `security/apparmor/lsm.c` (`file_open`, no `inode_permission`) and `aa_getprocattr`.
    package static func appArmorProfile(in world: any World) -> String? {
        // In a subject's place, nodes are opened.
        guard world.subject == nil else { return nil }
        guard let label = label(in: world), label.hasSuffix(")"), label.contains(" (") else { return nil }
        return label.hasSuffix(" (complain)") || label.hasSuffix(" (unconfined)") ? nil : label
    }

    /// The newest line of the kernel's log in which this module refuses the node to the label; nil if none is there, or this
    /// process may not read it.
    ///
    /// Source: Linux, `common_lsm_audit` in security/lsm_audit.c, and the callbacks of the three modules, which name the
    /// subject `profile`, `scontext` or `subject`, and a file by its path or its last part.
    func refusal(of node: FilePath, in world: any World) -> String? {
        let files = [node.string, node.lastComponent?.string ?? ""].map { "name=\"\($0)\"" }
        let subject = profile ?? ""
        let subjects = ["profile=\"\(subject)\"", "scontext=\(subject)", "subject=\"\(subject)\""]
        let line = world.loggedRefusals().last { line in
            let words = line.split(separator: " ")
            func has(_ wanted: [String]) -> Bool { words.contains { wanted.contains(String($0)) } }
            return has(files) && (label == nil || has(subjects))
        }
        return line.map { String($0.singleLine.prefix(400)) }
    }

    private static func label(in world: any World) -> String? {
        guard let label = world.line(of: "/proc/self/attr/current", limit: 200), label != "unconfined" else {
            return nil
        }
        return label
    }
}

extension Sensor {
    /// Notes that AppArmor confines this process, so that a node that seems readable may not be.
    package mutating func doubtAccess(under profile: String) {
        guard access == .readable else { return }
        access = .unknown
        accessEvidence?.said +=
            "; AppArmor confines this process (\(profile)), and what it forbids shows only on opening"
        let node = accessEvidence?.path ?? "the node"
        accessRemedies = [
            .advice("check that the AppArmor profile has the rule \(node) r, or probe outside the profile")
        ]
    }
}
