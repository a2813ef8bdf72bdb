internal import Readiness

/// Checks what else is declared: accuracy, background modes, macOS, entitlements, and keys that nothing reads.
extension Audit {
    func accuracyFindings(in information: [String: PropertyList]) -> [AuditFinding] {
        var findings: [AuditFinding] = []
        let key = AuditTable.temporaryKey
        let precise = services(listing: .preciseLocation)
        func add(_ severity: AuditFinding.Severity, _ key: String, _ reason: String) {
            findings.append(AuditFinding(key, severity, precise, reason, source: AuditTable.accuracy))
        }
        let found = information[key]
        let texts = found?.entries
        if let found, texts == nil {
            add(.error, key, "\(found.words), not a dictionary of a purpose's key to its text")
        } else if texts?.isEmpty == true {
            add(.warning, key, "no purpose in it: temporary full accuracy cannot be requested")
        }
        for purpose in (texts ?? [:]).keys.sorted() {
            guard let text = texts?[purpose], text.text?.allSatisfy(\.isWhitespace) ?? true else { continue }
            add(.error, "\(key).\(purpose)", text.text == nil ? "\(text.words), not a text" : "empty")
        }
        for purpose in purposes where found == nil || texts.map({ $0[purpose] == nil }) == true {
            add(.error, "\(key).\(purpose)", "missing: the app asks for temporary full accuracy with this purpose")
        }
        if information[AuditTable.reducedKey] == .boolean(true), !precise.isEmpty {
            let required = services(listing: .preciseLocation, requiredOnly: true)
            findings.append(
                AuditFinding(
                    AuditTable.reducedKey, required.isEmpty ? .warning : .error, precise,
                    "true: location is coarse unless the user changes it, and \(precise.titles) "
                        + "\(required.isEmpty ? "is degraded without" : "needs") precise location",
                    source: AuditTable.defaultAccuracy))
        }
        return findings
    }

    func modeFinding(in information: [String: PropertyList]) -> AuditFinding? {
        let key = AuditTable.modesKey
        let services = services(listing: .backgroundLocation)
        guard !services.isEmpty else { return nil }
        let required = self.services(listing: .backgroundLocation, requiredOnly: true)
        let fault: String
        switch information[key] {
        case nil: fault = "missing: it must list \"\(AuditTable.mode)\""
        case .list(let modes):
            if modes.contains(.text(AuditTable.mode)) { return nil }
            let near = modes.compactMap(\.text).first { suggestion(for: $0, among: [AuditTable.mode]) != nil }
            fault = "it does not list \"\(AuditTable.mode)\"" + (near.map { ", but \"\($0)\"" } ?? "")
        case .some(let value): fault = "\(value.words), not a list of modes"
        }
        return AuditFinding(
            key, required.isEmpty ? .warning : .error, required.isEmpty ? services : required,
            "\(fault); without it location stops in the background, and trips are not detected",
            source: AuditTable.background)
    }

    func macFinding(in information: [String: PropertyList]) -> AuditFinding? {
        var services = services(listing: .location)
        let reason: String
        switch information[AuditTable.macKey] {
        case nil where app.isForMac && !services.isEmpty:
            reason = "missing: \(services.titles) asks for location, and this is an app for macOS"
        case nil: return nil
        case .text(let text) where text.allSatisfy(\.isWhitespace): reason = "empty"
        case .text where app.isForMac: return nil
        case .text: (services, reason) = ([], "only macOS reads it, and this is not an app for macOS")
        case .some(let value): reason = "\(value.words), not a text"
        }
        return AuditFinding(AuditTable.macKey, .warning, services, reason, source: AuditTable.optionalKeys)
    }

    var entitlementFindings: [AuditFinding] {
        let services = services(listing: [.healthStore, .stepsRead])
        guard !services.isEmpty else { return [] }
        func finding(_ key: String, _ severity: AuditFinding.Severity, _ reason: String) -> AuditFinding {
            AuditFinding(key, severity, services, reason, source: AuditTable.entitlements)
        }
        guard let entitlements = app.entitlements else {
            let reason = "cannot tell: health needs it, and no entitlements were read; pass --entitlements FILE"
            return [finding(AuditTable.healthEntitlement, .warning, reason)]
        }
        let rows: [(String, AuditFinding.Severity, String)] = [
            (AuditTable.healthEntitlement, .error, "without it the app has no access to HealthKit"),
            (AuditTable.deliveryEntitlement, .warning, "without it the app is not woken for new steps"),
        ]
        return rows.compactMap { key, severity, effect in
            guard entitlements[key] != .boolean(true) else { return nil }
            let fault = entitlements[key].map { "\($0.words), not true" } ?? "missing"
            return finding(key, severity, "\(fault): \(effect)")
        }
    }

    // MARK: Keys that nothing reads

    /// Misspelt keys, names of types, and unknown usage descriptions, ordered by key.
    func strayFindings(in information: [String: PropertyList]) -> [AuditFinding] {
        information.keys.sorted().compactMap { finding(onStray: $0, in: information) }
    }

    private func finding(onStray key: String, in information: [String: PropertyList]) -> AuditFinding? {
        guard !AuditTable.known.contains(key), !AuditTable.others.contains(key) else { return nil }
        if let meant = AuditTable.typeNames.first(where: { $0.value.contains(key) })?.key {
            return AuditFinding(
                key, .warning, services(concerning: meant),
                "the name of a type, not a key of Info.plist, so nothing reads it; use \(meant)",
                source: AuditTable.types)
        }
        if let meant = Self.meant(by: key) {
            // If the correct key is present too, or nothing needs it, the misspelt one does no harm.
            let isHarmless = information[meant] != nil || !isWanted(meant)
            return AuditFinding(
                key, isHarmless ? .warning : .error, services(concerning: meant), "misspelt: use \(meant)",
                source: AuditTable.keys)
        }
        guard key.hasSuffix("UsageDescription") else { return nil }
        return AuditFinding(
            key, .warning, [], "not a known usage description, so nothing may read it",
            source: AuditTable.keys)
    }

    /// Returns the known key that one is a misspelling of.
    ///
    /// A known key of other purposes is not a misspelling (NSSiriUsageDescription is near NSMotionUsageDescription);
    /// misspellings of those are not reported.
    private static func meant(by key: String) -> String? {
        let near = suggestion(for: key, among: AuditTable.known)
        guard let near, suggestion(for: key, among: AuditTable.others + [near]) == near else { return nil }
        return near
    }

    private func services(concerning key: String) -> ServiceSet {
        if let row = AuditTable.usage.first(where: { $0.key == key }) { return services(listing: row.asked) }
        switch key {
        case AuditTable.temporaryKey, AuditTable.reducedKey: return services(listing: .preciseLocation)
        case AuditTable.modesKey: return services(listing: .backgroundLocation)
        default: return services(listing: .location)
        }
    }
}
