internal import Readiness

extension RigConfiguration {
    /// The options of a MoveConfig, with the first version of the rules that has each (MOVE SDK, "MoveOptions").
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
            try Self.checkDeviceDiscovery(node)
        }
    }

    /// Checks when device discovery scans, which no verdict depends on (MOVE SDK, "MoveOptions", DeviceDiscovery).
    private static func checkDeviceDiscovery(_ node: ConfigurationNode) throws(ConfigurationError) {
        let (times, flags) = (["duration", "interval"], ["stopScanOnFirstDiscovered", "ensureSynced"])
        let found = try node.mapping(
            of: "options of device discovery", keys: (["startDelay"] + times + flags).map { [$0] })
        _ = try found["startDelay"]?.value.number(expected: "at least 120 seconds") { $0 >= 120 }
        for key in times { _ = try found[key]?.value.number(expected: "a number of seconds above 0") { $0 > 0 } }
        for key in flags { _ = try found[key]?.value.bool() }
    }

    mutating func readLocation(_ node: ConfigurationNode) throws(ConfigurationError) {
        let found = try node.mapping(of: "criteria of a location", keys: [["maxError"], ["allowEstimated"]])
        maximumError = try found["maxError"].map { (entry) throws(ConfigurationError) in
            try entry.value.number(expected: "a number of metres above 0") { $0 > 0 && $0 <= 1_000_000 }
        }
        allowsEstimated = try found["allowEstimated"].map { (entry) throws(ConfigurationError) in
            try entry.value.bool()
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

    static func accepted(_ node: ConfigurationNode) throws(ConfigurationError) -> [AcceptedFinding] {
        var findings: [AcceptedFinding] = []
        var lines: [String: Int] = [:]
        for node in try node.list(expected: "a list of accepted findings") {
            let found = try node.mapping(of: "keys of an accepted finding", keys: [["id"], ["reason"], ["until"]])
            guard let id = found["id"]?.value, let reason = found["reason"]?.value, let until = found["until"]?.value
            else {
                let missing = ["id", "reason", "until"].filter { found[$0] == nil }.joined(separator: " and ")
                throw node.error("expected id, reason and until in an accepted finding, found no \(missing)")
            }
            let expectedDay = "the last day as YEAR-MONTH-DAY, such as 2026-12-31"
            guard let day = CalendarDay(try until.text(expected: expectedDay)) else {
                throw until.error(expected: expectedDay)
            }
            let expectedID = "a requirement such as gyroscope, or one with its cause such as gyroscope.absent"
            let name = try id.text(expected: expectedID)
            let text = try reason.text(expected: "the reason why it is accepted")
            guard let finding = AcceptedFinding(id: name, reason: text, until: day) else {
                if let meant = FindingQuery(named: name)?.ofRequirement {
                    throw id.error(expected: expectedID, suggestion: meant)
                }
                let requirements = Requirement.allCases.map(\.id)
                let causes = requirements.filter { name.hasPrefix($0 + ".") }.flatMap { requirement in
                    Cause.allCases.map { "\(requirement).\($0.id)" }
                }
                throw id.unknown(expected: expectedID, among: causes.isEmpty ? requirements : causes)
            }
            if let first = lines.updateValue(id.place.line, forKey: finding.id) {
                throw id.error("expected each finding once, found \(finding.id) again (first in line \(first))")
            }
            findings.append(finding)
        }
        return findings
    }

    static func pins(_ node: ConfigurationNode) throws(ConfigurationError)
        -> [SensorKind: String]
    {
        let found = try node.mapping(of: "kinds of sensor", keys: SensorKind.allCases.map(\.names))
        var pins: [SensorKind: String] = [:]
        for kind in SensorKind.allCases {
            guard let node = found[kind.id]?.value else { continue }
            pins[kind] = try node.text(expected: "the key or name of a sensor")
        }
        return pins
    }
}
