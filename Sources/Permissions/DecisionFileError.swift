public import Configuration
internal import DriverKit
public import SystemPackage

/// Why a file of decisions could not be read, or a change of it did not happen.
public struct DecisionFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong.
    public let code: DecisionFileErrorCode
    /// The file, as the caller named it.
    public let path: FilePath
    /// What the file should hold.
    public let expected: String

    /// Makes an error.
    public init(_ code: DecisionFileErrorCode, path: FilePath, expected: String) {
        self.code = code
        self.path = path
        self.expected = expected
    }

    /// Whether the file could not be written, and not only read.
    public var isOfWriting: Bool {
        switch code {
        case .unwritable, .busy: true
        case .invalid, .unreadable, .irregular: false
        }
    }

    /// The file, the place in it where there is one, and what was expected.
    public var description: String {
        switch code {
        case .invalid(let error): error.description
        case .unreadable(let errno): "\(path): \(errno.clause); expected \(expected)"
        case .irregular: "\(path): expected a regular file, found a folder, device or pipe"
        case .unwritable(let errno): "\(path): \(errno.clause)"
        case .busy: "\(path): another writer has kept it locked for five seconds"
        }
    }
}

/// What went wrong with a file of decisions.
public enum DecisionFileErrorCode: Sendable, Equatable {
    /// The file does not say what it should.
    case invalid(ConfigurationError)
    /// The file cannot be read.
    case unreadable(Errno)
    /// The new file cannot be written; the old one stands.
    case unwritable(Errno)
    /// It is not a regular file, so it is not replaced.
    case irregular
    /// Another writer kept the lock.
    case busy
}
