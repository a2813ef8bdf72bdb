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
        let world = rig.settings.world
        let client = GPSDClient(
            rig.settings.gpsd, criteria: FixCriteria(maximumAge: .seconds(LocationCenter.patience)))
        _ = client.subscribe { state, report in
            if let location = report.flatMap({ CLLocation($0) }) {
                send(.location(location))
            } else if let reason = state.absence(at: world.now()) {
                send(.unavailable(reason, remedy: state.remedies.words))
            }
        }
        return Worker.start({ client.run(in: world, monitor) }) ? monitor : nil
    #else
        return nil
    #endif
}

#if GPSD
    extension GPSDState {
        /// Why no receiver has a position; nil if one has, or may still report one.
        fileprivate func absence(at now: Instant) -> String? {
            if let failure { return failure }
            guard let since else { return nil }
            let reporting = receivers.filter { receiver in
                guard let latest = receiver.latest, !receiver.isDropped else { return false }
                return latest.at.seconds(to: now) < LocationCenter.patience
            }.compactMap(\.latest?.report)
            if let first = reporting.first {
                return reporting.contains(where: \.hasPosition) ? nil : first.fault ?? "the receiver has no fix"
            }
            if receivers.isEmpty { return "gpsd has no receiver" }
            if let closed = receivers.first(where: \.isDropped), receivers.allSatisfy(\.isDropped) {
                return "gpsd has closed the receiver \(closed.device.path)"
            }
            guard since.seconds(to: now) >= LocationCenter.patience else { return nil }
            return "no receiver has reported for \(Int(LocationCenter.patience)) s"
        }
    }

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
