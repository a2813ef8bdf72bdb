/// The options of a MoveConfig that change what a service requires.
///
/// They make optional requirements of a row required, and add none that a row does not list.
public struct OptionFlags: OptionSet, Sendable, Hashable {
    /// Bit 0 is motion, bit 1 background location.
    public let rawValue: UInt8

    /// Creates flags from a mask; other bits are dropped.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0b11 }

    /// Motion is required wherever it is optional.
    public static let motionPermissionMandatory = Self(rawValue: 0b01)
    /// Background location is required wherever it is optional.
    public static let backgroundLocationPermissionMandatory = Self(rawValue: 0b10)
    /// Both flags.
    public static let all = Self(rawValue: 0b11)

    /// The requirements that the flags make required.
    var promoted: RequirementSet {
        RequirementTable.flags.reduce(into: []) { if contains($1.flag) { $0.formUnion($1.requirement) } }
    }
}
