/// The options of a MoveConfig that change what a service requires.
///
/// They promote what a row lists as optional, and add nothing that a row does not list.
public struct OptionFlags: OptionSet, Sendable, Hashable {
    /// Bit 0 is motion, bit 1 background location.
    public let rawValue: UInt8

    /// Makes flags of a mask; bits beyond the second mean nothing and are dropped.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0b11 }

    /// Motion is required wherever it is optional.
    public static let motionPermissionMandatory = Self(rawValue: 0b01)
    /// Background location is required wherever it is optional.
    public static let backgroundLocationPermissionMandatory = Self(rawValue: 0b10)
    /// Both.
    public static let all = Self(rawValue: 0b11)

    /// What the flags promote from optional to required.
    var promoted: RequirementSet {
        var promoted: RequirementSet = []
        if contains(.motionPermissionMandatory) { promoted.insert(.motion) }
        if contains(.backgroundLocationPermissionMandatory) { promoted.insert(.backgroundLocation) }
        return promoted
    }
}
