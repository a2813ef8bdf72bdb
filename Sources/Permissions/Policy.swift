public import Readiness

/// What the system's owner allows at most; a user cannot change it.
public struct Policy: Sendable, Equatable {
    /// Where the system's own policy lies.
    public static let defaultFile = "/etc/rigready/policy.yaml"

    /// The file that says so, as evidence; nil where there is none.
    public var file: String?
    /// The permissions that nobody may use.
    public var restricted: Set<Permission>
    /// Whether location is allowed at most while in use.
    public var isWhenInUseAtMost: Bool
    /// Whether location is allowed only coarsely.
    public var isReduced: Bool

    /// Makes a policy; without arguments one that allows all.
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
