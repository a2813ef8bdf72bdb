/// What needs hardware or a service that a rig has not: answered with the reason.
extension CLLocationManager {
    private static let regionReason = "regions are not watched on Linux: no service would wake the program"
    private static let beaconReason = "beacons are not ranged on Linux: scanning is out of scope"

    /// False: regions are not watched on Linux.
    public class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { false }

    /// False: beacons are not ranged on Linux.
    public class func isRangingAvailable() -> Bool { false }

    /// False: a rig has no compass that counts.
    public class func headingAvailable() -> Bool { false }

    /// False: without a cell network nothing but the receiver tells of a change.
    public class func significantLocationChangeMonitoringAvailable() -> Bool { false }

    /// None.
    public var monitoredRegions: Set<CLRegion> { [] }

    /// None.
    public var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }

    /// The longest radius that can be watched; negative, since none can.
    public var maximumRegionMonitoringDistance: CLLocationDistance { -1 }

    /// Fails with `regionMonitoringDenied` while location is not allowed always and exactly, else with
    /// `regionMonitoringFailure`; both say why.
    public func startMonitoring(for region: CLRegion) {
        let isAllowed = authorizationStatus == .authorizedAlways && accuracyAuthorization == .fullAccuracy
        let error =
            isAllowed
            ? CLError(.regionMonitoringFailure, Self.regionReason)
            : CLError(.regionMonitoringDenied, "regions need location always, with full accuracy; " + Self.regionReason)
        post.tell { $1.locationManager($0, monitoringDidFailFor: region, withError: error) }
    }

    /// Nothing: none is watched.
    public func stopMonitoring(for region: CLRegion) {}

    /// Unknown.
    public func requestState(for region: CLRegion) {
        post.tell { $1.locationManager($0, didDetermineState: .unknown, for: region) }
    }

    /// Fails with `rangingUnavailable`, which says why.
    public func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        let error = CLError(.rangingUnavailable, Self.beaconReason)
        post.tell { $1.locationManager($0, didFailRangingFor: constraint, error: error) }
    }

    /// Nothing: none is ranged.
    public func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}

    /// Fails with `headingFailure`, which says why.
    public func startUpdatingHeading() { fail(.headingFailure, "there is no heading on Linux: no compass is read") }

    /// Nothing.
    public func stopUpdatingHeading() {}

    /// Fails with `denied`, which says why.
    public func startMonitoringSignificantLocationChanges() {
        fail(.denied, "significant changes are not watched on Linux: only the receiver would tell, which always runs")
    }

    /// Nothing.
    public func stopMonitoringSignificantLocationChanges() {}

    private func fail(_ code: CLError.Code, _ reason: String) {
        let error = CLError(code, reason)
        post.tell { $1.locationManager($0, didFailWithError: error) }
    }
}
