internal import Readiness

/// Parses services in the forms of all platforms: nested, flat, or as the separate lists of 1.x and React Native.
struct ServiceList {
    /// The separate lists: their spellings, and the parent of their sub-services.
    private static let separate: [(names: [String], parent: Service?)] = [
        (["timelineDetectionServices", "timelineDetectionService"], nil),
        (["drivingServices"], .driving),
        (["walkingServices"], .walking),
        (["otherServices"], nil),
    ]

    static var separateKeys: [[String]] { separate.map(\.names) }

    let rules: Rules

    /// Returns the services of a configuration; nil if no key lists any.
    func services(_ found: [String: ConfigurationNode.MappingEntry]) throws(ConfigurationError) -> ServiceSet? {
        let lists = Self.separate.compactMap { list in
            list.names.first.flatMap { found[$0] }.map { (entry: $0, parent: list.parent) }
        }
        guard let first = found["services"] ?? lists.first?.entry else { return nil }
        var reading = Reading()
        if let entry = found["services"] {
            if let other = lists.map(\.entry).min(by: {
                ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column)
            }) {
                throw other.error("expected either services or separate lists, found \"\(other.key)\" too")
            }
            try readNested(entry.value, into: &reading)
        }
        for (entry, parent) in lists {
            for item in try entry.value.list(expected: "a list of services") {
                try reading.add(try service(item, inside: parent, topLevelOnly: true), item)
            }
        }
        guard !reading.named.isEmpty else { throw first.value.error("expected at least one service, found none") }
        return try reading.complete()
    }

    /// Parses a literal list, such as a licence: no sub-service needs its parent there.
    func literal(_ node: ConfigurationNode) throws(ConfigurationError) -> ServiceSet {
        var reading = Reading()
        for item in try node.list(expected: "a list of services") {
            try reading.add(try service(item), item)
        }
        return reading.services
    }

    /// `[driving, driving.dfd]`, `[{driving: [dfd]}]` or `{driving: [dfd]}`.
    private func readNested(_ node: ConfigurationNode, into reading: inout Reading) throws(ConfigurationError) {
        let items = if case .mapping = node.value { [node] } else { try node.list(expected: "a list of services") }
        for item in items {
            if case .mapping(let entries) = item.value {
                for entry in entries { try readParent(entry, into: &reading) }
            } else {
                try reading.add(try service(item), item)
            }
        }
    }

    /// `driving: [distractionFreeDriving]`.
    private func readParent(_ entry: ConfigurationNode.MappingEntry, into reading: inout Reading)
        throws(ConfigurationError)
    {
        let key = ConfigurationNode(value: .scalar(entry.key, quoted: true), place: entry.place, file: entry.value.file)
        let parent = try service(key, topLevelOnly: true)
        try reading.add(parent, key)
        guard !entry.value.isNull else { return }
        for item in try entry.value.list(expected: "a list of sub-services") {
            try reading.add(try service(item, inside: parent), item)
        }
    }

    /// Parses one service by name; a sub-service of `parent` if one is given.
    private func service(
        _ node: ConfigurationNode, inside parent: Service? = nil, topLevelOnly: Bool = false
    ) throws(ConfigurationError) -> Service {
        let children = ServiceSet(Service.allCases.filter { $0.parent == parent })
        let candidates = (parent != nil || topLevelOnly ? children : .all).intersection(rules.services)
        let expected =
            if let parent { "a sub-service of \(parent.id)" } else {
                topLevelOnly ? "the name of a service that is no sub-service" : "a service name"
            }
        guard case .scalar(let name, _) = node.value, !node.isNull else { throw node.error(expected: expected) }
        guard let service = Service(named: name) else {
            throw node.error(expected: expected, suggestion: Service.suggestion(for: name, among: candidates))
        }
        if (parent != nil || topLevelOnly) && service.parent != parent { throw node.error(expected: expected) }
        guard rules.services.contains(service) else {
            let since = Rules.firstVersion(with: service)
            throw node.error("expected a service of rules \(rules.version), found \(node.found) (since \(since))")
        }
        return service
    }
}

/// The services read so far, in order, with what names them.
private struct Reading {
    private(set) var services: ServiceSet = []
    private(set) var named: [(service: Service, node: ConfigurationNode)] = []

    mutating func add(_ service: Service, _ node: ConfigurationNode) throws(ConfigurationError) {
        if let first = named.first(where: { $0.service == service })?.node.place.line {
            throw node.error("expected each service once, found \(service.id) again (first in line \(first))")
        }
        services.insert(ServiceSet(service))
        named.append((service, node))
    }

    /// Returns the services if every sub-service has its parent.
    func complete() throws(ConfigurationError) -> ServiceSet {
        for (service, node) in named {
            guard let parent = service.parent, !services.contains(parent) else { continue }
            throw node.error("expected \(parent.id) with \(service.id), which exists only inside it")
        }
        return services
    }
}
