extension Service {
    /// Finds the service with a name of any platform or version, such as `DISTRACTION_FREE_DRIVING`, `drivingBehavior`,
    /// `bicycle`, `walking.location` or `dfd`; nil for any other word.
    ///
    /// Case, `_`, `-`, blanks and a leading dot are ignored. A dotted name is a parent's name and a sub-service's.
    public init?(named name: String) {
        guard name.utf8.count <= 64 else { return nil }
        let parts = name.drop { $0 == "." }.split(separator: ".", omittingEmptySubsequences: false)
        let services = parts.map { part in
            let plain = Self.plain(part)
            return Service.allCases.first { $0.names.contains { Self.plain($0) == plain } }
        }
        guard let named = services.last, let service = named else { return nil }
        if services.count > 1 {
            guard services.count == 2, let parent = service.parent, services[0] == parent else { return nil }
        }
        self = service
    }

    /// Returns the name nearest to a word that names no service of the given set.
    public static func suggestion(for word: String, among services: ServiceSet = .all) -> String? {
        let members = services.members
        return Readiness.suggestion(for: word, among: members.map(\.id) + members.flatMap(\.names))
    }

    /// Every name of the service on any platform and version, its own first.
    ///
    /// Spellings that differ only in case, `_`, `-` or blanks are one name. Source: mission model, 1.1 and 1.2.
    public var names: [String] {
        switch self {
        // iOS, Flutter `driving`; Android `Driving`; React Native `DRIVING`.
        case .driving: ["driving"]
        // 1.x `dfd`.
        case .distractionFreeDriving: ["distractionFreeDriving", "dfd"]
        // iOS 2.x has the American spelling; 1.x `behaviour`; seed 002 "DBE".
        case .drivingBehaviour:
            [
                "drivingBehaviour", "drivingBehavior", "behaviour", "behavior", "drivingBehaviourEvents",
                "drivingBehaviorEvents", "dbe",
            ]
        // Seed 000 prints "Device Detection".
        case .deviceDiscovery: ["deviceDiscovery", "deviceDetection", "discovery"]
        // 1.x `bicycle`.
        case .cycling: ["cycling", "bicycle"]
        case .walking: ["walking"]
        // iOS, Android and React Native use only `location`, inside walking.
        case .walkingLocation: ["walkingLocation", "location"]
        case .places: ["places"]
        // 1.x `poi`.
        case .pointsOfInterest: ["pointsOfInterest", "poi"]
        case .publicTransport: ["publicTransport"]
        case .impactDetection: ["impactDetection", "automaticImpactDetection", "impact"]
        case .assistanceCall: ["assistanceCall", "assistance"]
        case .health: ["health", "healthSteps"]
        }
    }

    private static func plain(_ name: some StringProtocol) -> String {
        String(name).lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    }
}
