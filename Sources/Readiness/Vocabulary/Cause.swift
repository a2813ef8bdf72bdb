/// Why a requirement is not met, or is unknown.
///
/// The order is the report order if several apply: authorization first, then `unreachable`, then the causes of the
/// sensors, best first. Hard precedes soft on one radio; the driver decides that, since it knows the radio.
public enum Cause: UInt8, CaseIterable, Sendable, Hashable, Codable, Comparable, ReportNamed {
    /// The system-wide policy forbids it; the user cannot change it.
    case restricted
    /// A grant or the operating system (EACCES, EPERM) denies it.
    case denied
    /// Not decided yet; a request can change it.
    case notDetermined
    /// Allowed, or measured, only coarsely.
    case reducedAccuracy
    /// Allowed, but only while in use.
    case foregroundOnly
    /// The service behind it does not answer.
    case unreachable
    /// The last position is older than the limit.
    case stale
    /// The receiver works and has no position yet.
    case noFix
    /// Present and permitted, but no data before the deadline.
    case silent
    /// It returns errors, or implausible values.
    case faulty
    /// The controller is on without Bluetooth Low Energy, which is switched off or not supported.
    case lowEnergyOff
    /// Switched off.
    case poweredOff
    /// Blocked by rfkill in software.
    case softBlocked
    /// Blocked by a physical switch.
    case hardBlocked
    /// The kernel lists it and nothing has activated it.
    case inactive
    /// The chip is on its bus and no driver is bound to it.
    case noDriver
    /// No such hardware; reported only after a complete enumeration.
    case absent
    /// Cannot be determined; the only cause of an unknown.
    case indeterminate

    /// The name in reports, such as `softBlocked`.
    public var id: String { Self.ids[Int(rawValue)] }

    // The names of the cases, in their order: to ask the language for them takes a tenth of a whole check.
    private static let ids = [
        "restricted", "denied", "notDetermined", "reducedAccuracy", "foregroundOnly", "unreachable", "stale", "noFix",
        "silent", "faulty", "lowEnergyOff", "poweredOff", "softBlocked", "hardBlocked", "inactive", "noDriver",
        "absent",
        "indeterminate",
    ]

    /// The text for people, such as "soft blocked".
    public var title: String {
        switch self {
        case .notDetermined: "not decided"
        case .foregroundOnly: "only while in use"
        case .lowEnergyOff: "no Low Energy"
        case .indeterminate: "cannot tell"
        default: id.spaced
        }
    }
}
