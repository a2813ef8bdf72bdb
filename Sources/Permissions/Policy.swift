public import Readiness

/// The limits that the system's owner sets; a user cannot change them.
public struct Policy: Sendable, Equatable {
    /// The path of the system's policy.
    public static let defaultFile = "/etc/rigready/policy.yaml"

    /// The file, for evidence; nil without one.
    public var file: String?
    /// The permissions that no user may use.
    public var restricted: Set<Permission>
    /// Whether location is allowed at most while in use.
    public var isWhenInUseAtMost: Bool
    /// Whether location is allowed only coarsely.
    public var isReduced: Bool
    /// Whether anyone but root, this user and this user's own group may write the file.
    public var isWritableByOthers = false

    /// Creates a policy; without arguments it allows everything.
    public init(
        file: String? = nil, restricted: Set<Permission> = [], isWhenInUseAtMost: Bool = false,
        isReduced: Bool = false
    ) {
        self.file = file
        self.restricted = restricted
        self.isWhenInUseAtMost = isWhenInUseAtMost
        self.isReduced = isReduced
    }
}
