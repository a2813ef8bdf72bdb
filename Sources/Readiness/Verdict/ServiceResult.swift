/// What blocks a service that does not fail itself.
public enum Blocker: Sendable, Equatable {
    /// Its parent.
    case service(Service)
    /// Another service that fails, under the whole-session rule.
    case session

    /// The name in reports: the parent's, or `session`.
    public var id: String {
        switch self {
        case .service(let service): service.id
        case .session: "session"
        }
    }
}

/// The verdict on one service, with its reasons.
///
/// The reasons name only requirements of the service's own row, in table order; a requirement that repeats its root
/// cause is omitted if the root is in the row. An unauthorized service has no other reason. Under the whole-session
/// rule optional requirements are no reason. An undetermined parent leaves its children undetermined, and blocks
/// nothing.
public struct ServiceResult: Sendable, Equatable {
    /// The service.
    public let service: Service
    /// Whether it was asked for; a parent may be listed only for its child.
    public let asked: Bool
    /// The verdict.
    public let verdict: Verdict
    /// The requirements, after promotion.
    public let required: RequirementSet
    /// The optional requirements, after promotion.
    public let optional: RequirementSet
    /// The unmet requirements.
    public let failures: RequirementSet
    /// The unmet optional requirements.
    public let warnings: RequirementSet
    /// The unknown ones of both.
    public let unknown: RequirementSet
    /// The unchecked ones of both.
    public let unchecked: RequirementSet
    /// What blocks it; nil unless it is blocked.
    public let blockedBy: Blocker?
}
