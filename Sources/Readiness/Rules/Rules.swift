/// The requirements of one service under some rules.
package struct ServiceRow: Sendable, Equatable {
    /// The service.
    package let service: Service
    /// The requirements without which it does not run.
    package let required: RequirementSet
    /// The requirements without which it is degraded.
    package let optional: RequirementSet

    /// Returns the row with the optional requirements of the flags made required.
    func promoted(by flags: OptionFlags) -> ServiceRow {
        let promoted = optional.intersection(flags.promoted)
        return ServiceRow(
            service: service, required: required.union(promoted), optional: optional.subtracting(promoted))
    }
}

/// The requirement table of one version of the SDK.
package struct Rules: Sendable, Equatable {
    /// The requested version.
    package let version: RulesVersion
    /// The newest profile that is not newer than the version; reports name it.
    ///
    /// It is `1.x`, `2.0`, `2.4` or `2.14`.
    package let profile: RulesVersion
    /// The rows in table order.
    package let rows: [ServiceRow]
    /// The services of these rules.
    package let services: ServiceSet
    /// The option flags of these rules.
    ///
    /// They depend on the version itself, since the background flag was added in 2.6, between two profiles.
    package let flags: OptionFlags

    /// Creates the rules of any version.
    package init(_ version: RulesVersion) {
        self.version = version
        profile = Self.profiles.last { $0 <= version } ?? .version1
        rows = RequirementTable.rows.filter { $0.holds(in: version) }.map(\.row)
        services = ServiceSet(rows.map(\.service))
        flags = RequirementTable.flags.reduce(into: []) { if $1.since <= version { $0.formUnion($1.flag) } }
    }

    /// The newest rules, the default; their profile is the last that changed the table.
    package static let newest = Rules(.newest)

    /// The versions in which the table changed, oldest first.
    package static let profiles: [RulesVersion] =
        Set(RequirementTable.rows.flatMap { [$0.since, $0.until].compactMap(\.self) }).sorted()

    /// That a version newer than every known requirement table was asked for; nil for any other version.
    package var remark: String? {
        guard let newest = Self.profiles.last, version > newest else { return nil }
        return "rules \(version): the newest known requirement table is that of \(newest)"
    }

    /// Returns the row of a service; nil if these rules lack it.
    package func row(of service: Service) -> ServiceRow? { rows.first { $0.service == service } }

    /// Whether one failing service stops every other, as it did in 1.x.
    package var wholeSession: Bool { profile.major == 1 }

    /// The first version that has a service.
    package static func firstVersion(with service: Service) -> RulesVersion {
        RequirementTable.rows.filter { $0.row.service == service }.map(\.since).min() ?? .version1
    }

    /// The first version that has a flag.
    package static func firstVersion(with flag: OptionFlags) -> RulesVersion {
        RequirementTable.flags.filter { !$0.flag.isDisjoint(with: flag) }.map(\.since).max() ?? .version1
    }
}

/// A requested service or flag that the rules lack.
package struct RulesError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The services that they lack.
    package let services: ServiceSet
    /// The flags that they lack.
    package let flags: OptionFlags
    /// The requested version.
    package let version: RulesVersion

    /// The error in one clause, such as "rules 2.4 have no health (since 2.14)".
    package var description: String {
        let lacking =
            services.members.map { "\($0.id) (since \(Rules.firstVersion(with: $0)))" }
            + RequirementTable.flags.filter { flags.contains($0.flag) }.map { "\($0.name) (since \($0.since))" }
        return "rules \(version) have no \(lacking.joined(separator: ", no "))"
    }
}
