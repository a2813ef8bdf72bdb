extension ConfigurationNode {
    static let maximumSize = 1 << 20
    static let maximumDepth = 32
    static let maximumNodes = 20_000

    /// Parses a YAML 1.1 document, or JSON text, which is one, as a whole; nil if it is empty or null.
    ///
    /// Anchors, aliases and tags are refused, as are a second document, duplicate keys, keys that are no scalars, and
    /// anything beyond a bound, so that no file can expand when parsed.
    package init?(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        guard bytes.count <= Self.maximumSize else {
            throw ConfigurationError(file: file, message: "expected at most 1 MiB")
        }
        guard !bytes.isEmpty else { return nil }
        let root = unsafe try bytes.withUnsafeBufferPointer {
            (buffer) throws(ConfigurationError) -> ConfigurationNode? in
            var reader = unsafe try EventReader(buffer, file: file)
            return try reader.root()
        }
        guard let root, !root.isNull else { return nil }
        self = root
    }
}

/// Builds the values from the events of one document.
extension EventReader {
    mutating func root() throws(ConfigurationError) -> ConfigurationNode? {
        var root: ConfigurationNode?
        var documents = 0
        while true {
            let (event, place) = try next()
            switch event {
            case .end: return root
            case .documentStart:
                documents += 1
                guard documents == 1 else { throw error(place, "expected one document, found a second") }
            case .other: break
            default: root = try node(event, place, depth: 1)
            }
        }
    }

    private mutating func node(_ event: YAMLEvent, _ place: SourceLocation, depth: Int) throws(ConfigurationError)
        -> ConfigurationNode
    {
        try count(place, depth)
        switch event {
        case .scalar(let text, let quoted):
            return ConfigurationNode(value: .scalar(text, quoted: quoted), place: place, file: file)
        case .listStart: return ConfigurationNode(value: .list(try items(depth)), place: place, file: file)
        case .mappingStart: return ConfigurationNode(value: .mapping(try entries(depth)), place: place, file: file)
        default: throw error(place, "expected a value")
        }
    }

    private mutating func items(_ depth: Int) throws(ConfigurationError) -> [ConfigurationNode] {
        var items: [ConfigurationNode] = []
        while true {
            let (event, place) = try next()
            if case .end = event { return items }
            items.append(try node(event, place, depth: depth + 1))
        }
    }

    private mutating func entries(_ depth: Int) throws(ConfigurationError) -> [ConfigurationNode.MappingEntry] {
        var entries: [ConfigurationNode.MappingEntry] = []
        var lines: [String: Int] = [:]
        while true {
            let (event, place) = try next()
            if case .end = event { return entries }
            guard case .scalar(let key, quoted: _) = event else { throw error(place, "expected a key of one word") }
            try count(place, depth)
            if let first = lines.updateValue(place.line, forKey: key) {
                throw error(place, "expected each key once, found \"\(key.brief)\" again (first in line \(first))")
            }
            let (content, contentPlace) = try next()
            entries.append(
                ConfigurationNode.MappingEntry(
                    key: key, place: place, value: try node(content, contentPlace, depth: depth + 1)))
        }
    }

    private mutating func count(_ place: SourceLocation, _ depth: Int) throws(ConfigurationError) {
        count += 1
        guard count <= ConfigurationNode.maximumNodes else {
            throw error(place, "expected at most \(ConfigurationNode.maximumNodes) values")
        }
        guard depth <= ConfigurationNode.maximumDepth else {
            throw error(place, "expected lists and mappings at most \(ConfigurationNode.maximumDepth) deep")
        }
    }
}
