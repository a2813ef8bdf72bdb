/// Receives events on the manager's queue; every member is optional, and those never called on Linux are left out.
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
}
