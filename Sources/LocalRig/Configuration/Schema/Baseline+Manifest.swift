package import Readiness

extension Baseline {
    /// Parses a manifest, a YAML or JSON file as described in `Sources/LocalRig/Configuration/README.md`.
    ///
    /// `rules` take precedence over the file's; services that the rules lack are errors.
    package init(manifest bytes: [UInt8], file: String, rules override: RulesVersion? = nil) throws(ConfigurationError)
    {
        guard let root = try ConfigurationNode(parsing: bytes, file: file) else {
            throw ConfigurationError(
                file: file, line: 1, column: 1, message: "expected a manifest with sensors or services, found nothing")
        }
        let found = try root.mapping(of: "keys of a manifest", keys: [["sensors"], ["services"], ["rules"]])
        guard found["sensors"] != nil || found["services"] != nil else {
            throw root.error("expected sensors or services in a manifest, found neither")
        }
        self.init(.manifest)
        if let node = found["rules"]?.value { rules = try RigConfiguration.version(node) }
        let list = ServiceList(rules: (override ?? rules).map(Rules.init) ?? .newest)
        if let node = found["services"]?.value {
            let named = try list.literal(node)
            asked = named
            services = named.members.reduce(into: [:]) { $0[$1] = .runs }
        }
        if let node = found["sensors"]?.value { try readSensors(node) }
    }

    private mutating func readSensors(_ node: ConfigurationNode) throws(ConfigurationError) {
        // A count has no key.
        var lines: [SensorKind: [String?: Int]] = [:]
        var items: [Item] = []
        for node in try node.list(expected: "a list of sensors") {
            let found = try node.mapping(of: "keys of a sensor", keys: [["key"], ["kind"], ["name"], ["count"]])
            guard let kindNode = found["kind"]?.value else {
                throw node.error("expected kind in the entry of a sensor, found none")
            }
            let expected = "a kind of sensor"
            guard let kind = SensorKind(named: try kindNode.text(expected: expected)) else {
                throw kindNode.unknown(expected: expected, among: SensorKind.allCases.flatMap(\.names))
            }
            if let count = found["count"] {
                for other in [found["key"], found["name"]].compactMap(\.self) {
                    throw other.error("expected either count or key, found \"\(other.key)\" with count")
                }
                counts[kind] = try count.value.integer("a whole number", in: 1...1000)
            } else if let key = found["key"]?.value {
                let name = try found["name"].map { (entry) throws(ConfigurationError) in
                    try entry.value.text(expected: "the chip's name")
                }
                items.append(Item(kind: kind, key: try key.text(expected: "the key of a sensor"), name: name))
            } else {
                throw node.error("expected key or count with kind, found neither")
            }
            let key = found["count"] == nil ? items.last?.key : nil
            if let first = lines[kind, default: [:]].updateValue(node.place.line, forKey: key) {
                throw node.error("expected each sensor once, found it again (first in line \(first))")
            }
        }
        sensors = items
    }
}
