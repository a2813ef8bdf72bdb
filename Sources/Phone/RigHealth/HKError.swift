internal import DriverKit
public import Foundation
internal import Readiness

/// The domain of this library's errors.
public let HKErrorDomain = "com.apple.healthkit"

/// Why health data is not available, with HealthKit's numbers.
public struct HKError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// The kind of failure.
    @nonexhaustive(warn)
    public enum Code: Int, Sendable {
        /// No other code describes it.
        case unknownError = 0
        /// The rig lists no step counter.
        case errorHealthDataUnavailable = 1
        /// The policy forbids it.
        case errorHealthDataRestricted = 2
        /// An invalid query, or one that is not supported here.
        case errorInvalidArgument = 3
        /// The user's grants or the operating system's access forbid it.
        case errorAuthorizationDenied = 4
        /// Nothing is decided yet; ask first.
        case errorAuthorizationNotDetermined = 5
        /// The counter cannot be read; the description says why.
        case errorDatabaseInaccessible = 6
        /// The question was dismissed without an answer.
        case errorUserCanceled = 7
        /// There is no data for that time.
        case errorNoData = 11
    }

    /// The code.
    public let code: Code
    /// The reason in words.
    public let errorDescription: String?
    /// What would fix it.
    public let recoverySuggestion: String?

    init(_ code: Code, _ description: String, remedy: String? = nil) {
        self.code = code
        errorDescription = description
        recoverySuggestion = remedy
    }

    init(_ error: DriverError) {
        let code: Code =
            switch error.availability {
            case _ where error.isDenied: .errorAuthorizationDenied
            case .unavailable(.absent): .errorHealthDataUnavailable
            default: .errorDatabaseInaccessible
            }
        self.init(code, error.description)
    }

    /// `HKErrorDomain`.
    public static var errorDomain: String { HKErrorDomain }
    /// The code's number.
    public var errorCode: Int { code.rawValue }
    /// Description and remedy, under Foundation's keys.
    public var errorUserInfo: [String: Any] {
        var information: [String: Any] = [:]
        information[NSLocalizedDescriptionKey] = errorDescription
        information[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        return information
    }
}
