import rigready
import Readiness
import Testing

/// Every text that the pages demand, version by version, service by service and iOS by iOS; derived from the pages' own
/// words and not from our table.
///
/// Pages: MOVE SDK iOS "Permissions Handling" of 1.x, of 2.x before health, and the present one; Apple, "Bundle
/// Resources, Information Property List".
@Suite struct PublishedKeysTests {
    /// The columns "Required permissions" and "Optional permissions" of the present page: who asks for what.
    private static let asks: [Service: Set<String>] = [
        .driving: ["location", "background", "motion"], .distractionFreeDriving: [], .drivingBehaviour: [],
        .deviceDiscovery: ["bluetooth"], .cycling: ["location", "motion", "background"],
        .walking: ["motion", "background"], .walkingLocation: ["location", "background"], .places: ["location"],
        .pointsOfInterest: ["location", "background"], .publicTransport: ["location", "background"],
        .impactDetection: ["location", "motion", "background"], .assistanceCall: ["location"], .health: ["health"],
    ]

    private static let keys = [
        "NSLocationWhenInUseUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription",
        "NSLocationAlwaysUsageDescription", "NSMotionUsageDescription", "NSBluetoothAlwaysUsageDescription",
        "NSBluetoothPeripheralUsageDescription", "NSHealthShareUsageDescription", "NSHealthUpdateUsageDescription",
    ]

    /// Whether the pages demand a text.
    private static func isDemanded(
        _ key: String, by services: [Service], in minor: (major: Int, minor: Int), from iOS: IOSVersion?
    ) -> Bool {
        let asked = services.reduce(into: Set<String>()) { $0.formUnion(asks[$1] ?? []) }
        switch key {
        case "NSBluetoothAlwaysUsageDescription":
            // "Submitting an App to Testflight or AppStore"; the page of 1.x does not speak of Bluetooth.
            return minor.major == 2
        case "NSBluetoothPeripheralUsageDescription":
            // "Required only your application is built for iOS 13.0 or below."
            return minor.major == 2 && iOS.map { $0 < IOSVersion(13, 1) } ?? false
        case "NSHealthShareUsageDescription", "NSHealthUpdateUsageDescription":
            // "MoveSDK 2.15: … only required when Health services are needed"; health is a service since 2.14.
            if minor.major == 1 || minor.minor < 14 { return false }
            return minor.minor == 14 || asked.contains("health")
        default:
            if minor.major == 1 {
                // The page of 1.x has no list of the store's: a text is needed by what a service asks for.
                switch key {
                case "NSLocationWhenInUseUsageDescription": return asked.contains("location")
                case "NSLocationAlwaysAndWhenInUseUsageDescription": return asked.contains("background")
                case "NSMotionUsageDescription": return asked.contains("motion")
                // Since iOS 11 the text for both is the only one.
                default: return asked.contains("background") && iOS.map { $0 < IOSVersion(11) } ?? false
                }
            }
            // "Required Strings … even for features that are not used": the three of location, and motion.
            return true
        }
    }

    @Test(arguments: ["1.x", "2.0", "2.3", "2.4", "2.13", "2.14", "2.15", "2.17"])
    func `each text is demanded where the pages demand it`(version: String) throws {
        let rules = Rules(try #require(RulesVersion(version)))
        let numbers = (Int(rules.version.major), Int(rules.version.minor ?? 0))
        var cells = 0
        var wrong: [String] = []
        for service in rules.services.members {
            let wanted = [service] + [service.parent].compactMap(\.self)
            let rows = try Evaluator(of: ServiceSet(service), rules: rules).rows
            for iOS in [nil, IOSVersion(10), IOSVersion(12), IOSVersion(13), IOSVersion(13, 1), IOSVersion(17)] {
                let demanded = Self.keys.filter { Self.isDemanded($0, by: wanted, in: numbers, from: iOS) }
                let complete = Dictionary(
                    uniqueKeysWithValues: Self.keys.map { ($0, PropertyList.text("A text that explains the use.")) })
                for lacking in [[]] + Self.keys.map({ [$0] }) + [Self.keys] {
                    let information = complete.filter { !lacking.contains($0.key) }
                    let audit = Audit(
                        of: AppDeclarations(information: information), for: rows, version: rules.version,
                        minimumIOS: iOS)
                    let missing = audit.findings.filter { $0.severity == .error && Self.keys.contains($0.key) }
                    if Set(missing.map(\.key)) != Set(demanded).intersection(lacking) {
                        wrong.append("\(service), iOS \(iOS?.description ?? "any"), without \(lacking)")
                    }
                    cells += Self.keys.count
                }
            }
        }
        #expect(cells > 2000)
        #expect(wrong.isEmpty, "\(wrong.count) of \(cells): \(wrong.prefix(3))")
    }
}
