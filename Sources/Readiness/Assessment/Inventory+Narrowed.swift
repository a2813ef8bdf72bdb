extension Inventory {
    /// Returns the inventory with only what the authorizations allow to be shown: no position while location is not
    /// allowed, a coarse one (0.1°) while it is reduced, and no steps while health is not allowed.
    public func narrowed(to authorizations: Authorizations) -> Inventory {
        let status = authorizations.location.status
        let allowed = status == .authorizedAlways || status == .authorizedWhenInUse
        let isExact = allowed && authorizations.accuracy.status == .fullAccuracy
        var copy = self
        for index in copy.sensors.indices {
            if case .steps = copy.sensors[index].reading, authorizations.health.status != .allowed {
                copy.sensors[index].reading = nil
            }
            guard !isExact, case .position(var position) = copy.sensors[index].reading else { continue }
            position.latitude = allowed ? position.latitude.map(coarse) : nil
            position.longitude = allowed ? position.longitude.map(coarse) : nil
            position.altitude = nil
            copy.sensors[index].reading = .position(position)
        }
        return copy
    }

    private func coarse(_ degrees: Double) -> Double { CoarseGrid.nearest(degrees) }
}
