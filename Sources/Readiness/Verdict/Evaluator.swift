/// Computes the verdicts of some services under some rules; made once, used for any number of statuses.
///
/// It precomputes, for each of the 512 sets of requirements, the services that require any of it, and those for which
/// any of it is optional. The verdicts of all services are then a few set operations, without allocation.
public struct Evaluator: Sendable, Equatable {
    /// The rules.
    public let rules: Rules
    /// The services asked for.
    public let asked: ServiceSet
    /// The services evaluated: those asked for and their parents.
    public let listed: ServiceSet
    /// Whether one failing service stops every other.
    public let wholeSession: Bool
    /// The rows of the listed services in table order, after promotion.
    public let rows: [ServiceRow]

    private let unlicensed: UInt16
    private let requiring: [UInt16]
    private let preferring: [UInt16]

    /// Creates an evaluator.
    ///
    /// `services` nil stands for all services of the rules, `licence` nil for a licence of everything; a licence is
    /// taken literally, so parents and children do not imply each other. `wholeSession` nil takes the value of the
    /// rules.
    public init(
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
    public static let all = Evaluator(Rules.newest.services, .newest, [], licence: .all, wholeSession: false)

    private init(_ asked: ServiceSet, _ rules: Rules, _ flags: OptionFlags, licence: ServiceSet, wholeSession: Bool) {
        let listed = asked.withParents
        self.rules = rules
        self.asked = asked
        self.listed = listed
        self.wholeSession = wholeSession
        rows = rules.rows.filter { listed.contains($0.service) }.map { $0.promoted(by: flags) }
        unlicensed = listed.subtracting(licence).rawValue
        requiring = Self.services(in: rows, \.required)
        // Under the whole-session rule optional requirements are not reported.
        preferring = Self.services(in: wholeSession ? [] : rows, \.optional)
    }

    /// Computes the verdicts for some statuses.
    public func verdicts(for statuses: RequirementStatuses) -> Verdicts {
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

extension ServiceSet {
    /// The sub-services of the services in a mask, as `Service.parent` defines them, precomputed.
    static func children(of mask: UInt16) -> UInt16 {
        var children: UInt16 = 0
        if mask & 1 << Service.driving.rawValue != 0 { children |= ofDriving }
        if mask & 1 << Service.walking.rawValue != 0 { children |= ofWalking }
        return children
    }

    private static let ofDriving = ServiceSet(Service.allCases.filter { $0.parent == .driving }).rawValue
    private static let ofWalking = ServiceSet(Service.allCases.filter { $0.parent == .walking }).rawValue
}
