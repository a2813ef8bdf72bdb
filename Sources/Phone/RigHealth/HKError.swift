internal import DriverKit
internal import PhoneKit
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

    init(_ code: Code, _ description: String, remedy: String) {
        self.code = code
        errorDescription = description
        recoverySuggestion = remedy
    }

    init(_ error: DriverError, remedy: String) {
        let isAbsent = error.availability == .unavailable(.absent)
        let code: Code = isAbsent ? .errorHealthDataUnavailable : .errorDatabaseInaccessible
        self.init(error.isDenied ? .errorAuthorizationDenied : code, error.description, remedy: remedy)
    }

    /// Why steps may not be read; nil if they may.
    init?(_ state: PhoneState) {
        let health = state.authorizations.health
        let code: Code
        switch health.status {
        // Of a right that could not be checked the reading itself tells, by the kernel's answer.
        case .allowed, .indeterminate: return nil
        case .notDetermined: code = .errorAuthorizationNotDetermined
        case .restricted: code = .errorHealthDataRestricted
        case .denied: code = .errorAuthorizationDenied
        }
        self.init(code, "steps may not be read: \(health.evidence)", remedy: state.remedyForHealth)
    }

    static let noThread = HKError(
        .unknownError, "no thread can be started", remedy: "end other threads of this program")

    static func noCounter(_ state: PhoneState?) -> HKError {
        HKError(
            .errorHealthDataUnavailable, "this rig has no step counter",
            remedy: state?.remedy(for: nil, of: [.healthStore]) ?? "connect one")
    }

    /// `HKErrorDomain`.
    public static var errorDomain: String { HKErrorDomain }
    /// The code's number.
    public var errorCode: Int { code.rawValue }
    /// Description and remedy, under Foundation's keys.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: errorDescription, NSLocalizedRecoverySuggestionErrorKey: recoverySuggestion]
            .compactMapValues(\.self)
    }
}

extension PhoneState {
    /// What would let this program read steps.
    var remedyForHealth: String { authorizations.health.remedies.words ?? remedy(for: nil, of: [.stepsRead]) }
}
