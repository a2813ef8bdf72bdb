/// A value of a property list, with the types that an audit distinguishes.
public enum PropertyList: Sendable, Equatable {
    case text(String)
    case boolean(Bool)
    case list([PropertyList])
    case dictionary([String: PropertyList])
    /// A number, a date or data.
    case other

    /// A description of the value, for messages.
    public var words: String {
        switch self {
        case .text(let text): text.isEmpty ? "an empty text" : "a text"
        case .boolean(let value): value ? "true" : "false"
        case .list: "a list"
        case .dictionary: "a dictionary"
        case .other: "a number, date or data"
        }
    }

    /// The text, if it is one.
    public var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The entries, if it is a dictionary.
    public var entries: [String: PropertyList]? { if case .dictionary(let entries) = self { entries } else { nil } }
}

extension PropertyList: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Decodes any value; its depth is the file's, which the outline has bounded.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            var entries: [String: PropertyList] = [:]
            for key in container.allKeys {
                entries[key.stringValue] = try container.decode(PropertyList.self, forKey: key)
            }
            self = .dictionary(entries)
        } else if var container = try? decoder.unkeyedContainer() {
            var items: [PropertyList] = []
            while !container.isAtEnd { items.append(try container.decode(PropertyList.self)) }
            self = .list(items)
        } else {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let value = try? container.decode(Bool.self) {
                self = .boolean(value)
            } else {
                self = .other
            }
        }
    }
}
