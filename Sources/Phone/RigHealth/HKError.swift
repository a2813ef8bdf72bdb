internal import DriverKit
public import Foundation
internal import Readiness

/// The domain of this library's errors.
public let HKErrorDomain = "com.apple.healthkit"

/// Why health data could not be had, with HealthKit's numbers.
public struct HKError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// What went wrong.
    @nonexhaustive(warn)
    public enum Code: Int, Sendable {
        /// None of the other codes tells it.
        case unknownError = 0
        /// The rig lists no step counter.
        case errorHealthDataUnavailable = 1
        /// The policy forbids it.
        case errorHealthDataRestricted = 2
        /// A query that makes no sense, or that is not served here.
        case errorInvalidArgument = 3
        /// The user's grants or the operating system's access forbid it.
        case errorAuthorizationDenied = 4
        /// Nobody has decided yet; ask first.
        case errorAuthorizationNotDetermined = 5
        /// The counter cannot be read; the description tells why.
        case errorDatabaseInaccessible = 6
        /// The question was put away without an answer.
        case errorUserCanceled = 7
        /// Nothing is known of the time asked for.
        case errorNoData = 11
    }

    /// What went wrong.
    public let code: Code
    /// The reason in words.
    public let errorDescription: String?
    /// What would mend it.
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
