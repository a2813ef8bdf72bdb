/// A value of a property list, with the types that an audit distinguishes.
package enum PropertyList: Sendable, Equatable {
    case text(String)
    case boolean(Bool)
    case list([PropertyList])
    case dictionary([String: PropertyList])
    /// A number, a date or data.
    case other

    /// A description of the value, for messages.
    package var words: String {
        switch self {
        case .text(let text): text.isEmpty ? "an empty text" : "a text"
        case .boolean(let value): value ? "true" : "false"
        case .list: "a list"
        case .dictionary: "a dictionary"
        case .other: "a number, date or data"
        }
    }

    package var text: String? { if case .text(let text) = self { text } else { nil } }

    package var entries: [String: PropertyList]? { if case .dictionary(let entries) = self { entries } else { nil } }
}

extension PropertyList: Decodable {
    /// Decodes any value; its depth is the file's, which the outline has bounded.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let entries = try? container.decode([String: PropertyList].self) {
            self = .dictionary(entries)
        } else if let items = try? container.decode([PropertyList].self) {
            self = .list(items)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else {
            self = .other
        }
    }
}

/// A file that is not a property list, or not in a supported format.
package struct PropertyListError: Error, Sendable, CustomStringConvertible {
    enum PropertyListPlace: Sendable {
        /// The whole file.
        case file
        /// A line and a column of an XML file, both from 1; columns count characters.
        case line(Int, column: Int)
        /// A byte of a binary file, from 0.
        case byte(Int)
    }

    /// The file's name as given by the caller; the parser, which has none, leaves it empty.
    var file = ""
    var place = PropertyListPlace.file
    /// What was expected, and what was found.
    var message: String

    static func at(_ byte: Int, _ message: String) -> Self { Self(place: .byte(byte), message: message) }

    /// The error on one line: `Info.plist:12:3: expected </dict>, found the end of the file`.
    package var description: String {
        switch place {
        case .file: "\(file): \(message)"
        case .line(let line, let column): "\(file):\(line):\(column): \(message)"
        case .byte(let offset): "\(file): byte \(offset): \(message)"
        }
    }
}
