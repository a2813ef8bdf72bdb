public import Configuration
internal import DriverKit
public import SystemPackage

/// Why a file of decisions could not be read or changed.
public struct DecisionFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    public let code: DecisionFileErrorCode
    /// The file, as given by the caller.
    public let path: FilePath
    /// The expected contents.
    public let expected: String

    /// Creates an error.
    public init(_ code: DecisionFileErrorCode, path: FilePath, expected: String) {
        self.code = code
        self.path = path
        self.expected = expected
    }

    /// Whether writing failed, and not reading.
    public var isOfWriting: Bool {
        switch code {
        case .unwritable, .busy: true
        case .invalid, .unreadable, .irregular: false
        }
    }

    /// The file, the place in it if known, and what was expected.
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

/// The kinds of errors of a file of decisions.
public enum DecisionFileErrorCode: Sendable, Equatable {
    /// The contents are not valid.
    case invalid(ConfigurationError)
    /// The file cannot be read.
    case unreadable(Errno)
    /// The new file cannot be written; the old one is unchanged.
    case unwritable(Errno)
    /// It is not a regular file, so it is not replaced.
    case irregular
    /// Another writer holds the lock.
    case busy
}
