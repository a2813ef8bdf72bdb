import RigLocation
import PhoneSupport

/// A delegate that records its calls.
final class Diary: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var authorizationsTold: [(CLAuthorizationStatus, CLAccuracyAuthorization)] = []
    private var locationsTold: [CLLocation] = []
    private var errorsTold: [any Error] = []
    private var regionsTold: [String] = []

    var statuses: [CLAuthorizationStatus] { lock.withLock { authorizationsTold.map(\.0) } }
    var accuracies: [CLAccuracyAuthorization] { lock.withLock { authorizationsTold.map(\.1) } }
    var locations: [CLLocation] { lock.withLock { locationsTold } }
    var errors: [CLError] { lock.withLock { errorsTold.compactMap { $0 as? CLError } } }
    var codes: [CLError.Code] { errors.map(\.code) }
    var regions: [String] { lock.withLock { regionsTold } }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        lock.withLock { authorizationsTold.append((manager.authorizationStatus, manager.accuracyAuthorization)) }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        lock.withLock { locationsTold += locations }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        lock.withLock { errorsTold.append(error) }
    }

    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        lock.withLock { regionsTold.append("\(region.identifier): \(state)") }
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
        lock.withLock { regionsTold.append("\(region?.identifier ?? "none"): \((error as NSError).code)") }
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        lock.withLock { regionsTold.append("visit: \(visit.arrivalDate) \(visit.coordinate.latitude)") }
    }

    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error
    ) {
        lock.withLock { regionsTold.append("beacons: \((error as NSError).code)") }
    }
}

extension TestRig {
    /// A manager on this rig, with a recording delegate.
    func manager() -> (CLLocationManager, Diary) {
        let diary = Diary()
        let manager = run { CLLocationManager() }
        manager.delegate = diary
        return (manager, diary)
    }
}
