public import Foundation

/// The domain of location errors.
public let kCLErrorDomain = "kCLErrorDomain"

/// Why a location service failed; its localized description gives the reason.
///
/// On Linux `error as NSError` gives the bridged error, but `error as? NSError` gives nil.
public struct CLError: Error, CustomNSError, Hashable, Sendable {
    /// The kind of failure, with Apple's raw values.
    @nonexhaustive(warn)
    public enum Code: Int, Sendable {
        /// There is no location now; one may follow.
        case locationUnknown = 0
        /// Access is denied.
        case denied = 1
        case network = 2
        case headingFailure = 3
        case regionMonitoringDenied = 4
        case regionMonitoringFailure = 5
        case regionMonitoringSetupDelayed = 6
        case regionMonitoringResponseDelayed = 7
        case geocodeFoundNoResult = 8
        case geocodeFoundPartialResult = 9
        case geocodeCanceled = 10
        case deferredFailed = 11
        case deferredNotUpdatingLocation = 12
        case deferredAccuracyTooLow = 13
        case deferredDistanceFiltered = 14
        case deferredCanceled = 15
        /// Beacons cannot be ranged.
        case rangingUnavailable = 16
        case rangingFailure = 17
        /// No temporary authorization was requested, or it could not be.
        case promptDeclined = 18
    }

    /// The kind.
    public var code: Code
    private var reason: String

    /// Creates an error; `userInfo` may give the description by `NSLocalizedDescriptionKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code, userInfo[NSLocalizedDescriptionKey] as? String ?? "location: \(code)")
    }

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The domain of bridged errors.
    public static var errorDomain: String { kCLErrorDomain }
    /// The code of the bridged error.
    public var errorCode: Int { code.rawValue }
    /// The reason, for the bridged error.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: reason] }
    /// The reason in words.
    public var localizedDescription: String { reason }

    /// The code of the same name, for comparisons.
    public static var locationUnknown: Code { .locationUnknown }
    /// The code of the same name, for comparisons.
    public static var denied: Code { .denied }
    /// The code of the same name, for comparisons.
    public static var headingFailure: Code { .headingFailure }
    /// The code of the same name, for comparisons.
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    /// The code of the same name, for comparisons.
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    /// The code of the same name, for comparisons.
    public static var rangingUnavailable: Code { .rangingUnavailable }
    /// The code of the same name, for comparisons.
    public static var promptDeclined: Code { .promptDeclined }
}

/// Matches an error by its code, as in `catch CLError.denied`.
public func ~= (code: CLError.Code, error: any Error) -> Bool { (error as? CLError)?.code == code }
