internal import DriverKit
internal import Foundation
internal import PhoneKit
internal import Readiness

#if GPSD
    internal import GPSD
#endif

/// Reports gpsd's positions, on a thread of its own, until the result is cancelled; nil without a gpsd driver or thread.
func gpsdReports(_ rig: PhoneRig, _ send: @escaping @Sendable (LocationCenter.Event) -> Void) -> ChangeMonitor? {
    #if GPSD
        guard let monitor = try? ChangeMonitor(.sample, onChange: { _ in }) else { return nil }
        let (gpsd, world) = (rig.settings.gpsd, rig.settings.world)
        let isStarted = Worker.start {
            GPSDClient.follow(gpsd, in: world, monitor) { state, message in
                if let location = state.position(in: message).flatMap({ CLLocation($0) }) {
                    send(.location(location))
                } else if let absence = state.absence {
                    send(.unavailable(absence.reason, remedy: absence.remedies.words))
                }
            }
        }
        return isStarted ? monitor : nil
    #else
        return nil
    #endif
}

#if GPSD
    extension CLLocation {
        /// A report with a position; nil for one without, or with an impossible position.
        ///
        /// A receiver that gives no horizontal error is taken to be a kilometre off: more than any app that needs
        /// precise positions accepts, while a negative accuracy would mean that the coordinate is unknown.
        fileprivate convenience init?(_ report: TPV) {
            guard report.hasPosition, let latitude = report.latitude, let longitude = report.longitude else {
                return nil
            }
            let altitude = report.fix == .threeDimensional ? report.altitude ?? report.ellipsoidalAltitude : nil
            self.init(
                coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: altitude ?? 0,
                horizontalAccuracy: report.error ?? kCLLocationAccuracyKilometer,
                verticalAccuracy: altitude == nil ? -1 : report.verticalError ?? -1,
                course: report.course ?? -1, courseAccuracy: report.course == nil ? -1 : report.courseError ?? -1,
                speed: report.speed ?? -1, speedAccuracy: report.speed == nil ? -1 : report.speedError ?? -1,
                timestamp: report.time.map(Date.init(timeIntervalSince1970:)) ?? Date(),
                sourceInfo: CLLocationSourceInformation(
                    softwareSimulationState: report.isSimulated, andExternalAccessoryState: false))
            if let ellipsoidal = report.ellipsoidalAltitude { ellipsoidalAltitude = ellipsoidal }
        }
    }
#endif

extension CLLocation {
    /// The position at reduced accuracy: the centre of its cell, without movement.
    func reduced(by grid: inout CoarseGrid) -> CLLocation {
        let cell = grid.cell(latitude: coordinate.latitude, longitude: coordinate.longitude)
        return CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: cell.latitude, longitude: cell.longitude), altitude: 0,
            horizontalAccuracy: max(CoarseGrid.radius(cosine: cos(cell.latitude * .pi / 180)), horizontalAccuracy),
            verticalAccuracy: -1, timestamp: timestamp, sourceInfo: sourceInformation)
    }
}
