public import Foundation

/// Calls that need hardware or a service that a rig lacks: they fail with the reason.
extension CLLocationManager {
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
        let need = isAllowed ? "" : "regions need location always, with full accuracy; "
        let error = CLError(
            isAllowed ? .regionMonitoringFailure : .regionMonitoringDenied,
            need + "regions are not monitored on Linux: no service would wake the program",
            remedy: "check isMonitoringAvailable(for:), and compare positions with the region")
        notify { $1.locationManager($0, monitoringDidFailFor: region, withError: error) }
    }

    /// Reports an unknown state.
    public func requestState(for region: CLRegion) {
        notify { $1.locationManager($0, didDetermineState: .unknown, for: region) }
    }

    /// Fails with `rangingUnavailable` and the reason.
    public func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        let error = CLError(
            .rangingUnavailable, "beacons are not ranged on Linux: scanning is out of scope",
            remedy: "check isRangingAvailable()")
        notify { $1.locationManager($0, didFailRangingFor: constraint, error: error) }
    }

    /// Fails with `headingFailure` and the reason.
    public func startUpdatingHeading() {
        let reason = "there is no heading on Linux: no compass is read"
        fail(CLError(.headingFailure, reason, remedy: "check headingAvailable(), and use a position's course"))
    }

    /// Fails with `locationUnknown` and the reason, since it is not available whatever is allowed.
    public func startMonitoringSignificantLocationChanges() { failWithoutNetwork("significant changes are") }

    /// Fails with `locationUnknown` and the reason, since it is not available whatever is allowed.
    public func startMonitoringVisits() { failWithoutNetwork("visits are") }

    private func failWithoutNetwork(_ subject: String) {
        let reason = "\(subject) unavailable on Linux: only the receiver reports positions"
        fail(CLError(.locationUnknown, reason, remedy: "use startUpdatingLocation()"))
    }

    // MARK: Without effect, since nothing was started

    /// Does nothing: no region is monitored.
    public func stopMonitoring(for region: CLRegion) {}
    /// Does nothing: no beacon is ranged.
    public func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}
    /// Does nothing: headings never start.
    public func stopUpdatingHeading() {}
    /// Does nothing: significant changes never start.
    public func stopMonitoringSignificantLocationChanges() {}
    /// Does nothing: visits never start.
    public func stopMonitoringVisits() {}
}

/// A visit to a place; on Linux there is none, but code for a phone names the type.
open class CLVisit: NSObject, @unchecked Sendable {
    /// The times of arrival and departure; the distant past and future if unknown.
    public let arrivalDate = Date.distantPast, departureDate = Date.distantFuture
    /// The place.
    public let coordinate = kCLLocationCoordinate2DInvalid
    /// The error of the coordinate in metres.
    public let horizontalAccuracy: CLLocationAccuracy = -1

    private override init() {}
}
