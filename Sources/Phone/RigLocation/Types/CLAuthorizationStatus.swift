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
