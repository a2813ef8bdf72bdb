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

extension Evaluator {
    /// Computes the verdicts with their reasons: every listed service in table order.
    public func results(for statuses: RequirementStatuses) -> [ServiceResult] {
        let verdicts = verdicts(for: statuses)
        return rows.map { result(of: $0, statuses, verdicts) }
    }

    private func result(of row: ServiceRow, _ statuses: RequirementStatuses, _ verdicts: Verdicts) -> ServiceResult {
        let verdict = verdicts[row.service] ?? .undetermined
        let own = row.required.union(row.optional)
        // Reported requirements: none of an unauthorized service, only required ones under the whole-session rule.
        var told = own.subtracting(statuses.folded(in: own))
        if wholeSession { told.formIntersection(row.required) }
        if verdict == .unauthorized { told = [] }
        let blocker: Blocker? =
            if verdict != .blocked { nil } else if verdicts.blockedBySession.contains(row.service) { .session } else {
                row.service.parent.map { .service($0) }
            }
        return ServiceResult(
            service: row.service, asked: asked.contains(row.service), verdict: verdict, required: row.required,
            optional: row.optional, failures: told.intersection(row.required).intersection(statuses.unmet),
            warnings: told.intersection(row.optional).intersection(statuses.unmet),
            unknown: told.intersection(statuses.unknown),
            unchecked: verdict == .unauthorized ? [] : own.intersection(statuses.unchecked), blockedBy: blocker)
    }
}
