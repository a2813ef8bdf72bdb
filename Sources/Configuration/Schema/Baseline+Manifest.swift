public import Readiness

extension Baseline {
    /// The largest count in an entry.
    private static let maximumCount = 1000

    /// Parses a manifest, a YAML or JSON file as described in `Sources/Configuration/README.md`.
    ///
    /// `rules` take precedence over the file's; services that the rules lack are errors.
    public init(
        manifest bytes: [UInt8], file: String, rules override: RulesVersion? = nil
    ) throws(ConfigurationError) {
        let document = try ConfigurationDocument(parsing: bytes, file: file)
        guard let root = document.root, !root.isNull else {
            throw ConfigurationError(
                file: file, line: 1, column: 1, message: "expected a manifest with sensors or services, found nothing")
        }
        let found = try document.mapping(root, of: "keys of a manifest", keys: [["sensors"], ["services"], ["rules"]])
        guard found["sensors"] != nil || found["services"] != nil else {
            throw document.error(root.place, "expected sensors or services in a manifest, found neither")
        }
        self.init(.manifest)
        if let node = found["rules"]?.value { rules = try RigConfiguration.version(node, in: document) }
        let list = ServiceList(document: document, rules: (override ?? rules).map(Rules.init) ?? .newest)
        if let node = found["services"]?.value {
            let named = try list.literal(node)
            asked = named
            services = named.members.reduce(into: [:]) { $0[$1] = .runs }
        }
        if let node = found["sensors"]?.value { try readSensors(node, in: document) }
    }

    private mutating func readSensors(_ node: ConfigurationNode, in document: ConfigurationDocument)
        throws(ConfigurationError)
    {
        struct ManifestIdentity: Hashable {
            var kind: SensorKind
            var key: String?
        }
        var lines: [ManifestIdentity: Int] = [:]
        var items: [Item] = []
        for node in try document.list(node, expected: "a list of sensors") {
            let found = try document.mapping(
                node, of: "keys of a sensor", keys: [["key"], ["kind"], ["name"], ["count"]])
            let kind = try Self.kind(found["kind"], of: node, in: document)
            if let count = found["count"] {
                for other in [found["key"], found["name"]].compactMap(\.self) {
                    throw document.error(
                        other.place, "expected either count or key, found \"\(other.key)\" with count")
                }
                counts[kind] = try Self.count(count.value, in: document)
            } else if let key = found["key"]?.value {
                let name = try found["name"].map { (entry) throws(ConfigurationError) in
                    try document.text(entry.value, expected: "the chip's name")
                }
                items.append(
                    Item(kind: kind, key: try document.text(key, expected: "the key of a sensor"), name: name))
            } else {
                throw document.error(node.place, "expected key or count with kind, found neither")
            }
            let identity = ManifestIdentity(kind: kind, key: found["count"] == nil ? items.last?.key : nil)
            if let first = lines.updateValue(node.place.line, forKey: identity) {
                throw document.error(node.place, "expected each sensor once, found it again (first in line \(first))")
            }
        }
        sensors = items
    }

    private static func kind(
        _ entry: ConfigurationNode.MappingEntry?, of node: ConfigurationNode, in document: ConfigurationDocument
    ) throws(ConfigurationError) -> SensorKind {
        guard let value = entry?.value else {
            throw document.error(node.place, "expected kind in the entry of a sensor, found none")
        }
        let expected = "a kind of sensor"
        let name = try document.text(value, expected: expected)
        guard let kind = SensorKind.allCases.first(where: { $0.id == name }) else {
            throw document.error(
                value, expected: expected, suggestion: suggestion(for: name, among: SensorKind.allCases.map(\.id)))
        }
        return kind
    }

    private static func count(_ node: ConfigurationNode, in document: ConfigurationDocument) throws(ConfigurationError)
        -> Int
    {
        let expected = "a whole number from 1 to \(maximumCount)"
        let number = try document.number(node, expected: expected)
        guard let count = Int(exactly: number), (1...maximumCount).contains(count) else {
            throw document.error(node, expected: expected)
        }
        return count
    }
}
