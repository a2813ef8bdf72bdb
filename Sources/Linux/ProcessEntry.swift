internal import CGlibc
package import DriverKit
internal import Glibc
internal import Readiness
internal import SystemPackage

/// Takes the place of another process: its control groups, namespaces, root, label, user, groups and capabilities.
///
/// It needs root and a process with one thread, and cannot be undone. The current folder is then the `/proc` of before, so
/// that `self/…` are the files of this process in every namespace.
///
/// Source: setns(2), capabilities(7), credentials(7), user_namespaces(7).
package enum ProcessEntry {
    /// A part of a process that could not be taken over, such as `the filter of system calls (seccomp)`.
    package typealias Omission = String

    /// Takes the place; returns the parts that could not be taken over, and throws if none could.
    ///
    /// A filter of system calls that is copied may end this process.
    package static func enter(_ facts: ProcessFacts, copiesFilters: Bool) throws(DriverError) -> [Omission] {
        let folder = "/proc/\(facts.number)"
        // A filter that ends this process leaves no core file, and the subject's user may not trace it.
        _ = set_not_dumpable()
        let filters = facts.isFiltered && copiesFilters ? try SystemCallFilters(of: facts.number) : nil
        var omissions: [Omission] = facts.isFiltered && filters == nil ? [filter] : []
        if facts.hasHiddenControlGroup { omissions.append("the control group") }
        // Opened before the namespaces change, which have other files.
        let (own, root) = (open(folder: "/proc"), open(folder: "\(folder)/root"))
        guard own >= 0, root >= 0 else { throw DriverError(errno: .current, subject: folder) }
        let namespaces = foreignNamespaces(of: folder)
        let attribute = labelAttribute()
        let ownGroups = (try? ProcessFacts(of: getpid()))?.controlGroups ?? []
        for group in facts.controlGroups where !ownGroups.contains(group) && !join(group) {
            omissions.append("the control group \(group)")
        }
        // Before the user namespace: it may forbid this call, and it shows all groups without a mapping as 65534.
        if unsafe set_groups(facts.groups.count, facts.groups) != 0 { omissions.append("the groups") }
        for (name, descriptor) in namespaces {
            guard descriptor >= 0, enter_namespace(descriptor) == 0 else {
                omissions.append("the \(name) namespace")
                continue
            }
        }
        guard fchdir(root) == 0, unsafe chroot(".") == 0, fchdir(own) == 0 else {
            throw DriverError(errno: .current, subject: "\(folder)/root")
        }
        let isOtherUserNamespace = namespaces.contains { $0.name == "user" }
        omissions += takeOverAccount(of: facts, isMapped: isOtherUserNamespace)
        if let label = facts.label, !take(label, by: attribute) { omissions.append("the label \(label)") }
        // Last, since it may forbid what comes before. Without no_new_privs, which matters only to programs that this process
        // would start, a filter needs a privilege.
        if let filters, set_no_new_privileges() != 0 || !filters.install() { omissions.append(filter) }
        return omissions
    }

    /// The omission of a process whose filter cannot be read or installed.
    package static let filter: Omission = "the filter of system calls (seccomp)"

    // MARK: Steps

    /// The namespaces in the order in which they are entered; the user namespace is the last one, because the others may belong
    /// to the first user namespace.
    private static let namespaces = [
        (name: "network", file: "net"), ("IPC", "ipc"), ("host name", "uts"), ("mount", "mnt"), ("user", "user"),
    ]

    private static func foreignNamespaces(of folder: String) -> [(name: String, descriptor: CInt)] {
        namespaces.compactMap { name, file in
            // A kernel without this kind of namespace has no such file.
            guard let own = try? Stat(FilePath("/proc/self/ns/\(file)")) else { return nil }
            let other = try? Stat(FilePath("\(folder)/ns/\(file)"))
            if let other, other.inode == own.inode, other.deviceID == own.deviceID { return nil }
            return (name, open(file: "\(folder)/ns/\(file)", O_RDONLY))
        }
    }

    private static func open(folder: String) -> CInt { open(file: folder, O_RDONLY | O_DIRECTORY) }

    private static func open(file: String, _ flags: CInt) -> CInt {
        unsafe file.withCString { unsafe Glibc.open($0, flags | O_CLOEXEC) }
    }

    private static func join(_ group: FilePath) -> Bool {
        guard
            let file = try? FileDescriptor.open(
                group.appending("cgroup.procs"), .writeOnly, options: [.closeOnExec])
        else { return false }
        return (try? file.closeAfter { try file.writeAll("0".utf8) }) != nil
    }

    private static func takeOverAccount(of facts: ProcessFacts, isMapped: Bool) -> [Omission] {
        var omissions: [Omission] = []
        func inside(_ number: UInt32, _ map: IdentifierMap) -> UInt32? { isMapped ? map.inside(number) : number }
        for number in CInt(0)..<64 where facts.bounding >> UInt64(number) & 1 == 0 {
            // Numbers that the kernel does not have yet are no error.
            _ = drop_bounding_capability(number)
        }
        _ = keep_capabilities()
        let (group, user) = (inside(facts.group, facts.groupMap), inside(facts.user, facts.users))
        if group.map({ set_group($0) == 0 }) != true { omissions.append("the group") }
        if user.map({ set_user($0) == 0 }) != true { omissions.append("the user") }
        if set_capabilities(facts.effective, facts.permitted, facts.inheritable) != 0 {
            omissions.append("the capabilities")
        }
        for number in CInt(0)..<64 where facts.ambient >> UInt64(number) & 1 == 1 {
            _ = raise_ambient_capability(number)
        }
        if facts.hasNoNewPrivileges { _ = set_no_new_privileges() }
        return omissions
    }

    private enum LabelAttribute {
        case appArmor(CInt), other(CInt), none
    }

    private static func labelAttribute() -> LabelAttribute {
        let own = open(file: "/proc/self/attr/apparmor/current", O_WRONLY)
        if own >= 0 { return .appArmor(own) }
        let file = open(file: "/proc/self/attr/current", O_WRONLY)
        if file < 0 { return .none }
        let isAppArmor = unsafe access("/sys/kernel/security/apparmor", F_OK) == 0
        return isAppArmor ? .appArmor(file) : .other(file)
    }

    private static func take(_ label: String, by attribute: LabelAttribute) -> Bool {
        let (descriptor, text): (CInt, String)
        switch attribute {
        case .none: return false
        // AppArmor shows the mode in parentheses.
        case .appArmor(let number):
            let profile = label.firstRange(of: " (").map { String(label[..<$0.lowerBound]) } ?? label
            (descriptor, text) = (number, "changeprofile \(profile)")
        case .other(let number): (descriptor, text) = (number, label)
        }
        return (try? FileDescriptor(rawValue: descriptor).writeAll(text.utf8)) != nil
    }
}
