/// The decisions of the user and the system's owner, and the time at which they are evaluated.
public struct Decisions: Sendable, Equatable {
    /// The user's grants.
    public var grants: Grants
    /// The system's policy.
    public var policy: Policy
    /// The time and the login session.
    public var now: GrantContext

    /// Creates decisions; without arguments nothing is decided.
    public init(
        _ grants: Grants = Grants(), _ policy: Policy = Policy(),
        at now: GrantContext = GrantContext(boot: "", uptime: 0)
    ) {
        self.grants = grants
        self.policy = policy
        self.now = now
    }
}
