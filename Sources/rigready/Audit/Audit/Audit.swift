package import Readiness

/// Compares what an app declares with what its services ask for.
///
/// Sources: MOVE SDK, Permissions Handling (required strings, plist keys, background mode, entitlements); Core
/// Location, Authorization & Permissions Reference (keys of Info.plist, temporary full accuracy); C3-PRO, System
/// Service Permissions (which texts are needed).
package struct Audit: Sendable {
    let app: AppDeclarations
    /// The wanted services with their parents, in table order, after promotion by the option flags.
    let rows: [ServiceRow]
    /// That of the SDK.
    package let version: RulesVersion
    /// The oldest iOS that the app is built for; nil if unknown, which counts as a recent one.
    let minimumIOS: IOSVersion?
    /// The keys of the purposes with which the app requests full accuracy.
    let purposes: [String]

    /// Creates an audit; the default version is the app's own `MinimumOSVersion`.
    package init(
        of app: AppDeclarations, for rows: [ServiceRow], version: RulesVersion, minimumIOS: IOSVersion? = nil,
        purposes: [String] = []
    ) {
        self.app = app
        self.rows = rows
        self.version = version
        self.minimumIOS = minimumIOS ?? app.minimumIOS
        self.purposes = purposes.sorted()
    }

    /// All findings, in the order of the table, then by key.
    package var findings: [AuditFinding] {
        var findings: [AuditFinding] = []
        if let information = app.information {
            findings += AuditTable.usage.compactMap { finding(on: $0, in: information) }
            findings += accuracyFindings(in: information)
            findings += [modeFinding(in: information), macFinding(in: information)].compactMap(\.self)
            findings += strayFindings(in: information)
        }
        return findings + entitlementFindings
    }

    /// The keys that were checked, with or without a finding.
    package var checkedKeys: [String] {
        var keys: [String] = []
        if app.information != nil {
            keys = AuditTable.usage.filter { isWanted($0.key) || mayBeWantedByStore($0) }.map(\.key)
            if !services(listing: .backgroundLocation).isEmpty { keys.append(AuditTable.modesKey) }
            if !purposes.isEmpty { keys.append(AuditTable.temporaryKey) }
        }
        if !services(listing: [.healthStore, .stepsRead]).isEmpty, app.entitlements != nil {
            keys += [AuditTable.healthEntitlement, AuditTable.deliveryEntitlement]
        }
        return keys
    }

    // MARK: Services

    /// The wanted services that list one of some requirements, required or optional: they ask for it either way.
    func services(listing requirements: RequirementSet, requiredOnly: Bool = false) -> ServiceSet {
        rows.reduce(into: []) { services, row in
            let listed = requiredOnly ? row.required : row.required.union(row.optional)
            if !listed.isDisjoint(with: offered(requirements)) { services.insert(ServiceSet(row.service)) }
        }
    }

    /// The services that make the app need a text.
    private func services(asking row: UsageRow) -> ServiceSet {
        isBuilt(upTo: row.until) ? services(listing: row.asked) : []
    }

    /// Whether the store requires a text of every app with this version of the SDK, which has the code that asks.
    private func isWantedByStore(_ row: UsageRow) -> Bool {
        // The page of 1.x has no list of the store's.
        guard version >= .version2(0), row.since <= version, isBuilt(upTo: row.storeUntil),
            !offered(row.asked).isEmpty
        else { return false }
        return version < AuditTable.healthApart || !row.asked.contains(.healthStore) || app.linksHealth == true
    }

    /// Whether the store requires a text unless the app leaves out the health add-on, which cannot be determined.
    private func mayBeWantedByStore(_ row: UsageRow) -> Bool {
        version >= AuditTable.healthApart && row.asked.contains(.healthStore) && app.linksHealth == nil
    }

    /// The requirements that the app's platform offers.
    private func offered(_ requirements: RequirementSet) -> RequirementSet {
        app.isWithoutAlways ? requirements.subtracting(.backgroundLocation) : requirements
    }

    /// Whether the app is built for this iOS or an older one; an app of unknown age is not, nil is any iOS.
    private func isBuilt(upTo newest: IOSVersion?) -> Bool {
        newest.map { newest in minimumIOS.map { $0 <= newest } ?? false } ?? true
    }

    /// Whether the store or a wanted service needs a key; one that is no usage description counts as needed.
    func isWanted(_ key: String) -> Bool {
        guard let row = AuditTable.usage.first(where: { $0.key == key }) else { return true }
        return !services(asking: row).isEmpty || isWantedByStore(row)
    }

    // MARK: Rows

    private func finding(on row: UsageRow, in information: [String: PropertyList]) -> AuditFinding? {
        let services = services(asking: row)
        let isWanted = isWanted(row.key)
        let mayBeWanted = !isWanted && mayBeWantedByStore(row)
        let fault: String
        switch information[row.key] {
        case nil where isWanted || mayBeWanted: fault = "missing"
        case nil: return nil
        case .text(let text) where text.allSatisfy(\.isWhitespace): fault = "empty"
        case .text(let text) where text.hasPrefix("$(") && text.hasSuffix(")"):
            return AuditFinding(
                row.key, .warning, services, "\(text) is set by the build; audit the built app", source: row.source)
        case .text(let text) where text.count < row.length:
            fault = "\(text.count) characters long, expected at least \(row.length)"
        case .text: return nil
        case .some(let value): fault = "\(value.words), not a text"
        }
        if mayBeWanted {
            return AuditFinding(
                row.key, .warning, [],
                "\(fault); the store requires it unless the app is built without MoveSDKHealth", source: row.source)
        }
        guard isWanted else {
            return AuditFinding(row.key, .warning, [], "\(fault); none of the services needs it", source: row.source)
        }
        var reasons: [String] = []
        var sources: [String] = []
        if !services.isEmpty {
            let version = row.until == nil ? "" : " on iOS \(minimumIOS?.description ?? "")"
            reasons.append(
                "\(services.titles) \(services.members.count == 1 ? "asks" : "ask") for \(row.words)\(version)")
            sources.append(row.source)
        }
        if isWantedByStore(row) {
            let version = row.storeUntil == nil ? "" : " for iOS \(minimumIOS?.description ?? "")"
            reasons.append("the store refuses an app with the SDK\(version) without it")
            // A text for old versions of iOS has its own row on the page.
            if row.storeUntil == nil { sources.append(AuditTable.store) } else { sources = [row.source] }
        }
        return AuditFinding(
            row.key, .error, services, "\(fault): \(reasons.joined(separator: ", and "))",
            source: sources.joined(separator: "; "))
    }
}

extension ServiceSet {
    /// The services in text, such as "driving, cycling and walking".
    var titles: String { members.map(\.title).list("and") }
}

package struct AuditFinding: Sendable, Equatable {
    package enum Severity: String, CaseIterable, Sendable {
        /// The store refuses the app, or a service cannot ask for what it needs.
        case error
        /// A service is degraded, or the entry has no effect.
        case warning
    }

    /// The key of Info.plist, or the entitlement.
    package var key: String
    package var severity: Severity
    /// The wanted services concerned; empty if it concerns the whole app.
    package var services: ServiceSet
    /// What is wrong and its effect, in one clause.
    package var reason: String
    /// The section of the vendor's or Apple's page that it is based on.
    package var source: String

    init(_ key: String, _ severity: Severity, _ services: ServiceSet, _ reason: String, source: String) {
        self.key = key
        self.severity = severity
        self.services = services
        self.reason = reason
        self.source = source
    }
}
