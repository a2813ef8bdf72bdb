internal import Glibc

/// A user of this machine for access decisions: number and groups.
public struct Account: Sendable, Equatable {
    /// The user's number.
    public var user: UInt32
    /// The groups by number, the primary one among them.
    public var groups: Set<UInt32>
    /// The groups that a new login would give it; nil if no user database says.
    public var loginGroups: Set<UInt32>?

    /// Makes an account.
    public init(user: UInt32, groups: Set<UInt32>, loginGroups: Set<UInt32>? = nil) {
        self.user = user
        self.groups = groups
        self.loginGroups = loginGroups
    }

    /// The user that this process acts for: the effective user, with its current groups.
    public static var current: Account {
        let size = getgroups(0, nil)
        var groups = [gid_t](repeating: 0, count: max(0, Int(size)))
        let count = unsafe getgroups(CInt(groups.count), &groups)
        return Account(user: geteuid(), groups: Set(groups.prefix(max(0, Int(count)))).union([getegid()]))
    }

    /// The account of a name or number, with the groups that a new login would give it; nil if there is none.
    public init?(named name: String) {
        guard let found = UserRecord(named: name) ?? UInt32(name).flatMap({ UserRecord(of: $0) }),
            let groups = found.groups
        else { return nil }
        self.init(user: found.user, groups: groups, loginGroups: groups)
    }

    /// The same account with the groups that a new login would give it, by the current user database.
    public var withLoginGroups: Account {
        var account = self
        account.loginGroups = UserRecord(of: user)?.groups
        return account
    }

    /// The name in the user database; the number in digits if it has none.
    public var name: String { UserRecord(of: user)?.name ?? "\(user)" }

    /// The home folder in the user database.
    public var home: String? { UserRecord(of: user)?.home }
}

private struct UserRecord {
    var name: String
    var user, group: UInt32
    var home: String

    /// The groups of a new login; nil if unknown.
    var groups: Set<UInt32>? {
        var groups = [gid_t](repeating: 0, count: 65536)
        var count = CInt(groups.count)
        guard unsafe getgrouplist(name, group, &groups, &count) >= 0 else { return nil }
        return Set(groups.prefix(Int(count))).union([group])
    }
}

extension UserRecord {
    init?(named name: String) {
        unsafe self.init { record, buffer, size, found in unsafe getpwnam_r(name, record, buffer, size, found) }
    }

    init?(of user: UInt32) {
        unsafe self.init { record, buffer, size, found in unsafe getpwuid_r(user, record, buffer, size, found) }
    }

    private init?(
        _ ask: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> CInt
    ) {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        let record = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer -> UserRecord? in
            guard let base = buffer.baseAddress, unsafe ask(&entry, base, buffer.count, &found) == 0,
                unsafe found != nil, let name = unsafe entry.pw_name
            else { return nil }
            return unsafe UserRecord(
                name: String(cString: name), user: entry.pw_uid, group: entry.pw_gid,
                home: entry.pw_dir.map { unsafe String(cString: $0) } ?? "")
        }
        guard let record else { return nil }
        self = record
    }
}
