/// Compares the statuses of requirements and the verdicts of services.
struct VerdictComparison {
    let expected: Baseline
    let assessment: Assessment
    /// The sensor differences reported already.
    let told: [Difference]
    /// Whether every change is told, and not only what is better or worse.
    let isComplete: Bool

    /// Requirements of the listed services that changed without a sensor that says why: a matter of authorization.
    ///
    /// Where it is complete, every requirement that changed or has another cause, without those that repeat another's.
    var ofRequirements: [Difference] {
        let concerned = assessment.services.reduce(RequirementSet()) { $0.union($1.required).union($1.optional) }
        return assessment.requirements.compactMap { result in
            guard isComplete || concerned.contains(result.requirement), result.rootCause == nil,
                let before = expected.requirements[result.requirement]
            else { return nil }
            let cause = expected.causes[result.requirement]
            let id =
                Difference.ID(from: before.rank, to: result.status.rank, cannotTell: RequirementStatus.unknown.rank)
                ?? (isComplete && (before, cause) != (result.status, result.cause) ? .changed : nil)
            guard let id, isComplete || !isExplained(result.requirement, id) else { return nil }
            return Difference(
                id: id, subject: .requirement(result.requirement), before: word(before, cause),
                after: word(result.status, result.cause), detail: result.detail, remedies: result.remedies)
        }
    }

    /// The cause says more than the status; a report and a manifest know only the latter.
    private func word(_ status: RequirementStatus, _ cause: Cause?) -> String {
        isComplete && status != .met ? cause?.id ?? status.rawValue : status.rawValue
    }

    private func isExplained(_ requirement: Requirement, _ id: Difference.ID) -> Bool {
        let reasons: Set<Difference.ID> = id == .better ? [.new, .better] : [.missing, .worse, .unknown]
        return told.contains { difference in
            guard case .sensor(let kind, _, _) = difference.subject else { return false }
            return reasons.contains(difference.id) && requirement.kinds.contains(kind)
        }
    }

    var ofServices: [Difference] {
        Service.allCases.compactMap { service in
            let result = assessment.services.first { $0.service == service }
            guard let before = expected.services[service] else {
                return isComplete
                    ? result.map { Difference(id: .changed, subject: .service(service), after: $0.verdict.id) } : nil
            }
            guard let result else {
                if isComplete { return Difference(id: .changed, subject: .service(service), before: before.id) }
                guard expected.origin == .manifest else { return nil }
                return Difference(
                    id: .unknown, subject: .service(service), before: before.id, after: Verdict.undetermined.id,
                    detail: "it is not among the services asked for")
            }
            if expected.origin == .manifest, !assessment.request.strict, result.verdict == .degraded { return nil }
            let id =
                Difference.ID(from: before.rank, to: result.verdict.rank, cannotTell: Verdict.undetermined.rank)
                ?? (isComplete && before != result.verdict ? .changed : nil)
            guard let id else { return nil }
            let reason = id == .better ? (nil, []) : reason(for: result)
            return Difference(
                id: id, subject: .service(service), before: before.id, after: result.verdict.id, detail: reason.0,
                remedies: reason.1)
        }
    }

    private func reason(for result: ServiceResult) -> (detail: String?, remedies: [Remedy]) {
        let own =
            switch result.verdict {
            case .fails, .blocked, .unauthorized: result.failures.members
            case .undetermined: result.unknown.members
            case .degraded, .runs: result.warnings.members
            }
        if let first = own.first, let result = assessment.result(of: first) {
            return (result.detail ?? "\(first.title): \(result.cause?.title ?? "")", result.remedies)
        }
        switch (result.verdict, result.blockedBy) {
        case (.unauthorized, _): return ("the licence does not include it", [])
        case (_, .session): return ("another service stops the session", [])
        case (_, .service(let parent)):
            let above = assessment.services.first { $0.service == parent && $0.verdict != .blocked }.map(reason)
            return ("\(parent.title) does not run" + (above?.detail.map { ": \($0)" } ?? ""), above?.remedies ?? [])
        case (.undetermined, _): return ("its parent is undetermined", [])
        default: return (nil, [])
        }
    }
}

extension RequirementStatus {
    /// The lower the better.
    fileprivate var rank: Int {
        switch self {
        case .met: 0
        case .unknown, .unchecked: 1
        case .unmet: 2
        }
    }
}

extension Verdict {
    /// The lower the better; all verdicts of a service that does not run are equal.
    fileprivate var rank: Int {
        switch self {
        case .runs: 0
        case .degraded: 1
        case .undetermined: 2
        case .fails, .blocked, .unauthorized: 3
        }
    }
}
