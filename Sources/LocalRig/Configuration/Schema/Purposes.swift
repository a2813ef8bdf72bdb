internal import Readiness

/// Why the host app wants each permission, in the text that is shown in the request.
///
/// Source: the usage descriptions of Info.plist (MOVE SDK, Permissions Handling; Core Location,
/// Authorization & Permissions Reference: Info.plist Keys).
package struct Purposes: Sendable, Equatable {
    /// The subject of a text.
    package enum Purpose: String, CaseIterable, Sendable, Hashable {
        case location, backgroundLocation, motion, bluetooth, health, healthUpdate

        /// The corresponding key of Info.plist.
        package var appleKey: String { spellings.last ?? rawValue }

        /// Every accepted key.
        var spellings: [String] {
            switch self {
            case .location: ["location", "NSLocationWhenInUseUsageDescription"]
            case .backgroundLocation: ["backgroundLocation", "NSLocationAlwaysAndWhenInUseUsageDescription"]
            case .motion: ["motion", "NSMotionUsageDescription"]
            case .bluetooth: ["bluetooth", "NSBluetoothAlwaysUsageDescription"]
            case .health: ["health", "healthStore", "stepsRead", "NSHealthShareUsageDescription"]
            case .healthUpdate: ["healthUpdate", "NSHealthUpdateUsageDescription"]
            }
        }

        /// The equivalent key of older systems; it is used if the newer one is missing.
        fileprivate var legacyKey: String? {
            switch self {
            case .backgroundLocation: "NSLocationAlwaysUsageDescription"
            case .bluetooth: "NSBluetoothPeripheralUsageDescription"
            default: nil
            }
        }

        /// The minimum length of the text in characters (12 for health: MOVE SDK, Permissions Handling,
        /// Health Permissions).
        fileprivate var minimumLength: Int { self == .health || self == .healthUpdate ? 12 : 1 }
    }

    /// The keys of the dictionary of purposes for temporary full accuracy.
    static let fullAccuracyKeys = ["preciseLocation", "NSLocationTemporaryUsageDescriptionDictionary"]

    /// The texts by purpose.
    package var texts: [Purpose: String] = [:]
    /// The texts for temporary full accuracy, by the purpose's own key.
    package var fullAccuracy: [String: String] = [:]

    /// Creates purposes; without arguments there are none.
    package init(_ texts: [Purpose: String] = [:], fullAccuracy: [String: String] = [:]) {
        self.texts = texts
        self.fullAccuracy = fullAccuracy
    }

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = Purpose.allCases.map(\.spellings) + Purpose.allCases.compactMap(\.legacyKey).map { [$0] }
        let found = try node.mapping(of: "permissions", keys: keys + [Self.fullAccuracyKeys])
        for purpose in Purpose.allCases {
            guard let node = (found[purpose.rawValue] ?? purpose.legacyKey.flatMap { found[$0] })?.value else {
                continue
            }
            let expected =
                purpose.minimumLength > 1 ? "a text of at least \(purpose.minimumLength) characters" : "a text"
            let text = try node.text(expected: expected)
            guard text.count >= purpose.minimumLength else { throw node.error(expected: expected) }
            texts[purpose] = text
        }
        guard let node = found[Self.fullAccuracyKeys[0]]?.value else { return }
        guard case .mapping(let entries) = node.value else {
            throw node.error(expected: "a mapping of a purpose's key to a text")
        }
        for entry in entries { fullAccuracy[entry.key] = try entry.value.text(expected: "a text") }
    }
}
