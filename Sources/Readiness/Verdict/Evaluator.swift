/// The statuses of the nine requirements on one rig, as bit masks; what is neither met, unknown nor unchecked is unmet.
///
/// The masks are made consistent: a requirement both met and unknown is unknown; only Bluetooth can be unchecked; the
/// precise location is no better than the location, nor the step count than its store; a requirement is folded under
/// its root only while both have the same status and are not met.
package struct RequirementStatuses: Sendable, Equatable {
    /// The met requirements.
    package private(set) var met: RequirementSet
    /// Those that cannot be determined.
    package private(set) var unknown: RequirementSet
    /// Those that are not checked and affect no verdict: Bluetooth while its authorization is undetermined, or none.
    package let unchecked: RequirementSet
    /// Those that only repeat their root cause, and are omitted from lists that name the root.
    package private(set) var folded: RequirementSet

    /// Creates statuses.
    package init(
        met: RequirementSet, unknown: RequirementSet = [], unchecked: RequirementSet = [],
        folded: RequirementSet = []
    ) {
        self.unchecked = unchecked.intersection(.bluetooth)
        self.unknown = unknown.subtracting(self.unchecked)
        self.met = met.subtracting(self.unknown).subtracting(self.unchecked)
        self.folded = []
        limit(.preciseLocation, by: .location)
        limit(.stepsRead, by: .healthStore)
        self.folded = folded.intersection(
            likeRoot(Self.locationLeaves, .location).union(likeRoot(.stepsRead, .healthStore)))
    }

    /// Those that are certainly not met.
    package var unmet: RequirementSet {
        RequirementSet.all.subtracting(met).subtracting(unknown).subtracting(unchecked)
    }

    /// The folded requirements whose root is in `row`.
    func folded(in row: RequirementSet) -> RequirementSet {
        var leaves: RequirementSet = []
        if row.contains(.location) { leaves.formUnion(Self.locationLeaves) }
        if row.contains(.healthStore) { leaves.formUnion(.stepsRead) }
        return folded.intersection(leaves)
    }

    private static let locationLeaves: RequirementSet = [.preciseLocation, .backgroundLocation]

    /// Makes the status of `leaf` no better than that of `root`.
    private mutating func limit(_ leaf: RequirementSet, by root: RequirementSet) {
        guard !met.contains(root) else { return }
        if !unknown.contains(root) {
            unknown.subtract(leaf)
        } else if met.contains(leaf) {
            unknown.formUnion(leaf)
        }
        met.subtract(leaf)
    }

    /// The `leaves` with the same status as an unmet or unknown `root`.
    private func likeRoot(_ leaves: RequirementSet, _ root: RequirementSet) -> RequirementSet {
        if met.contains(root) { return [] }
        return unknown.contains(root) ? leaves.intersection(unknown) : leaves.subtracting(met).subtracting(unknown)
    }
}

extension RequirementStatuses {
    /// Collects the statuses of results.
    package init(_ requirementResults: [RequirementResult]) {
        func those(_ isOne: (RequirementResult) -> Bool) -> RequirementSet {
            RequirementSet(requirementResults.filter(isOne).map(\.requirement))
        }
        self.init(
            met: those { $0.status == .met }, unknown: those { $0.status == .unknown },
            unchecked: those { $0.status == .unchecked }, folded: those { $0.rootCause != nil })
    }
}

/// Computes the verdicts of some services under some rules; made once, used for any number of statuses.
///
/// It precomputes, for each of the 512 sets of requirements, the services that require any of it, and those for which
/// any of it is optional. The verdicts of all services are then a few set operations, without allocation.
package struct Evaluator: Sendable, Equatable {
    /// The rules.
    package let rules: Rules
    /// The requested services.
    package let asked: ServiceSet
    /// The services evaluated: the requested ones and their parents.
    package let listed: ServiceSet
    /// Whether one failing service stops every other.
    package let wholeSession: Bool
    /// The option flags.
    package let flags: OptionFlags
    /// The services that the licence includes, literally.
    package let licence: ServiceSet
    /// The rows of the listed services in table order, after promotion.
    package let rows: [ServiceRow]

    private let unlicensed: UInt16
    private let requiring: [UInt16]
    private let preferring: [UInt16]

    /// Creates an evaluator.
    ///
    /// `services` nil stands for all services of the rules, `licence` nil for a licence of everything; a licence is
    /// taken literally, so parents and children do not imply each other. `wholeSession` nil takes the value of the
    /// rules.
    package init(
        of services: ServiceSet? = nil, rules: Rules = .newest, flags: OptionFlags = [],
        licence: ServiceSet? = nil, wholeSession: Bool? = nil
    ) throws(RulesError) {
        let asked = services ?? rules.services
        let lacking = asked.subtracting(rules.services)
        let unknownFlags = flags.subtracting(rules.flags)
        guard lacking.isEmpty, unknownFlags.isEmpty else {
            throw RulesError(services: lacking, flags: unknownFlags, version: rules.version)
        }
        self.init(asked, rules, flags, licence: licence ?? .all, wholeSession: wholeSession ?? rules.wholeSession)
    }

    /// Every service under the newest rules, without flags and with a licence of everything.
    package static let all = Evaluator(Rules.newest.services, .newest, [], licence: .all, wholeSession: false)

    private init(_ asked: ServiceSet, _ rules: Rules, _ flags: OptionFlags, licence: ServiceSet, wholeSession: Bool) {
        let listed = asked.withParents
        self.rules = rules
        self.asked = asked
        self.listed = listed
        self.wholeSession = wholeSession
        self.flags = flags
        self.licence = licence
        rows = rules.rows.filter { listed.contains($0.service) }.map { $0.promoted(by: flags) }
        unlicensed = listed.subtracting(licence).rawValue
        requiring = Self.services(in: rows, \.required)
        // Under the whole-session rule optional requirements are not reported.
        preferring = Self.services(in: wholeSession ? [] : rows, \.optional)
    }

    /// Computes the verdicts for some statuses.
    package func verdicts(for statuses: RequirementStatuses) -> Verdicts {
        let unmet = Int(statuses.unmet.rawValue)
        let unknown = Int(statuses.unknown.rawValue)
        let lacking = requiring[unmet]
        let unsure = requiring[unknown]
        let worse = preferring[unmet]

        var rest = listed.rawValue
        let unauthorized = unlicensed
        rest &= ~unauthorized
        var blocked = rest & ServiceSet.children(of: unauthorized | lacking)
        rest &= ~blocked
        let fails = rest & lacking
        rest &= ~fails
        var undetermined = rest & (unsure | ServiceSet.children(of: unsure))
        var blockedBySession: UInt16 = 0
        if wholeSession {
            if fails != 0 {
                blockedBySession = rest
                blocked |= rest
                undetermined = 0
            } else if undetermined != 0 {
                // An unknown requirement may stop the session.
                undetermined = rest
            }
            rest &= ~blockedBySession
        }
        rest &= ~undetermined
        return Verdicts(
            unauthorized: ServiceSet(rawValue: unauthorized), blocked: ServiceSet(rawValue: blocked),
            blockedBySession: ServiceSet(rawValue: blockedBySession), fails: ServiceSet(rawValue: fails),
            undetermined: ServiceSet(rawValue: undetermined), degraded: ServiceSet(rawValue: rest & worse),
            runs: ServiceSet(rawValue: rest & ~worse))
    }

    /// Returns, for each set of requirements by mask, the services whose row lists any of it.
    private static func services(in rows: [ServiceRow], _ list: KeyPath<ServiceRow, RequirementSet>) -> [UInt16] {
        var single = [UInt16](repeating: 0, count: Requirement.allCases.count)
        for row in rows {
            for requirement in row[keyPath: list].members {
                single[Int(requirement.rawValue)] |= ServiceSet(row.service).rawValue
            }
        }
        var services = [UInt16](repeating: 0, count: 1 << single.count)
        for mask in services.indices.dropFirst() {
            // A set without its lowest member is smaller, so it is already computed.
            services[mask] = services[mask & (mask - 1)] | single[mask.trailingZeroBitCount]
        }
        return services
    }
}

extension Evaluator {
    /// Computes the verdicts with their reasons: every listed service in table order.
    package func results(for statuses: RequirementStatuses) -> [ServiceResult] {
        let verdicts = verdicts(for: statuses)
        return rows.map { result(of: $0, statuses, verdicts) }
    }

    private func result(of row: ServiceRow, _ statuses: RequirementStatuses, _ verdicts: Verdicts) -> ServiceResult {
        let verdict = verdicts[row.service] ?? .undetermined
        let own = row.required.union(row.optional)
        // Reported requirements: none of an unauthorized service, only required ones under the whole-session rule.
        var reported = own.subtracting(statuses.folded(in: own))
        if wholeSession { reported.formIntersection(row.required) }
        if verdict == .unauthorized { reported = [] }
        let blocker: Blocker? =
            if verdict != .blocked { nil } else if verdicts.blockedBySession.contains(row.service) { .session } else {
                row.service.parent.map { .service($0) }
            }
        return ServiceResult(
            service: row.service, asked: asked.contains(row.service), verdict: verdict, required: row.required,
            optional: row.optional, failures: reported.intersection(row.required).intersection(statuses.unmet),
            warnings: reported.intersection(row.optional).intersection(statuses.unmet),
            unknown: reported.intersection(statuses.unknown),
            unchecked: verdict == .unauthorized ? [] : own.intersection(statuses.unchecked), blockedBy: blocker)
    }
}

extension ServiceSet {
    /// The sub-services of the services in a mask, as `Service.parent` defines them, precomputed.
    static func children(of mask: UInt16) -> UInt16 {
        var children: UInt16 = 0
        if mask & 1 << Service.driving.rawValue != 0 { children |= ofDriving }
        if mask & 1 << Service.walking.rawValue != 0 { children |= ofWalking }
        return children
    }

    // Constants, which cost nothing at each evaluation.
    private static let ofDriving: UInt16 =
        1 << Service.distractionFreeDriving.rawValue | 1 << Service.drivingBehaviour.rawValue
        | 1 << Service.deviceDiscovery.rawValue
    private static let ofWalking: UInt16 = 1 << Service.walkingLocation.rawValue
}
