internal import Readiness

/// When an app may use location.
///
/// The effective status: what the operating system's access to gpsd allows, narrowed by the user's grant and the system's
/// policy. Raw values are Apple's.
@nonexhaustive(warn)
public enum CLAuthorizationStatus: Int32, Sendable {
    /// Nothing is decided yet, or a permission granted once has expired.
    case notDetermined = 0
    /// The system's policy forbids it; the user cannot change that.
    case restricted = 1
    /// The user refused, or the operating system denies this user access to gpsd.
    case denied = 2
    /// Allowed at any time.
    case authorizedAlways = 3
    /// Allowed while the program's login session is the active one of its seat.
    case authorizedWhenInUse = 4

    init(_ status: LocationStatus) {
        self =
            switch status {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .authorizedAlways: .authorizedAlways
            case .authorizedWhenInUse: .authorizedWhenInUse
            }
    }
}

/// How precisely an app may know the location.
@nonexhaustive(warn)
public enum CLAccuracyAuthorization: Int, Sendable {
    /// As precisely as the receiver does.
    case fullAccuracy = 0
    /// The centre of a coarse cell, a few times an hour.
    case reducedAccuracy = 1

    init(_ accuracy: LocationAccuracy) { self = accuracy == .fullAccuracy ? .fullAccuracy : .reducedAccuracy }
}
