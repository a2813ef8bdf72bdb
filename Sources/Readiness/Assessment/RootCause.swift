/// One cause with everything that follows from it.
public struct RootCause: Sendable, Equatable {
    /// The name in reports: that of the first requirement it leaves unmet.
    public let id: String
    /// The cause.
    public let cause: Cause
    /// The cause in one clause.
    public let detail: String?
    /// The keys of the sensors that it concerns.
    public let sensors: [String]
    /// The requirements that it leaves unmet or unknown, in table order.
    public let requirements: [Requirement]
    /// The services that do not run, or cannot be told, because of it, in table order.
    public let unlocks: [Service]
    /// What fixes it.
    public let remedies: [Remedy]
}

extension Assessment {
    /// The causes of what is not met, the one that stops most services first.
    ///
    /// Requirements with one cause, of the same sensors and in the same words, are one.
    public var rootCauses: [RootCause] {
        var groups: [[RequirementResult]] = []
        for result in unmet where result.cause != nil {
            let index = groups.firstIndex { group in
                group[0].cause == result.cause && group[0].detail == result.detail
                    && group[0].decidedBy == result.decidedBy
            }
            if let index { groups[index].append(result) } else { groups.append([result]) }
        }
        let causes = groups.map { group in
            let own = group.map(\.requirement)
            let following = requirements.filter { $0.rootCause.map(own.contains) ?? false }.map(\.requirement)
            let all = RequirementSet(own + following)
            return RootCause(
                id: group[0].id, cause: group[0].cause ?? .indeterminate, detail: group[0].detail,
                sensors: group[0].decidedBy, requirements: all.members, unlocks: stopped(by: all),
                remedies: group[0].remedies)
        }
        return causes.enumerated()
            .sorted { ($1.element.unlocks.count, $0.offset) < ($0.element.unlocks.count, $1.offset) }.map(\.element)
    }

    /// The services that the requirements stop, by themselves or through their parent.
    private func stopped(by requirements: RequirementSet) -> [Service] {
        func isStopped(_ result: ServiceResult) -> Bool {
            switch result.verdict {
            case .runs, .degraded, .unauthorized: return false
            case .fails, .blocked, .undetermined: break
            }
            let own = result.required.intersection(requirements)
            let parent = services.first { $0.service == result.service.parent }
            return !own.isEmpty || parent.map(isStopped) ?? false
        }
        return services.filter(isStopped).map(\.service)
    }
}
