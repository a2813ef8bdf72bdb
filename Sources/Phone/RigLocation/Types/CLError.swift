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
        case network = 2, headingFailure, regionMonitoringDenied, regionMonitoringFailure
        case regionMonitoringSetupDelayed = 6, regionMonitoringResponseDelayed
        case geocodeFoundNoResult = 8, geocodeFoundPartialResult, geocodeCanceled
        case deferredFailed = 11, deferredNotUpdatingLocation, deferredAccuracyTooLow, deferredDistanceFiltered
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

    /// Codes under their own names, for comparisons such as `catch CLError.denied`.
    public static let locationUnknown = Code.locationUnknown, denied = Code.denied,
        headingFailure = Code.headingFailure, regionMonitoringDenied = Code.regionMonitoringDenied,
        regionMonitoringFailure = Code.regionMonitoringFailure, rangingUnavailable = Code.rangingUnavailable,
        promptDeclined = Code.promptDeclined
}

/// Matches an error by its code, as in `catch CLError.denied`.
public func ~= (code: CLError.Code, error: any Error) -> Bool { (error as? CLError)?.code == code }
