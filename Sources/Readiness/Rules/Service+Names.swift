extension Service {
    /// Finds the service with a name of any platform or version, such as `DISTRACTION_FREE_DRIVING`, `drivingBehavior`,
    /// `bicycle`, `walking.location` or `dfd`; nil for any other word.
    ///
    /// Case, `_`, `-`, blanks and a leading dot are ignored. A dotted name is a parent's name and a sub-service's. A
    /// short name may follow in parentheses, as in `Points of Interest (POI)`.
    package init?(named name: String) {
        guard name.utf8.count <= 64 else { return nil }
        if name.last == ")", let opening = name.lastIndex(of: "("), let service = Self(named: String(name[..<opening]))
        {
            let short = name[name.index(after: opening)...].dropLast()
            guard Self(named: String(short)) == service else { return nil }
            self = service
            return
        }
        let parts = name.drop { $0 == "." }.split(separator: ".", omittingEmptySubsequences: false)
        let services = parts.map { part in
            let plain = part.plainName
            return Service.allCases.first { $0.names.contains { $0.plainName == plain } }
        }
        switch (services.first, services.last, services.count) {
        case (let service??, _, 1): self = service
        case (let parent??, let service??, 2) where service.parent == parent: self = service
        default: return nil
        }
    }

    /// Returns the name nearest to a word that names no service of the given set.
    package static func suggestion(for word: String, among services: ServiceSet = .all) -> String? {
        let members = services.members
        return Readiness.suggestion(for: word, among: members.map(\.id) + members.flatMap(\.names))
    }

    /// Every name of the service on any platform and version, its own first.
    ///
    /// Spellings that differ only in case, `_`, `-` or blanks are one name. Source: MOVE SDK,
    /// "MoveConfig" of each platform and version.
    package var names: [String] {
        [name] + (Self.aliases[self] ?? [])
    }

    /// The shortest of its names; nil if its own is not longer, and for a location, which is not only walking's.
    package var shortName: String? {
        let own = name
        guard self != .walkingLocation else { return nil }
        return names.filter { $0.count < own.count }.min { $0.count < $1.count }
    }

    private static let aliases: [Service: [String]] = [
        .distractionFreeDriving: ["dfd"],  // 1.x
        // iOS 2.x has the American spelling; 1.x `behaviour`; the 1.x page has "DBE".
        .drivingBehaviour: [
            "drivingBehavior", "behaviour", "behavior", "drivingBehaviourEvents", "drivingBehaviorEvents", "dbe",
        ],
        .deviceDiscovery: ["deviceDetection", "discovery"],  // the page prints "Device Detection"
        .cycling: ["bicycle"],  // 1.x
        .walkingLocation: ["location"],  // iOS, Android and React Native, inside walking
        .pointsOfInterest: ["poi"],  // 1.x
        .publicTransport: ["publicTransportStops"],  // printed as "Public Transport stops"
        .impactDetection: ["automaticImpactDetection", "impact"],
        .assistanceCall: ["assistance"],
        .health: ["healthSteps"],
    ]
}

extension StringProtocol {
    /// The name as it is compared with others that a person types: without case, `_`, `-` and blanks.
    var plainName: String { lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " } }
}
