/// One of the thirteen services that a telematics SDK can run.
///
/// The order is the table's. Source: MOVE SDK, Permissions Handling: Required Permissions; sub-services exist only
/// inside their parent.
public enum Service: UInt8, CaseIterable, Sendable, Hashable, Comparable, ReportNamed {
    case driving, distractionFreeDriving, drivingBehaviour, deviceDiscovery
    case cycling
    case walking, walkingLocation
    case places, pointsOfInterest, publicTransport, impactDetection, assistanceCall, health

    /// The service without which this one cannot run.
    public var parent: Service? {
        switch self {
        case .distractionFreeDriving, .drivingBehaviour, .deviceDiscovery: .driving
        case .walkingLocation: .walking
        default: nil
        }
    }

    /// The stable name in reports and files, such as `driving.distractionFreeDriving`.
    public var id: String {
        switch self {
        case .walkingLocation: "walking.location"
        default: parent.map { "\($0.id).\(name)" } ?? name
        }
    }

    /// The name of the case, such as `walkingLocation`.
    var name: String { Self.caseNames[Int(rawValue)] }

    // In their order: to ask the language for them is slow.
    private static let caseNames = [
        "driving", "distractionFreeDriving", "drivingBehaviour", "deviceDiscovery", "cycling", "walking",
        "walkingLocation", "places", "pointsOfInterest", "publicTransport", "impactDetection", "assistanceCall",
        "health",
    ]
    private static let byID = Dictionary(uniqueKeysWithValues: allCases.map { ($0.id, $0) })

    /// The service of a stable name; nil if there is none.
    public init?(id: String) {
        guard let service = Self.byID[id] else { return nil }
        self = service
    }

    /// The text for people, such as "distraction-free driving".
    public var title: String {
        self == .distractionFreeDriving ? "distraction-free driving" : name.spaced
    }
}

/// A set of services, as a bit mask.
public struct ServiceSet: OptionSet, Sendable, Hashable {
    /// Bit `n` stands for the service with raw value `n`.
    public let rawValue: UInt16

    /// Creates a set from a mask; other bits are dropped.
    public init(rawValue: UInt16) { self.rawValue = rawValue & 0x1fff }

    /// Creates a set of one service.
    public init(_ service: Service) { self.init(rawValue: 1 << service.rawValue) }

    package init(_ services: some Sequence<Service>) {
        self = services.reduce(into: []) { $0.formUnion(ServiceSet($1)) }
    }

    /// All thirteen.
    public static let all = Self(rawValue: 0x1fff)

    /// The members in table order.
    public var members: [Service] { Service.allCases.filter { contains(Self($0)) } }

    /// Whether the service is a member.
    public func contains(_ service: Service) -> Bool { contains(Self(service)) }

    /// The set with the parent of each member added.
    public var withParents: ServiceSet {
        union(ServiceSet(members.compactMap(\.parent)))
    }
}
