/// What the user and the system's owner have decided, and when it is asked for.
public struct Decisions: Sendable, Equatable {
    /// The user's.
    public var grants: Grants
    /// The owner's.
    public var policy: Policy
    /// When, and in which login session.
    public var now: GrantContext

    /// Makes decisions; without arguments nobody has decided anything.
    public init(
        _ grants: Grants = Grants(), _ policy: Policy = Policy(),
        at now: GrantContext = GrantContext(boot: "", uptime: 0)
    ) {
        self.grants = grants
        self.policy = policy
        self.now = now
    }
}
