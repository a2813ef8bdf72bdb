package import Readiness

/// The limits that the system's owner sets; a user cannot change them.
package struct Policy: Sendable, Equatable {
    /// The path of the system's policy.
    package static let defaultFile = "/etc/rigready/policy.yaml"

    /// The file, for evidence; nil without one.
    package var file: String?
    /// The permissions that no user may use.
    package var restricted: Set<Permission>
    /// Whether location is allowed at most while in use.
    package var isWhenInUseAtMost: Bool
    /// Whether location is allowed only coarsely.
    package var isReduced: Bool
    /// Whether anyone but root, this user and this user's own group may write the file.
    package var isWritableByOthers = false

    /// Creates a policy; without arguments it allows everything.
    package init(
        file: String? = nil, restricted: Set<Permission> = [], isWhenInUseAtMost: Bool = false,
        isReduced: Bool = false
    ) {
        self.file = file
        self.restricted = restricted
        self.isWhenInUseAtMost = isWhenInUseAtMost
        self.isReduced = isReduced
    }
}
