import rigready
import Readiness

/// A complete app, to remove parts from.
enum Sample {
    static let texts = [
        "NSBluetoothAlwaysUsageDescription", "NSHealthShareUsageDescription", "NSHealthUpdateUsageDescription",
        "NSLocationAlwaysAndWhenInUseUsageDescription", "NSLocationAlwaysUsageDescription",
        "NSLocationWhenInUseUsageDescription", "NSMotionUsageDescription",
    ]

    static var app: AppDeclarations {
        var information: [String: PropertyList] = ["UIBackgroundModes": .list([.text("fetch"), .text("location")])]
        for key in texts { information[key] = .text("So that trips are found.") }
        return AppDeclarations(
            information: information,
            entitlements: [
                "com.apple.developer.healthkit": .boolean(true),
                "com.apple.developer.healthkit.background-delivery": .boolean(true),
            ])
    }

    /// The findings on an app that must support some services.
    static func findings(
        on app: AppDeclarations, for services: [Service]? = nil, flags: OptionFlags = [],
        version: String = "2.14", minimumIOS: IOSVersion? = nil, purposes: [String] = []
    ) throws -> [AuditFinding] {
        let rules = RulesVersion(version).map(Rules.init) ?? .newest
        let asked = services?.reduce(into: ServiceSet()) { $0.insert(ServiceSet($1)) }
        let evaluator = try Evaluator(of: asked, rules: rules, flags: flags)
        return Audit(
            of: app, for: evaluator.rows, version: rules.version, minimumIOS: minimumIOS, purposes: purposes
        ).findings
    }
}
