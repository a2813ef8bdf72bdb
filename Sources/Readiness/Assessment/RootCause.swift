/// One physical cause with everything that follows from it, and what repairs it.
///
/// An assessment lists its causes in the order in which to repair them: each time the one whose repair, after those
/// before it, improves the verdicts of most services.
public struct RootCause: Sendable, Equatable {
    /// The identifier, unique in an assessment and the same at each probe: the cause, then the key of the first sensor
    /// or else the first requirement, such as `noDriver:i2c-1/1-0069` or `unreachable:location`.
    public private(set) var id: String
    /// The cause.
    public let cause: Cause
    /// The cause in a few words, such as "bmi160: no driver".
    public let title: String
    /// The cause in one clause.
    public let detail: String?
    /// The keys of the sensors that it concerns.
    public let sensors: [String]
    /// The requirements that it leaves unmet or unknown, in table order.
    public let requirements: [Requirement]
    /// The services whose verdict improves only if this cause is repaired, after those before it; in table order.
    ///
    /// A service that an earlier cause repairs as well counts for both.
    public private(set) var unlocks: [Service]
    /// The identifier of an earlier cause whose repair makes this one's unnecessary, since one good sensor is enough.
    public private(set) var alternativeTo: String?
    /// The effects of its repair on the services, in table order; none for an alternative.
    package private(set) var effects: [RepairEffect] = []
    /// What fixes it: one after the other, until one does.
    public let remedies: [Remedy]
}

extension RootCause {
    /// Finds the causes of what the listed services lack, in the order in which to repair them.
    ///
    /// `isBlind` is of an assessment without a probe, whose only cause is that there is no report to read.
    static func all(
        of results: [RequirementResult], for services: [ServiceResult], _ evaluator: Evaluator, isBlind: Bool
    ) -> [Self] {
        let listed = services.reduce(RequirementSet()) { $0.union($1.required).union($1.optional) }
        var groups: [Group] = []
        for result in results where result.status != .met && listed.contains(result.requirement) {
            for reason in result.reasons {
                let place = groups.indices.first { groups[$0].hasOrigin(of: reason, for: result.requirement) }
                if let place {
                    groups[place].append(reason, of: result.requirement)
                } else {
                    groups.append(Group(reason, of: result.requirement))
                }
            }
        }
        return Repairs(results: results.map(RepairStages.init), evaluator: evaluator, isBlind: isBlind).ordered(groups)
    }

    /// Reasons with one origin.
    fileprivate struct Group {
        private var reasons: [UnmetReason] = []
        /// The requirement of each reason.
        private var owners: [Requirement] = []
        /// What its repair ends.
        private(set) var mask: RepairMask = []

        /// Whether a command repairs it, and does not only show more.
        let isRepairedByCommand: Bool

        init(_ reason: UnmetReason, of requirement: Requirement) {
            isRepairedByCommand =
                if case .command? = reason.remedies.first {
                    ![.silent, .faulty, .indeterminate].contains(reason.cause)
                } else {
                    false
                }
            append(reason, of: requirement)
        }

        mutating func append(_ reason: UnmetReason, of requirement: Requirement) {
            reasons.append(reason)
            owners.append(requirement)
            mask.formUnion(RepairMask(requirement, reason.stage))
        }

        func hasOrigin(of reason: UnmetReason, for requirement: Requirement) -> Bool {
            zip(reasons, owners).contains { known, owner in
                known.hasSameOrigin(as: reason, isSameRequirement: owner == requirement)
            }
        }

        func rootCause(isBlind: Bool) -> RootCause {
            let first = reasons[0]
            let names = reasons.compactMap(\.name).unique
            let requirement = owners[0]
            let title =
                if isBlind, first.cause == .indeterminate {
                    "no report of the service"
                } else if first.key == nil || first.cause == .denied {
                    requirement.brief(first.cause)
                } else {
                    "\(names.joined(separator: ", ")): \(first.cause.title)"
                }
            // The remedy of a receiver that waits for its service starts the service first.
            let inactive = reasons.filter { $0.cause == .inactive && !$0.remedies.isEmpty }
            return RootCause(
                id: "\(first.cause.id):\(first.key ?? requirement.id)", cause: first.cause, title: title,
                detail: first.detail, sensors: reasons.compactMap(\.key).unique,
                requirements: RequirementSet(owners).members, unlocks: [],
                remedies: (first.cause == .unreachable && !inactive.isEmpty ? inactive : reasons).flatMap(\.remedies)
                    .unique)
        }
    }

    /// What each repair would improve.
    private struct Repairs {
        let results: [RepairStages]
        let evaluator: Evaluator
        let isBlind: Bool

        func ordered(_ groups: [Group]) -> [RootCause] {
            var rest = groups
            var done: RepairMask = []
            var ordered: [(cause: RootCause, mask: RepairMask)] = []
            while !rest.isEmpty {
                // The first of those that improve most; among equals one that a command repairs. Of a thousand chips,
                // each may be a cause of its own, and all of them end the same.
                var gains: [(mask: RepairMask, gain: Int)] = []
                func gain(of group: Group) -> (Int, Int) {
                    let known = gains.first { $0.mask == group.mask }?.gain
                    let gain = known ?? gained(by: group.mask, after: done).count
                    if known == nil { gains.append((group.mask, gain)) }
                    return (gain, group.isRepairedByCommand ? 1 : 0)
                }
                var (best, most) = (0, gain(of: rest[0]))
                for index in rest.indices.dropFirst() {
                    let other = gain(of: rest[index])
                    if other > most { (best, most) = (index, other) }
                }
                let group = rest.remove(at: best)
                let mask = group.mask
                var cause = group.rootCause(isBlind: isBlind)
                cause.unlocks = gained(by: mask, after: done.subtracting(mask))
                cause.alternativeTo = ordered.first { $0.mask.isSuperset(of: mask) }?.cause.id
                // Several obstacles may have one name.
                let same = ordered.count { $0.cause.cause == cause.cause && $0.cause.id.hasPrefix(cause.id) }
                if same > 0 { cause.id += "#\(same + 1)" }
                ordered.append((cause, mask))
                done.formUnion(mask)
            }
            return withEffects(ordered)
        }

        /// The causes with the effects of their repair.
        ///
        /// For each service this finds the shortest beginning of the list whose repair improves the verdict, and leaves out
        /// the causes in it that make no difference.
        private func withEffects(_ ordered: [(cause: RootCause, mask: RepairMask)]) -> [RootCause] {
            var causes = ordered.map(\.cause)
            let places = causes.indices.filter { causes[$0].alternativeTo == nil }
            var known: [UInt32: Verdicts] = [:]
            func rank(of service: Service, after places: some Sequence<Int>) -> Int? {
                let done = places.reduce(into: RepairMask()) { $0.formUnion(ordered[$1].mask) }
                let result = known[done.rawValue] ?? verdicts(after: done)
                known[done.rawValue] = result
                return result[service]?.rank
            }
            /// The causes that must all be repaired before the service reaches a verdict; empty if it cannot reach it.
            func needed(_ verdict: Verdict, for service: Service) -> [Int] {
                func isReached(after places: some Sequence<Int>) -> Bool {
                    rank(of: service, after: places).map { $0 <= verdict.rank } ?? false
                }
                guard let count = (0...places.count).first(where: { isReached(after: places.prefix($0)) }) else {
                    return []
                }
                return places.prefix(count).reduce(into: Array(places.prefix(count))) { kept, place in
                    let others = kept.filter { $0 != place }
                    if isReached(after: others) { kept = others }
                }
            }
            func add(_ improvement: RepairEffect.Improvement, of group: [Int], for service: Service) {
                for place in group {
                    let partners = group.filter { $0 != place }.map { causes[$0].id }
                    causes[place].effects.append(
                        RepairEffect(service: service, improvement: improvement, partners: partners))
                }
            }
            for service in evaluator.rows.map(\.service) {
                let isDegradedNow = rank(of: service, after: [Int]()) == Verdict.degraded.rank
                let unlocking = needed(.degraded, for: service)
                add(.unlocks, of: unlocking, for: service)
                let completing = needed(.runs, for: service).filter { !unlocking.contains($0) }
                add(.completes(isDegradedNow: isDegradedNow), of: completing, for: service)
            }
            return causes
        }

        private func gained(by mask: RepairMask, after done: RepairMask) -> [Service] {
            let before = verdicts(after: done)
            let after = verdicts(after: done.union(mask))
            return evaluator.rows.map(\.service).filter { service in
                guard let old = before[service], let new = after[service] else { return false }
                return new.rank < old.rank
            }
        }

        private func verdicts(after done: RepairMask) -> Verdicts {
            var sets: [RequirementStatus: RequirementSet] = [:]
            for result in results {
                sets[result.status(after: done), default: []].formUnion(RequirementSet(result.requirement))
            }
            return evaluator.verdicts(
                for: RequirementStatuses(
                    met: sets[.met] ?? [], unknown: sets[.unknown] ?? [], unchecked: sets[.unchecked] ?? []))
        }
    }
}

/// A set of stages of requirements that are repaired.
struct RepairMask: OptionSet {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ requirement: Requirement, _ stage: UnmetReason.RepairStage) {
        rawValue = 1 << (UInt32(requirement.rawValue) * 3 + UInt32(stage.rawValue))
    }
}

/// The stages of a requirement's reasons, in the order in which they are told.
private struct RepairStages {
    let requirement: Requirement
    private let status: RequirementStatus
    private let stages: [UnmetReason.RepairStage]
    /// Whether a sensor may be available, so that the status cannot be determined.
    private let isUnclear: Bool

    init(_ result: RequirementResult) {
        (requirement, status) = (result.requirement, result.status)
        stages = result.reasons.reduce(into: []) { if !$0.contains($1.stage) { $0.append($1.stage) } }
        isUnclear = result.reasons.contains { $0.stage == .availability && $0.cause == .indeterminate }
    }

    /// The status once some stages are repaired: that of the first stage left.
    func status(after done: RepairMask) -> RequirementStatus {
        guard let first = stages.first(where: { !done.contains(RepairMask(requirement, $0)) }) else {
            return stages.isEmpty ? status : .met
        }
        guard first == .availability else { return status }
        return isUnclear ? .unknown : .unmet
    }
}

extension Requirement {
    /// What is wrong with it in two or three words, such as "no gyroscope".
    package func brief(_ cause: Cause?) -> String {
        switch (self, cause) {
        case (_, nil), (_, .indeterminate): title
        case (.location, .absent): "no receiver"
        case (.location, .noFix): "no fix"
        case (.location, .unreachable): "gpsd unreachable"
        case (.bluetooth, .absent): "no Bluetooth controller"
        case (.motion, .absent), (.motion, .noDriver): "no motion sensor"
        case (_, .absent), (_, .noDriver): "no \(title)"
        case (_, .some(let cause)): "\(title) \(cause.title)"
        }
    }
}
