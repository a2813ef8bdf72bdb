internal import Readiness

/// Keys that nothing reads.
extension Audit {
    /// Misspelt keys, names of types, and usage descriptions that nobody knows, by key.
    func strayFindings(in information: [String: PropertyList]) -> [AuditFinding] {
        information.keys.sorted().compactMap { finding(onStray: $0, in: information) }
    }

    private func finding(onStray key: String, in information: [String: PropertyList]) -> AuditFinding? {
        guard !AuditTable.known.contains(key), !AuditTable.others.contains(key) else { return nil }
        if let row = AuditTable.types.first(where: { $0.name == key }) {
            return AuditFinding(
                key, .warning, services(concerning: row.meant),
                "no key of Info.plist but the name of a type, so nothing reads it; meant is \(row.meant)",
                source: "seed 000, Motion Permission, .plist; seed 003, Info.plist Keys")
        }
        if let meant = Self.meant(by: key) {
            // Where the right one stands too the slip does no harm.
            let isThere = information[meant] != nil
            return AuditFinding(
                key, isThere ? .warning : .error, services(concerning: meant), "misspelt: meant is \(meant)",
                source: "seed 003, Info.plist Keys")
        }
        guard key.hasSuffix("UsageDescription") else { return nil }
        return AuditFinding(
            key, .warning, [], "no usage description that is known here, so perhaps nothing reads it",
            source: "seed 003, Info.plist Keys")
    }

    /// The known key that one is a slip of.
    ///
    /// A key of another matter (NSSiriUsageDescription is not far from NSMotionUsageDescription) is left alone by its own
    /// name; a slip in one of those is not told.
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
