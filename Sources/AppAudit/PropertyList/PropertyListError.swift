/// A file that is no property list, or none that is read here.
public struct PropertyListError: Error, Sendable, CustomStringConvertible {
    /// Where the fault lies, as far as it is known.
    public enum PropertyListPlace: Sendable {
        /// The whole file.
        case file
        /// A line and a column of an XML file, both from 1; columns count characters.
        case line(Int, column: Int)
        /// A byte of a binary file, from 0.
        case byte(Int)
    }

    /// The file's name as the caller gave it.
    public var file: String
    /// Where the fault lies.
    public var place: PropertyListPlace
    /// What was expected, and what was found.
    public var message: String

    /// Makes an error.
    public init(file: String, place: PropertyListPlace = .file, message: String) {
        self.file = file
        self.place = place
        self.message = message
    }

    /// The error on one line: `Info.plist:12:3: expected </dict>, found the end of the file`.
    public var description: String {
        switch place {
        case .file: "\(file): \(message)"
        case .line(let line, let column): "\(file):\(line):\(column): \(message)"
        case .byte(let offset): "\(file): byte \(offset): \(message)"
        }
    }
}

/// A fault, before it is said of which file.
struct PropertyListFault: Error {
    var place: PropertyListError.PropertyListPlace
    var message: String
}
