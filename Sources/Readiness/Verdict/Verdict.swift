/// Whether a service can run now.
///
/// The order is the precedence: the first that applies is the verdict.
public enum Verdict: UInt8, CaseIterable, Sendable, Hashable, ReportNamed {
    /// The licence does not include it.
    case unauthorized
    /// Its parent fails or is unauthorized, or, under the whole-session rule, another service fails.
    case blocked
    /// Something it requires is unmet.
    case fails
    /// A requirement is unknown, or its parent is undetermined.
    case undetermined
    /// It runs, and something optional is unmet.
    case degraded
    /// It runs with everything it requires and can use.
    case runs

    /// The lower the better; all verdicts of a service that does not run are equal.
    var rank: Int {
        switch self {
        case .runs: 0
        case .degraded: 1
        case .undetermined: 2
        case .fails, .blocked, .unauthorized: 3
        }
    }

    /// The name in reports, such as `undetermined`.
    public var id: String { Self.ids[Int(rawValue)] }

    // In their order: to ask the language for them is slow.
    private static let ids = ["unauthorized", "blocked", "fails", "undetermined", "degraded", "runs"]
}

/// The verdicts of all listed services, as disjoint sets.
public struct Verdicts: Sendable, Equatable {
    /// Those that the licence does not include.
    public let unauthorized: ServiceSet
    /// Those whose parent fails or is unauthorized, or that the session stops.
    public let blocked: ServiceSet
    /// Those blocked because another service fails, under the whole-session rule; a subset of `blocked`.
    public let blockedBySession: ServiceSet
    /// Those with an unmet requirement.
    public let fails: ServiceSet
    /// Those whose verdict cannot be determined.
    public let undetermined: ServiceSet
    /// Those with an unmet optional requirement.
    public let degraded: ServiceSet
    /// The rest.
    public let runs: ServiceSet

    /// The verdict of a service; nil if it is not listed.
    public subscript(service: Service) -> Verdict? {
        let one = ServiceSet(service)
        if unauthorized.contains(one) { return .unauthorized }
        if blocked.contains(one) { return .blocked }
        if fails.contains(one) { return .fails }
        if undetermined.contains(one) { return .undetermined }
        if degraded.contains(one) { return .degraded }
        return runs.contains(one) ? .runs : nil
    }
}

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
    /// Whether it was requested; a parent may be listed only for its child.
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

/// The overall status of an evaluation; the raw value is the exit status (contract, "Exit status").
public enum ReadinessStatus: Int32, CaseIterable, Sendable, Hashable {
    /// Every requested service runs.
    case ready = 0
    /// At least one does not run.
    case notReady = 1
    /// None fails, but at least one is undetermined.
    case undetermined = 2
}

extension Sequence<ServiceResult> {
    /// Computes the overall status.
    ///
    /// Without `strict` only the requested services count, and a degraded one runs. With it their parents count too, a
    /// degraded one does not run, and an unknown optional requirement makes the status undetermined.
    public func status(strict: Bool = false) -> ReadinessStatus {
        var status = ReadinessStatus.ready
        for result in self where result.asked || strict {
            switch result.verdict {
            case .unauthorized, .blocked, .fails: return .notReady
            case .degraded where strict: return .notReady
            case .undetermined: status = .undetermined
            case .degraded, .runs: if strict, !result.unknown.isEmpty { status = .undetermined }
            }
        }
        return status
    }
}
