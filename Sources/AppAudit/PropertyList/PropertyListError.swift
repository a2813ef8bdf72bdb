/// A file that is not a property list, or not in a supported format.
public struct PropertyListError: Error, Sendable, CustomStringConvertible {
    /// The place of the error, if known.
    public enum PropertyListPlace: Sendable {
        /// The whole file.
        case file
        /// A line and a column of an XML file, both from 1; columns count characters.
        case line(Int, column: Int)
        /// A byte of a binary file, from 0.
        case byte(Int)
    }

    /// The file's name as given by the caller.
    public var file: String
    /// The place of the error.
    public var place: PropertyListPlace
    /// What was expected, and what was found.
    public var message: String

    /// Creates an error.
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

/// An error without the name of its file.
struct PropertyListFault: Error {
    var place: PropertyListError.PropertyListPlace
    var message: String
}
