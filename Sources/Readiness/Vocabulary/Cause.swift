/// Why a requirement is not met, or cannot be told.
///
/// The order is the order of telling when several hold: authorization first, then `unreachable`, then what the best
/// sensor says, best first. Hard beats soft on one radio; that is the driver's to say, since it sees the radio.
public enum Cause: UInt8, CaseIterable, Sendable, Hashable, Codable, Comparable {
    /// The system-wide policy says no; the user cannot change it.
    case restricted
    /// A grant says no, or the operating system does (EACCES, EPERM).
    case denied
    /// Nobody has decided yet; asking can change it.
    case notDetermined
    /// Allowed, but only coarsely.
    case reducedAccuracy
    /// Allowed, but only while in use.
    case foregroundOnly
    /// What serves it does not answer.
    case unreachable
    /// The last position is older than the limit.
    case stale
    /// The receiver works and has no position yet.
    case noFix
    /// Present and permitted, but no data before the deadline.
    case silent
    /// It answers with errors, or with values that cannot be true.
    case faulty
    /// Switched off.
    case poweredOff
    /// Blocked by rfkill in software.
    case softBlocked
    /// Blocked by a physical switch.
    case hardBlocked
    /// The kernel shows it and nothing has activated it.
    case inactive
    /// The chip is on its bus and no driver is bound to it.
    case noDriver
    /// No such hardware; said only after a completed enumeration.
    case absent
    /// Cannot be told from here; the only cause of an unknown.
    case indeterminate

    /// The name in reports, such as `softBlocked`.
    public var id: String { String(describing: self) }

    /// The words that a person reads, such as "soft blocked".
    public var title: String {
        switch self {
        case .restricted: "restricted"
        case .denied: "denied"
        case .notDetermined: "not decided"
        case .reducedAccuracy: "reduced accuracy"
        case .foregroundOnly: "only while in use"
        case .unreachable: "unreachable"
        case .stale: "stale"
        case .noFix: "no fix"
        case .silent: "silent"
        case .faulty: "faulty"
        case .poweredOff: "powered off"
        case .softBlocked: "soft blocked"
        case .hardBlocked: "hard blocked"
        case .inactive: "inactive"
        case .noDriver: "no driver"
        case .absent: "absent"
        case .indeterminate: "cannot tell"
        }
    }

    /// Order of telling.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
