extension Authorizations {
    /// Derives authorizations from the operating system's access alone.
    ///
    /// Absent hardware does not change an authorization: only an observed refusal denies. Location requires access to
    /// gpsd, Bluetooth access to the management socket, motion and health permission to capture from at least one
    /// sensor of the kind.
    public init(access inventory: Inventory) {
        let location = inventory.service(of: .locationReceiver)
        self.init(
            location: Authorization(
                location.status == .allowed ? .authorizedAlways : .denied, evidence: location.evidence,
                remedies: location.remedies),
            motion: inventory.capture(from: [.accelerometer, .gyroscope]),
            bluetooth: inventory.service(of: .bluetoothAdapter), health: inventory.capture(from: [.stepCounter]))
    }
}

extension Inventory {
    /// Whether this user may connect to the service behind a kind.
    fileprivate func service(of kind: SensorKind) -> Authorization<AuthorizationStatus> {
        let asked = drivers.filter { $0.kinds.contains(kind) }
        let decisive = asked.first { $0.access == .readable } ?? asked.first { $0.access == .denied }
        guard let decisive, let evidence = decisive.accessEvidence else { return Self.unrefused }
        return Authorization(
            decisive.access == .denied ? .denied : .allowed, evidence: evidence.clause,
            remedies: decisive.accessRemedies)
    }

    /// Whether this user may capture from at least one sensor of the kinds.
    fileprivate func capture(from kinds: [SensorKind]) -> Authorization<AuthorizationStatus> {
        // By index, here as elsewhere: a sensor takes longer to copy than to look at.
        let places = sensors.indices.filter {
            kinds.contains(sensors[$0].kind) && sensors[$0].availability != .unavailable(.absent)
        }
        let readable = places.filter { sensors[$0].access == .readable }
        // A permanent right says more than one that ends with the seat.
        if let place = readable.first(where: { !sensors[$0].isAccessBySeat }) ?? readable.first {
            let one = sensors[place]
            return Authorization(.allowed, evidence: one.evidence.first?.clause ?? "\(one.name) may be read")
        }
        // A sensor of unknown access may be readable; a chip without a driver is neither readable nor denied.
        let isUnclear = places.contains {
            sensors[$0].access == .unknown && sensors[$0].availability != .unavailable(.noDriver)
        }
        guard let place = places.first(where: { sensors[$0].access == .denied }), !isUnclear else {
            return Self.unrefused
        }
        let denied = sensors[place]
        return Authorization(
            .denied, evidence: denied.denial?.clause ?? "\(denied.name) may not be read",
            remedies: denied.accessRemedies)
    }

    private static var unrefused: Authorization<AuthorizationStatus> {
        Authorization(.allowed, evidence: "nothing refused this user")
    }
}

extension Evidence {
    /// The path and the text in one clause.
    var clause: String { path.map { said.hasPrefix($0) ? said : "\($0): \(said)" } ?? said }
}
