internal import Readiness
/// A place in a file: line and column from 1; columns count characters.
package struct SourceLocation: Sendable, Equatable {
    package var line: Int
    package var column: Int
}

/// A value of a YAML or JSON document, with its place.
package struct ConfigurationNode: Sendable, Equatable {
    /// The value; a plain scalar is interpreted by its reader.
    package enum Value: Sendable, Equatable {
        case scalar(String, quoted: Bool)
        case list([ConfigurationNode])
        case mapping([MappingEntry])
    }

    package struct MappingEntry: Sendable, Equatable {
        package var key: String
        package var place: SourceLocation
        package var value: ConfigurationNode
    }

    package var value: Value
    package var place: SourceLocation
    /// The file's name as given by the caller.
    var file: String

    /// Whether it is null: empty, `~` or `null`.
    var isNull: Bool {
        if case .scalar(let text, quoted: false) = value { return ["", "~", "null", "Null", "NULL"].contains(text) }
        return false
    }

    /// A description of the value, for messages.
    package var found: String {
        switch value {
        case _ where isNull: "nothing"
        case .scalar(let text, quoted: _): "\"\(text.brief)\""
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}

extension String {
    /// The text on one line, truncated for a message.
    var brief: String {
        let line = String(prefix(41)).singleLine
        return line.count > 40 ? String(line.prefix(40)) + "…" : line
    }
}
