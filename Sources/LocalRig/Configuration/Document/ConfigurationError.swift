internal import Readiness
/// A file that cannot be read, or is not valid.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file's name as given by the caller.
    package var file: String
    /// The line, from 1; nil if the error concerns the whole file.
    package var line: Int?
    /// The column in characters, from 1; nil if the error concerns the whole file.
    package var column: Int?
    /// What was expected, and what was found.
    package var message: String
    /// The value probably intended.
    package var suggestion: String?

    /// The error on one line: `rig.yaml:3:5: expected a service name, found "drivng" (did you mean "driving"?)`.
    package var description: String {
        var text = String(file.singleLine.prefix(200))
        if let line, let column { text += ":\(line):\(column)" }
        text += ": " + message
        if let suggestion { text += " (did you mean \"\(suggestion)\"?)" }
        return text
    }
}

extension ConfigurationError {
    init(_ file: String, _ place: SourceLocation, _ message: String, suggestion: String? = nil) {
        self.init(file: file, line: place.line, column: place.column, message: message, suggestion: suggestion)
    }
}
