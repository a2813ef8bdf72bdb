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
    /// The services whose verdict improves if this cause and those before it are repaired, and would not without it, in
    /// table order; what an earlier cause repairs as well counts for both.
    public private(set) var unlocks: [Service]
    /// The identifier of an earlier cause whose repair makes this one's unnecessary, since one good sensor is enough.
    public private(set) var alternativeTo: String?
    /// What fixes it: one after the other, until one does.
    public let remedies: [Remedy]
}

extension RootCause {
    /// Finds the causes of what the listed services lack, in the order in which to repair them.
    static func all(of results: [RequirementResult], for services: [ServiceResult], _ evaluator: Evaluator) -> [Self] {
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
        return Repairs(results: results.map(RepairStages.init), evaluator: evaluator).ordered(groups)
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

        var rootCause: RootCause {
            let first = reasons[0]
            let names = reasons.compactMap(\.name).unique
            let requirement = owners[0]
            // The remedy of a receiver that waits for its service starts the service first.
            let inactive = reasons.filter { $0.cause == .inactive && !$0.remedies.isEmpty }
            return RootCause(
                id: "\(first.cause.id):\(first.key ?? requirement.id)", cause: first.cause,
                title: first.key == nil || first.cause == .denied
                    ? requirement.brief(first.cause) : "\(names.joined(separator: ", ")): \(first.cause.title)",
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
                var cause = group.rootCause
                cause.unlocks = gained(by: mask, after: done.subtracting(mask))
                cause.alternativeTo = ordered.first { $0.mask.isSuperset(of: mask) }?.cause.id
                // Several obstacles may have one name.
                let same = ordered.count { $0.cause.cause == cause.cause && $0.cause.id.hasPrefix(cause.id) }
                if same > 0 { cause.id += "#\(same + 1)" }
                ordered.append((cause, mask))
                done.formUnion(mask)
            }
            return ordered.map(\.cause)
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
