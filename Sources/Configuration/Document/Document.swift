/// A YAML 1.1 document, or JSON text, which is one: parsed as a whole, within bounds.
///
/// Anchors, aliases and tags are refused, as are a second document, duplicate keys, keys that are no scalars, and
/// anything beyond a bound, so that no file can expand when parsed.
package struct ConfigurationDocument: Sendable {
    /// The largest file in bytes.
    package static let maximumSize = 1 << 20
    /// The deepest nesting of lists and mappings.
    package static let maximumDepth = 32
    /// The largest number of values and keys.
    package static let maximumNodes = 20_000

    /// The file's name as given by the caller.
    package let file: String
    /// The value; nil if the file is empty, or has only comments.
    package let root: ConfigurationNode?

    /// Parses bytes.
    package init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        self.file = file
        guard bytes.count <= Self.maximumSize else {
            throw ConfigurationError(file: file, message: "expected at most 1 MiB")
        }
        guard !bytes.isEmpty else {
            root = nil
            return
        }
        root = unsafe try bytes.withUnsafeBufferPointer { (buffer) throws(ConfigurationError) -> ConfigurationNode? in
            var builder = unsafe Builder(reader: try EventReader(buffer, file: file), file: file)
            return try builder.root()
        }
    }
}

/// Builds the values from the events of one document.
private struct Builder: ~Copyable {
    var reader: EventReader
    let file: String
    var count = 0

    init(reader: consuming EventReader, file: String) {
        self.reader = reader
        self.file = file
    }

    mutating func root() throws(ConfigurationError) -> ConfigurationNode? {
        var root: ConfigurationNode?
        var documents = 0
        while true {
            let (event, place) = try reader.next()
            switch event {
            case .streamEnd: return root
            case .documentStart:
                documents += 1
                guard documents == 1 else { throw error(place, "expected one document, found a second") }
            case .documentEnd, .other: break
            default: root = try node(event, place, depth: 1)
            }
        }
    }

    private mutating func node(_ event: YAMLEvent, _ place: SourceLocation, depth: Int) throws(ConfigurationError)
        -> ConfigurationNode
    {
        try count(place, depth)
        switch event {
        case .scalar(let text, let quoted): return ConfigurationNode(value: .scalar(text, quoted: quoted), place: place)
        case .listStart: return ConfigurationNode(value: .list(try items(depth)), place: place)
        case .mappingStart: return ConfigurationNode(value: .mapping(try entries(depth)), place: place)
        default: throw error(place, "expected a value")
        }
    }

    private mutating func items(_ depth: Int) throws(ConfigurationError) -> [ConfigurationNode] {
        var items: [ConfigurationNode] = []
        while true {
            let (event, place) = try reader.next()
            if case .listEnd = event { return items }
            items.append(try node(event, place, depth: depth + 1))
        }
    }

    private mutating func entries(_ depth: Int) throws(ConfigurationError) -> [ConfigurationNode.MappingEntry] {
        var entries: [ConfigurationNode.MappingEntry] = []
        var lines: [String: Int] = [:]
        while true {
            let (event, place) = try reader.next()
            if case .mappingEnd = event { return entries }
            guard case .scalar(let key, quoted: _) = event else { throw error(place, "expected a key of one word") }
            try count(place, depth)
            if let first = lines.updateValue(place.line, forKey: key) {
                throw error(place, "expected each key once, found \"\(key.brief)\" again (first in line \(first))")
            }
            let (next, valuePlace) = try reader.next()
            entries.append(
                ConfigurationNode.MappingEntry(
                    key: key, place: place, value: try node(next, valuePlace, depth: depth + 1)))
        }
    }

    private mutating func count(_ place: SourceLocation, _ depth: Int) throws(ConfigurationError) {
        count += 1
        guard count <= ConfigurationDocument.maximumNodes else {
            throw error(place, "expected at most \(ConfigurationDocument.maximumNodes) values")
        }
        guard depth <= ConfigurationDocument.maximumDepth else {
            throw error(place, "expected lists and mappings at most \(ConfigurationDocument.maximumDepth) deep")
        }
    }

    private func error(_ place: SourceLocation, _ message: String) -> ConfigurationError {
        ConfigurationError(file: file, line: place.line, column: place.column, message: message)
    }
}
