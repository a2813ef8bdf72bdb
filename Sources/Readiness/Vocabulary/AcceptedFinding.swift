/// A day of the calendar, as `2026-12-31`.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The day as ISO 8601 writes it, whose order is that of the days.
    package let description: String

    /// Creates a day from four, two and two digits with hyphens between them; nil if there is no such day.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
        else { return nil }
        let (year, month, day) = (Int(parts[0]) ?? 0, Int(parts[1]) ?? 0, Int(parts[2]) ?? 0)
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
        description = String(text)
    }

    /// Compares by the calendar.
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.description < rhs.description }
}

/// A requirement that is known not to be met, and that the rig's owner accepts until a day.
package struct AcceptedFinding: Sendable, Hashable {
    /// The requirement.
    package let requirement: Requirement
    /// The only cause that is accepted; nil for any.
    package let cause: Cause?
    /// Why it is accepted.
    package let reason: String
    /// The last day, in UTC.
    package let until: CalendarDay

    /// Creates a finding from the name of a requirement, or of a requirement and a cause such as `gyroscope.absent`; nil
    /// for any other name.
    package init?(id: String, reason: String, until: CalendarDay) {
        let parts = id.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let requirement = Requirement(id: String(parts[0])) else { return nil }
        cause = parts.count == 1 ? nil : Cause(id: String(parts[1]))
        guard parts.count == 1 || cause != nil else { return nil }
        self.requirement = requirement
        self.reason = reason
        self.until = until
    }

    /// The name in files and reports, such as `gyroscope` or `gyroscope.absent`.
    package var id: String { requirement.id + (cause.map { ".\($0.id)" } ?? "") }
}

/// What an accepted finding means for one assessment.
package struct Acceptance: Sendable, Equatable {
    /// Whether it counts.
    package enum State: String, CaseIterable, Sendable, Hashable {
        /// The finding is there, and accepted.
        case applies
        /// The finding is there, and the last day is over.
        case expired
        /// The finding is not there.
        case unused
    }

    /// The finding.
    package let finding: AcceptedFinding
    /// Whether it counts.
    package let state: State
    /// The requirements concerned: its own, and those that repeat its cause.
    package let requirements: RequirementSet
}

extension RequirementResult {
    /// The name by which this finding is accepted, such as `gyroscope.absent`; nil if the requirement is met, not
    /// checked, or repeats another's cause.
    package var findingID: String? {
        guard status == .unmet || status == .unknown, rootCause == nil else { return nil }
        return id + (cause.map { ".\($0.id)" } ?? "")
    }
}

extension Assessment {
    /// The configuration's accepted findings, in its order, with what each means here.
    ///
    /// A finding is a requirement that is unmet or unknown for its decisive cause. The day is that of the probe, or of
    /// the recording, in UTC.
    package var accepted: [Acceptance] {
        let today = CalendarDay(rig.takenAt.prefix(10))
        return request.accepted.map { finding in
            let concerned = requirements.filter {
                ($0.rootCause ?? $0.requirement) == finding.requirement
                    && ($0.status == .unmet || $0.status == .unknown)
                    && (finding.cause == nil || finding.cause == $0.cause)
            }
            let isDue = today.map { $0 <= finding.until } ?? false
            return Acceptance(
                finding: finding, state: concerned.isEmpty ? .unused : isDue ? .applies : .expired,
                requirements: RequirementSet(concerned.map(\.requirement)))
        }
    }

    /// The requirements whose findings are accepted now.
    package var acceptedRequirements: RequirementSet {
        accepted.filter { $0.state == .applies }.reduce(into: []) { $0.formUnion($1.requirements) }
    }

    /// The services with other causes than their own: the parent, or under the whole-session rule what stops the session.
    package func culprits(of result: ServiceResult) -> [ServiceResult] {
        let others: [ServiceResult] =
            switch (result.verdict, result.blockedBy) {
            case (.blocked, .session): services.filter { $0.verdict == .fails && $0.service != result.service }
            case (.blocked, _), (.undetermined, _): services.filter { $0.service == result.service.parent }
            default: []
            }
        return others.filter { $0.verdict != .runs }
    }

    /// The services all of whose reasons not to run are accepted, their own and those of what blocks them.
    var servicesWithoutOtherFindings: ServiceSet {
        let accepted = acceptedRequirements
        func isAccepted(_ result: ServiceResult) -> Bool {
            let own: RequirementSet
            switch result.verdict {
            case .unauthorized: return false
            case .runs, .degraded: own = result.warnings.union(result.unknown)
            case .fails, .blocked: own = result.failures
            case .undetermined: own = result.unknown.intersection(result.required)
            }
            let others = culprits(of: result).filter { $0.verdict != .degraded }
            return own.isSubset(of: accepted) && !(own.isEmpty && others.isEmpty) && others.allSatisfy(isAccepted)
        }
        return ServiceSet(services.filter(isAccepted).map(\.service))
    }
}
