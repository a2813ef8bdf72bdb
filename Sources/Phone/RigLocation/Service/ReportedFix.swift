internal import Foundation
internal import Permissions

#if GPSD
    internal import GPSD
    internal import Readiness
#endif

extension CLLocation {
    #if GPSD
        /// A report with a position; nil for one without, or with an impossible position.
        ///
        /// A receiver that gives no horizontal error is taken to be a kilometre off: more than any app that needs
        /// precise positions accepts, while a negative accuracy would mean that the coordinate is unknown.
        convenience init?(_ report: TPV, arrived: Date) {
            guard report.hasPosition, let latitude = report.latitude,
                let longitude = report.longitude
            else { return nil }
            let altitude = report.fix == .threeDimensional ? report.altitude ?? report.ellipsoidalAltitude : nil
            self.init(
                CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
                altitude: altitude ?? 0,
                ellipsoidalAltitude: report.ellipsoidalAltitude,
                horizontalAccuracy: report.error ?? kCLLocationAccuracyKilometer,
                verticalAccuracy: altitude == nil ? -1 : report.verticalError ?? -1,
                course: report.course ?? -1, courseAccuracy: report.course == nil ? -1 : report.courseError ?? -1,
                speed: report.speed ?? -1, speedAccuracy: report.speed == nil ? -1 : report.speedError ?? -1,
                timestamp: report.time.map(Date.init(timeIntervalSince1970:)) ?? arrived,
                source: CLLocationSourceInformation(
                    softwareSimulationState: report.isSimulated, andExternalAccessoryState: false))
        }

    #endif

    /// The position at reduced accuracy: the centre of its cell, without movement.
    func reduced(by grid: inout CoarseGrid) -> CLLocation {
        let cell = grid.cell(latitude: coordinate.latitude, longitude: coordinate.longitude)
        return CLLocation(
            CLLocationCoordinate2D(latitude: cell.latitude, longitude: cell.longitude),
            horizontalAccuracy: max(
                CoarseGrid.radius(cosine: cos(cell.latitude * .pi / 180)), horizontalAccuracy),
            timestamp: timestamp, source: sourceInformation)
    }
}
