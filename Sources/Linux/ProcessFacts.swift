package import DriverKit
internal import Glibc
package import SystemPackage

/// What the kernel shows of the rights of a process.
///
/// Source: proc_pid_status(5), proc_pid_cgroup(5), proc_pid_uid_map(5).
package struct ProcessFacts: Sendable, Equatable {
    /// A set of capabilities by their numbers, as bits.
    package typealias CapabilitySet = UInt64

    /// The process.
    package let number: Int32
    /// The effective user and group, and all groups, in the first user namespace.
    package let user, group: UInt32
    package let groups: [UInt32]
    package let effective, permitted, inheritable, bounding, ambient: CapabilitySet
    /// Whether it can gain no privileges by starting a program.
    package let hasNoNewPrivileges: Bool
    /// Whether a filter of system calls (seccomp) is in force.
    package let isFiltered: Bool
    /// The label of its security module, such as `docker-default (enforce)`; nil if it is not confined.
    package let label: String?
    /// Its control groups that may decide about devices, as folders below `/sys/fs/cgroup`.
    package let controlGroups: [FilePath]
    /// Whether a control group is outside of the hierarchy that this process sees, so that it cannot be entered.
    package let hasHiddenControlGroup: Bool
    /// How the numbers of users and groups are shown in its user namespace.
    package let users, groupMap: IdentifierMap

    /// The account that it acts for.
    package var account: Account { Account(user: user, groups: Set(groups).union([group])) }

    /// Reads the facts of a process; ENOENT if there is none, EACCES where they are hidden from this user.
    package init(of number: Int32) throws(DriverError) {
        let world = LiveWorld(drivers: [])
        let folder = FilePath("/proc/\(number)")
        func text(_ file: String) throws(DriverError) -> String {
            String(decoding: try world.contents(of: folder.appending(file), limit: 1 << 20), as: UTF8.self)
        }
        if !world.exists(folder) {
            throw DriverError(
                .refused, errno: .noSuchProcess, subject: "process \(number)", detail: "there is no such process")
        }
        var label: String?
        for file in ["attr/apparmor/current", "attr/current"] where label == nil {
            do throws(DriverError) {
                label = try text(file)
            } catch {
                // A kernel without security modules has no such file, or answers EINVAL. A label that is hidden may confine.
                if error.isDenied { throw error }
            }
        }
        try self.init(
            number, status: text("status"), label: label, controlGroups: text("cgroup"),
            users: (try? text("uid_map")) ?? "", groups: (try? text("gid_map")) ?? "")
    }

    /// Parses the files of a process; `malformed` if a line of its status is missing.
    package init(
        _ number: Int32, status: String, label: String?, controlGroups: String, users: String, groups: String
    ) throws(DriverError) {
        let lines = status.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
        let fields = Dictionary(
            lines.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) },
            uniquingKeysWith: { first, _ in first })
        func words(_ name: String) throws(DriverError) -> [Substring] {
            guard let field = fields[name] else {
                throw DriverError(.malformed, subject: "/proc/\(number)/status", detail: "no line \(name)")
            }
            return field.split { $0 == " " || $0 == "\t" }
        }
        func identifier(_ name: String) throws(DriverError) -> UInt32 {
            // Real, effective, saved and of the file system.
            guard let words = try Optional(words(name)), words.count == 4, let number = UInt32(words[1]) else {
                throw DriverError(
                    .malformed, subject: "/proc/\(number)/status", detail: "no number in the line \(name)")
            }
            return number
        }
        func set(_ name: String) throws(DriverError) -> CapabilitySet {
            try words(name).first.flatMap { CapabilitySet($0, radix: 16) } ?? 0
        }
        self.number = number
        (user, group) = (try identifier("Uid"), try identifier("Gid"))
        self.groups = try words("Groups").compactMap { UInt32($0) }
        (effective, permitted, inheritable) = (try set("CapEff"), try set("CapPrm"), try set("CapInh"))
        (bounding, ambient) = (try set("CapBnd"), try set("CapAmb"))
        hasNoNewPrivileges = try words("NoNewPrivs").first == "1"
        isFiltered = try words("Seccomp").first != "0"
        let shown = label?.trimmed ?? ""
        self.label = shown.isEmpty || shown.hasPrefix("unconfined") ? nil : shown
        let paths = Self.paths(of: controlGroups)
        // Source: cgroup_namespaces(7), which shows a group outside as a path that begins with /.. here.
        hasHiddenControlGroup = paths.contains { $0.path.hasPrefix("/..") }
        self.controlGroups = paths.filter { !$0.path.hasPrefix("/..") }.map { FilePath($0.root + $0.path) }
        (self.users, groupMap) = (IdentifierMap(parsing: users), IdentifierMap(parsing: groups))
    }

    /// The lines `NUMBER:CONTROLLERS:PATH` of the unified hierarchy, and of the controller of devices before it.
    private static func paths(of text: String) -> [(root: String, path: Substring)] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[2].hasPrefix("/") else { return nil }
            if fields[1].isEmpty { return ("/sys/fs/cgroup", fields[2]) }
            return fields[1].split(separator: ",").contains("devices")
                ? ("/sys/fs/cgroup/\(fields[1])", fields[2]) : nil
        }
    }
}

/// How a user namespace shows identifiers of the first one.
package struct IdentifierMap: Sendable, Equatable {
    private var ranges: [(inside: UInt64, outside: UInt64, count: UInt64)] = []

    /// Parses lines `INSIDE OUTSIDE COUNT`; others are left out.
    package init(parsing text: String) {
        ranges = text.split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { UInt64($0) }
            return numbers.count == 3 ? (numbers[0], numbers[1], numbers[2]) : nil
        }
    }

    /// The identifier inside; nil if it has none there.
    package func inside(_ outside: UInt32) -> UInt32? {
        let number = UInt64(outside)
        let range = ranges.first { $0.outside <= number && number - $0.outside < $0.count }
        return range.flatMap { UInt32(exactly: $0.inside + number - $0.outside) }
    }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.ranges.elementsEqual(rhs.ranges) { $0 == $1 }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while let last = text.last, last == "\n" || last == "\0" || last == " " { text.removeLast() }
        return String(text)
    }
}
