public import Foundation

/// Receives events on the manager's queue; every member is optional, and most that are never called on Linux are left out.
public protocol CLLocationManagerDelegate: AnyObject {
    /// The authorization or its accuracy changed, or the delegate was set.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// The same with the status, for code from before iOS 14; called only if the other is not implemented.
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    /// New positions, the newest last; here always one.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// No position is available, temporarily or permanently; the error gives the reason.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// Whether the device is in a region; always unknown on Linux.
    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
    /// A region cannot be monitored.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
    /// Beacons cannot be ranged.
    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error)
    /// A visit to a place; never on Linux.
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
}

extension CLLocationManagerDelegate {
    /// Calls the older member.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
    /// Ignores the event.
    public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
    /// Ignores the event.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    /// Ignores the event.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    /// Ignores the event.
    public func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {}
    /// Ignores the event.
    public func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {}
    /// Ignores the event.
    public func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error
    ) {}
    /// Ignores the event.
    public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
}

/// When an app may use location: the access to gpsd, narrowed by the user's grant and the system's policy.
///
/// Undecided, also once a permission granted once has expired; restricted by the policy; denied by the user or by the
/// access to gpsd; allowed always, or while the login session is the active one of its seat. Raw values are Apple's.
@nonexhaustive(warn)
public enum CLAuthorizationStatus: Int32, Sendable {
    case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

/// How precisely an app may know the location: as the receiver does, or the centre of a coarse cell, four times an hour.
@nonexhaustive(warn)
public enum CLAccuracyAuthorization: Int, Sendable {
    case fullAccuracy, reducedAccuracy
}

/// The domain of location errors.
public let kCLErrorDomain = "kCLErrorDomain"

/// Why a location service failed; its localized description gives the reason.
///
/// On Linux `error as NSError` gives the bridged error, but `error as? NSError` gives nil.
public struct CLError: CustomNSError, LocalizedError, Hashable, Sendable {
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
    /// The reason in words.
    public let errorDescription: String?
    /// What would fix it.
    public let recoverySuggestion: String?

    /// Creates an error; `userInfo` may give the description by `NSLocalizedDescriptionKey`, and what would fix it by
    /// `NSLocalizedRecoverySuggestionErrorKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(
            code, userInfo[NSLocalizedDescriptionKey] as? String ?? "location: \(code)",
            remedy: userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String)
    }

    init(_ code: Code, _ reason: String, remedy: String?) {
        self.code = code
        errorDescription = reason
        recoverySuggestion = remedy
    }

    /// The domain of bridged errors.
    public static var errorDomain: String { kCLErrorDomain }
    /// The code of the bridged error.
    public var errorCode: Int { code.rawValue }
    /// Reason and remedy, for the bridged error.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: errorDescription, NSLocalizedRecoverySuggestionErrorKey: recoverySuggestion]
            .compactMapValues(\.self)
    }

    /// Codes under their own names, for comparisons such as `catch CLError.denied`.
    public static let locationUnknown = Code.locationUnknown, denied = Code.denied,
        headingFailure = Code.headingFailure, regionMonitoringDenied = Code.regionMonitoringDenied,
        regionMonitoringFailure = Code.regionMonitoringFailure, rangingUnavailable = Code.rangingUnavailable,
        promptDeclined = Code.promptDeclined
}

/// Matches an error by its code, as in `catch CLError.denied`.
public func ~= (code: CLError.Code, error: any Error) -> Bool { (error as? CLError)?.code == code }
