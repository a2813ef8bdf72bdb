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
