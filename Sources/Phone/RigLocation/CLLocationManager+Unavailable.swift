/// Calls that need hardware or a service that a rig lacks: they fail with the reason.
extension CLLocationManager {
    private static let regionReason = "regions are not monitored on Linux: no service would wake the program"
    private static let beaconReason = "beacons are not ranged on Linux: scanning is out of scope"

    /// False: regions are not monitored on Linux.
    public class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { false }

    /// False: beacons are not ranged on Linux.
    public class func isRangingAvailable() -> Bool { false }

    /// False: no compass is read.
    public class func headingAvailable() -> Bool { false }

    /// False: without a cell network only the receiver reports changes.
    public class func significantLocationChangeMonitoringAvailable() -> Bool { false }

    /// Empty: regions are not monitored.
    public var monitoredRegions: Set<CLRegion> { [] }

    /// Empty: beacons are not ranged.
    public var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }

    /// The longest radius that can be monitored; negative, since none can.
    public var maximumRegionMonitoringDistance: CLLocationDistance { -1 }

    /// Fails with `regionMonitoringDenied` unless location is allowed always and precisely, else with
    /// `regionMonitoringFailure`; both give the reason.
    public func startMonitoring(for region: CLRegion) {
        let isAllowed = authorizationStatus == .authorizedAlways && accuracyAuthorization == .fullAccuracy
        let error =
            isAllowed
            ? CLError(.regionMonitoringFailure, Self.regionReason)
            : CLError(.regionMonitoringDenied, "regions need location always, with full accuracy; " + Self.regionReason)
        post.tell { $1.locationManager($0, monitoringDidFailFor: region, withError: error) }
    }

    /// Does nothing: no region is monitored.
    public func stopMonitoring(for region: CLRegion) {}

    /// Reports an unknown state.
    public func requestState(for region: CLRegion) {
        post.tell { $1.locationManager($0, didDetermineState: .unknown, for: region) }
    }

    /// Fails with `rangingUnavailable` and the reason.
    public func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        let error = CLError(.rangingUnavailable, Self.beaconReason)
        post.tell { $1.locationManager($0, didFailRangingFor: constraint, error: error) }
    }

    /// Does nothing: no beacon is ranged.
    public func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}

    /// Fails with `headingFailure` and the reason.
    public func startUpdatingHeading() { fail(.headingFailure, "there is no heading on Linux: no compass is read") }

    /// Does nothing: headings never start.
    public func stopUpdatingHeading() {}

    /// Fails with `denied` and the reason.
    public func startMonitoringSignificantLocationChanges() {
        fail(.denied, "significant changes are not monitored on Linux: only the receiver reports positions")
    }

    /// Does nothing: significant changes never start.
    public func stopMonitoringSignificantLocationChanges() {}

    private func fail(_ code: CLError.Code, _ reason: String) {
        let error = CLError(code, reason)
        post.tell { $1.locationManager($0, didFailWithError: error) }
    }
}
