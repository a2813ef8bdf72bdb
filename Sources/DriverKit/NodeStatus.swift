public import SystemPackage

/// The owner and permissions of a node, and whether a user may read it.
public struct NodeStatus: Sendable, Equatable {
    /// Owner and group by number.
    public var owner, group: UInt32
    /// The twelve permission bits; with an access control list the group's three are its mask.
    public var mode: UInt16
    /// The access control list's entries beyond owner, group and others; empty without a list.
    public var entries: [AccessEntry]
    /// Whether the user may open it for reading.
    public var readable: Bool
    /// The right that lets the user read it; nil if there is none, or it is unknown.
    public var right: AccessRight?
    /// When its inode last changed, in nanoseconds since 1970; nil if unknown.
    public var changed: Int64?
    /// The kernel's own error number for a node that is not readable, EACCES or EPERM; nil if access was computed, or
    /// in older recordings.
    public var refusal: Errno?

    /// Makes a status.
    public init(
        owner: UInt32, group: UInt32, mode: UInt16, entries: [AccessEntry] = [], readable: Bool,
        right: AccessRight? = nil, changed: Int64? = nil, refusal: Errno? = nil
    ) {
        self.owner = owner
        self.group = group
        self.mode = mode
        self.entries = entries
        self.readable = readable
        self.right = right
        self.changed = changed
        self.refusal = refusal
    }

    /// The status in the format of `ls`, such as "rw-rw----+ 0:104", and the right by which it may be read.
    public var clause: String {
        let bits = (0..<9).map { bit in mode >> (8 - bit) & 1 == 1 ? ["r", "w", "x"][bit % 3] : "-" }
        let right = readable ? self.right.map { ", readable \($0.words)" } ?? "" : ""
        return bits.joined() + (entries.isEmpty ? "" : "+") + " \(owner):\(group)" + right
    }

    /// The right by which an account has a permission (read 4, write 2, execute 1), computed from owner, group, mode
    /// and list; nil if there is none.
    ///
    /// If the seat's entry is not the only right, the other one is returned, since it lasts. Source: acl(5), and the
    /// kernel's `acl_permission_check`, which ignores a list whose mask is empty. Capabilities are not considered.
    public func right(of account: Account, to permission: UInt16 = 0o4) -> AccessRight? {
        if account.user == owner { return mode >> 6 & permission == permission ? .owner : nil }
        let mask = mode >> 3 & 0o7
        let list = mask == 0 ? [] : entries
        func allows(_ permissions: UInt16) -> Bool { permissions & mask & permission == permission }
        if let own = list.firstIndex(where: { $0.subject == .user(account.user) }) {
            guard allows(list[own].permissions) else { return nil }
            var rest = self
            rest.entries.remove(at: own)
            return rest.right(of: account, to: permission) ?? .userEntry(account.user)
        }
        // One permitting group of the account is enough; if none permits, others' permission does not count.
        var isMember = false
        if account.groups.contains(group) {
            isMember = true
            let own = list.first { $0.subject == .owningGroup }?.permissions ?? mask
            if allows(own) { return .group(group) }
        }
        for entry in list {
            guard case .group(let number) = entry.subject, account.groups.contains(number) else { continue }
            isMember = true
            if allows(entry.permissions) { return .groupEntry(number) }
        }
        return !isMember && mode & permission == permission ? .others : nil
    }
}

/// One entry of an access control list.
public struct AccessEntry: Sendable, Equatable {
    /// The user or group that it concerns.
    public enum AccessSubject: Sendable, Equatable {
        case user(UInt32), group(UInt32)
        /// The group of the node: with a list, the mode shows the mask in its place.
        case owningGroup
    }

    /// The user or group that it concerns.
    public var subject: AccessSubject
    /// Read 4, write 2, execute 1.
    public var permissions: UInt16

    /// Makes an entry.
    public init(_ subject: AccessSubject, _ permissions: UInt16) {
        self.subject = subject
        self.permissions = permissions
    }

    /// The entry as one word, such as `user:1000:6`, for recordings.
    public var id: String {
        switch subject {
        case .user(let number): "user:\(number):\(permissions)"
        case .group(let number): "group:\(number):\(permissions)"
        case .owningGroup: "group::\(permissions)"
        }
    }

    /// Parses an entry; nil for an invalid word.
    public init?(id: String) {
        let parts = id.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let permissions = UInt16(parts[2]), permissions <= 7 else { return nil }
        self.permissions = permissions
        switch (parts[0], UInt32(parts[1])) {
        case ("user", let number?): subject = .user(number)
        case ("group", let number?): subject = .group(number)
        case ("group", nil) where parts[1].isEmpty: subject = .owningGroup
        default: return nil
        }
    }

    /// The entries of an extended attribute `system.posix_acl_access`; empty for invalid bytes.
    ///
    /// A version, then tag, permissions and number of each, little endian. Source: the kernel's
    /// include/uapi/linux/posix_acl_xattr.h.
    public static func entries(parsing bytes: [UInt8]) -> [AccessEntry] {
        guard bytes.uint32(at: 0) == 2, (bytes.count - 4).isMultiple(of: 8) else { return [] }
        return stride(from: 4, to: bytes.count, by: 8).compactMap { offset in
            guard let permissions = bytes.uint16(at: offset + 2), let id = bytes.uint32(at: offset + 4) else {
                return nil
            }
            return switch bytes.uint16(at: offset) {
            case 0x02: AccessEntry(.user(id), permissions)
            case 0x04: AccessEntry(.owningGroup, permissions)
            case 0x08: AccessEntry(.group(id), permissions)
            default: nil
            }
        }
    }
}

/// The right by which a user may read a node.
public enum AccessRight: Sendable, Equatable {
    case owner, group(UInt32), others
    /// An entry of the access control list for this user, as a seat gives it to the user who sits there.
    case userEntry(UInt32)
    case groupEntry(UInt32)
    /// No right on the node itself: the process may read any file.
    case capability

    /// Whether the right ends when the user leaves the seat.
    public var endsWithSeat: Bool {
        if case .userEntry = self { true } else { false }
    }

    /// The right in words that follow "readable".
    public var words: String { texts.words }

    /// The right as one word, such as `group:104`, for recordings.
    public var id: String { texts.id }

    private var texts: (id: String, words: String) {
        switch self {
        case .owner: ("owner", "by its owner")
        case .group(let number): ("group:\(number)", "by group \(number)")
        case .others: ("others", "by everyone")
        case .userEntry(let number):
            ("userEntry:\(number)", "by the access control entry of user \(number) alone")
        case .groupEntry(let number): ("groupEntry:\(number)", "by the access control entry of group \(number)")
        case .capability: ("capability", "by a capability that bypasses permissions")
        }
    }

    /// Parses a right; nil for an invalid word.
    public init?(id: String) {
        let number = id.split(separator: ":").last.flatMap { UInt32($0) } ?? 0
        let rights: [AccessRight] = [
            .owner, .group(number), .others, .userEntry(number), .groupEntry(number), .capability,
        ]
        guard let right = rights.first(where: { $0.id == id }) else { return nil }
        self = right
    }
}
