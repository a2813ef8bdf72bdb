internal import Readiness

/// The topics of the fleet: `rigready/NAME/state`, `…/seen`, `…/run/SERVICE` and `…/report`, all retained.
enum FleetTopic: Sendable, Hashable {
    case state, seen, report
    case run(String)
    /// What announces the rig to Home Assistant: `homeassistant/device/rigready-NAME/config`.
    case discovery

    /// What a rig is while it publishes, and what its will says.
    static let (online, offline) = ("online", "offline")

    /// A filter that nobody subscribes to: the answer to unsubscribing from it says that all that was kept has come.
    static let fence = "rigready-fence"

    private static let prefix = "rigready"
    private static let discoveryPrefix = "homeassistant/device/\(HomeAssistantDiscovery.identifierPrefix)"
    private static let discoverySuffix = "/config"

    /// The topic of a service's result: the dots of its name become levels.
    init(of service: Service) {
        self = .run(String(service.id.map { $0 == "." ? "/" : $0 }))
    }

    func path(of rig: RigName) -> String {
        let last: String
        switch self {
        case .state: last = "state"
        case .seen: last = "seen"
        case .report: last = "report"
        case .run(let service): last = "run/\(service)"
        case .discovery: return Self.discoveryPrefix + rig.description + Self.discoverySuffix
        }
        return "\(Self.prefix)/\(rig)/\(last)"
    }

    /// The filter for the same topic of every rig.
    static func filter(_ last: String) -> String { "\(prefix)/+/\(last)" }

    /// The filter for every topic of a rig.
    static func filter(of rig: RigName) -> String { "\(prefix)/\(rig)/#" }

    /// Parses a topic; nil for one that is not of the fleet.
    static func parse(_ path: String) -> (rig: RigName, topic: FleetTopic)? {
        if path.hasPrefix(discoveryPrefix), path.hasSuffix(discoverySuffix) {
            let name = path.dropFirst(discoveryPrefix.count).dropLast(discoverySuffix.count)
            return RigName(String(name)).map { ($0, .discovery) }
        }
        let levels = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard levels.count >= 3, levels[0] == Self.prefix, let rig = RigName(String(levels[1])) else { return nil }
        switch (levels[2], levels.count) {
        case ("state", 3): return (rig, .state)
        case ("seen", 3): return (rig, .seen)
        case ("report", 3): return (rig, .report)
        case ("run", 4): return (rig, .run(String(levels[3])))
        default: return nil
        }
    }
}

/// The name of a rig in topics: letters, digits, `_` and `-` of ASCII, at most 64.
///
/// NATS refuses dots and spaces in topics, and `+`, `#` and `/` have a meaning for every broker.
package struct RigName: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let description: String

    private static let limit = 64

    private static func isAllowed(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "-")
    }

    /// Accepts a valid rig name unchanged; nil for an invalid one.
    package init?(_ text: String) {
        guard 1...Self.limit ~= text.utf8.count, text.allSatisfy(Self.isAllowed) else { return nil }
        description = text
    }

    /// Makes a name of a host's: every other character becomes `_`.
    package init(host: String) {
        let name = String(host.prefix(Self.limit).map { Self.isAllowed($0) ? $0 : "_" })
        description = name.isEmpty ? "_" : name
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.description < rhs.description }
}
