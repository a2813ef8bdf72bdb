internal import Readiness

extension RigConfiguration {
    /// The options of a MoveConfig, with the first version of the rules that has each (mission model, section 2).
    private static let options: [(names: [String], since: RulesVersion?)] = [
        (
            ["motionPermissionMandatory", "motionPermissionRequired"],
            Rules.firstVersion(with: .motionPermissionMandatory)
        ),
        (
            ["backgroundLocationPermissionMandatory", "backgroundLocationPermissionRequired"],
            Rules.firstVersion(with: .backgroundLocationPermissionMandatory)
        ),
        (["useBackendConfig"], RulesVersion("2.5")),
        (["deviceDiscovery"], Rules.firstVersion(with: .deviceDiscovery)),
    ]

    mutating func readOptions(_ node: ConfigurationNode, _ rules: Rules, in document: ConfigurationDocument)
        throws(ConfigurationError)
    {
        let found = try document.mapping(node, of: "options", keys: Self.options.map(\.names))
        for (names, since) in Self.options {
            guard let name = names.first, let entry = found[name], let since, rules.version < since else { continue }
            throw document.error(
                entry.place,
                "expected an option of rules \(rules.version), found \"\(entry.key)\" (since \(since))")
        }
        if let node = found["motionPermissionMandatory"]?.value, try document.bool(node) {
            flags.insert(.motionPermissionMandatory)
        }
        if let node = found["backgroundLocationPermissionMandatory"]?.value, try document.bool(node) {
            flags.insert(.backgroundLocationPermissionMandatory)
        }
        if let entry = found["useBackendConfig"] {
            _ = try document.bool(entry.value)
            remarks.append(
                document.error(entry.place, "useBackendConfig has no effect: no dashboard replaces this file")
                    .description)
        }
        if let node = found["deviceDiscovery"]?.value {
            deviceDiscovery = try DeviceDiscoveryOptions(node, in: document)
        }
    }

    static func version(_ node: ConfigurationNode, in document: ConfigurationDocument) throws(ConfigurationError)
        -> RulesVersion
    {
        let expected = "a version such as 1.x or 2.14"
        let text = try document.text(node, expected: expected)
        guard let version = RulesVersion(text) else {
            throw document.error(
                node, expected: expected, suggestion: RulesVersion.suggestion(for: text).map(String.init))
        }
        return version
    }

    static func pins(_ node: ConfigurationNode, in document: ConfigurationDocument) throws(ConfigurationError)
        -> [SensorKind: String]
    {
        let found = try document.mapping(node, of: "kinds of sensor", keys: SensorKind.allCases.map { [$0.id] })
        var pins: [SensorKind: String] = [:]
        for kind in SensorKind.allCases {
            guard let node = found[kind.id]?.value else { continue }
            pins[kind] = try document.text(node, expected: "the key or label of a sensor")
        }
        return pins
    }
}
