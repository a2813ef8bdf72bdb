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

    mutating func readOptions(_ node: ConfigurationNode, _ rules: Rules) throws(ConfigurationError) {
        let found = try node.mapping(of: "options", keys: Self.options.map(\.names))
        for (names, since) in Self.options {
            guard let name = names.first, let entry = found[name], let since, rules.version < since else { continue }
            throw entry.error("expected an option of rules \(rules.version), found \"\(entry.key)\" (since \(since))")
        }
        if let node = found["motionPermissionMandatory"]?.value, try node.bool() {
            flags.insert(.motionPermissionMandatory)
        }
        if let node = found["backgroundLocationPermissionMandatory"]?.value, try node.bool() {
            flags.insert(.backgroundLocationPermissionMandatory)
        }
        if let entry = found["useBackendConfig"] {
            _ = try entry.value.bool()
            let remark = "useBackendConfig has no effect: no dashboard replaces this file"
            remarks.append(entry.error(remark).description)
        }
        if let node = found["deviceDiscovery"]?.value {
            deviceDiscovery = try DeviceDiscoveryOptions(node)
        }
    }

    static func version(_ node: ConfigurationNode) throws(ConfigurationError) -> RulesVersion {
        let expected = "a version such as 1.x or 2.14"
        let text = try node.text(expected: expected)
        guard let version = RulesVersion(text) else {
            throw node.error(expected: expected, suggestion: RulesVersion.suggestion(for: text)?.description)
        }
        return version
    }

    static func pins(_ node: ConfigurationNode) throws(ConfigurationError)
        -> [SensorKind: String]
    {
        let found = try node.mapping(of: "kinds of sensor", keys: SensorKind.allCases.map { [$0.id] })
        var pins: [SensorKind: String] = [:]
        for kind in SensorKind.allCases {
            guard let node = found[kind.id]?.value else { continue }
            pins[kind] = try node.text(expected: "the key or label of a sensor")
        }
        return pins
    }
}
