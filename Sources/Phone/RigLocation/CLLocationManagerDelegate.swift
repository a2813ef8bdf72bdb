/// Who is told of locations and authorizations; every member may be left out.
///
/// Called on the main queue for a manager that the main thread made, else on a serial queue of the manager's own.
public protocol CLLocationManagerDelegate: AnyObject {
    /// The authorization or its accuracy changed, or the delegate was set.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// The same with the status, for code of before iOS 14; called only where the other is left out.
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    /// New positions, the newest last; here each comes by itself.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// No position can be had, for now or for good; the error says why.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// A region is being watched; never on Linux.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
    /// A region was entered; never on Linux.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
    /// A region was left; never on Linux.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
    /// Whether the device is in a region, which is unknown on Linux.
    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
    /// A region cannot be watched.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
    /// Beacons cannot be ranged.
    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error)
}

extension CLLocationManagerDelegate {
    /// Tells it in the older way.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
    /// Nothing.
    public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
    /// Nothing.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    /// Nothing.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    /// Nothing.
    public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}
    /// Nothing.
    public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
    /// Nothing.
    public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
    /// Nothing.
    public func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {}
    /// Nothing.
    public func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {}
    /// Nothing.
    public func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error
    ) {}
}
