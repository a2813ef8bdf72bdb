internal import Readiness

/// Finds keys that nothing reads.
extension Audit {
    /// Misspelt keys, names of types, and unknown usage descriptions, ordered by key.
    func strayFindings(in information: [String: PropertyList]) -> [AuditFinding] {
        information.keys.sorted().compactMap { finding(onStray: $0, in: information) }
    }

    private func finding(onStray key: String, in information: [String: PropertyList]) -> AuditFinding? {
        guard !AuditTable.known.contains(key), !AuditTable.others.contains(key) else { return nil }
        if let row = AuditTable.types.first(where: { $0.name == key }) {
            return AuditFinding(
                key, .warning, services(concerning: row.meant),
                "the name of a type, not a key of Info.plist, so nothing reads it; use \(row.meant)",
                source: "seed 000, Motion Permission, .plist; seed 003, Info.plist Keys")
        }
        if let meant = Self.meant(by: key) {
            // If the correct key is present too, the misspelt one does no harm.
            let isThere = information[meant] != nil
            return AuditFinding(
                key, isThere ? .warning : .error, services(concerning: meant), "misspelt: use \(meant)",
                source: "seed 003, Info.plist Keys")
        }
        guard key.hasSuffix("UsageDescription") else { return nil }
        return AuditFinding(
            key, .warning, [], "not a known usage description, so nothing may read it",
            source: "seed 003, Info.plist Keys")
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
