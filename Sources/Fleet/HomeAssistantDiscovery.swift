internal import FoundationEssentials
internal import Readiness

/// The message by which Home Assistant shows a rig as a device: whether it is online, when it was seen last, and for
/// each service whether it runs.
///
/// It is retained, and stays when the rig is offline: the topics that it names tell that. A service is unavailable while
/// the rig is offline; the time that it was seen last expires after three of its intervals, since a broker that dies
/// sends no will. Source: Home Assistant, MQTT integration: MQTT Discovery, Device discovery payload.
struct HomeAssistantDiscovery: Encodable {
    private struct Device: Encodable {
        var identifiers: [String]
        var name: String
        var manufacturer = "RigReady"
        var model = "Rig"
        var swVersion = Release.version
    }

    private struct Component: Encodable {
        var platform: String
        var name: String
        var deviceClass: String
        var uniqueID: String
        var stateTopic: String
        var payloadOn: String?
        var payloadOff: String?
        var availabilityTopic: String?
        var expireAfter: Int?
        var entityCategory: String?
    }

    private var device: Device
    private var origin = ["name": "rigready", "sw_version": Release.version]
    private var components: [String: Component] = [:]

    static let identifierPrefix = "rigready-"

    init(_ rig: RigName, services: [Service]) {
        let identifier = "\(Self.identifierPrefix)\(rig)"
        let state = FleetTopic.state.path(of: rig)
        device = Device(identifiers: [identifier], name: rig.description)
        components["online"] = Component(
            platform: "binary_sensor", name: "Online", deviceClass: "connectivity", uniqueID: "\(identifier)-online",
            stateTopic: state, payloadOn: FleetTopic.online, payloadOff: FleetTopic.offline,
            entityCategory: "diagnostic")
        components["seen"] = Component(
            platform: "sensor", name: "Last seen", deviceClass: "timestamp", uniqueID: "\(identifier)-seen",
            stateTopic: FleetTopic.seen.path(of: rig), expireAfter: 30, entityCategory: "diagnostic")
        for service in services {
            let key = String(service.id.map { $0 == "." ? "-" : $0 })
            components[key] = Component(
                platform: "binary_sensor", name: service.title.prefix(1).uppercased() + service.title.dropFirst(),
                deviceClass: "running", uniqueID: "\(identifier)-\(key)",
                stateTopic: FleetTopic(of: service).path(of: rig), payloadOn: FleetTopic.online,
                payloadOff: FleetTopic.offline, availabilityTopic: state)
        }
    }

    /// The message: equal rigs give equal bytes.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Of properties; what names a component stays as it is.
        encoder.keyEncodingStrategy = .convertToSnakeCase
        // Nothing in it can fail to be encoded.
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }
}
