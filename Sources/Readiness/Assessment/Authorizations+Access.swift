extension Authorizations {
    /// Derives authorizations from the operating system's access alone.
    ///
    /// Only what was checked is allowed or denied; everything else is indeterminate. Location requires access to gpsd,
    /// Bluetooth to bluetoothd, motion and health permission to capture from at least one sensor of the kind.
    package init(access inventory: Inventory) {
        let location = inventory.service(of: .locationReceiver)
        let status: LocationStatus =
            switch location.status {
            case .allowed: .authorizedAlways
            case .denied: .denied
            default: .indeterminate
            }
        self.init(
            location: Authorization(status, evidence: location.evidence, remedies: location.remedies),
            motion: inventory.capture(from: [.accelerometer, .gyroscope], named: "motion sensor"),
            bluetooth: inventory.service(of: .bluetoothAdapter),
            health: inventory.capture(from: [.stepCounter], named: "step counter"))
    }
}

extension Inventory {
    /// Whether this user may connect to the service behind a kind.
    fileprivate func service(of kind: SensorKind) -> Authorization<AuthorizationStatus> {
        let asked = drivers.filter { $0.kinds.contains(kind) }
        if let open = asked.first(where: { $0.access == .readable }) ?? asked.first(where: { $0.access == .denied }) {
            return Authorization(
                open.access == .denied ? .denied : .allowed, evidence: open.accessEvidence?.clause ?? "\(open.name)",
                remedies: open.accessRemedies)
        }
        if let unclear = asked.first(where: { $0.accessEvidence != nil }), let evidence = unclear.accessEvidence {
            let remedies = unclear.accessRemedies.isEmpty ? obstacle(to: [kind])?.remedies : unclear.accessRemedies
            return Authorization(.indeterminate, evidence: "not checked: \(evidence.clause)", remedies: remedies ?? [])
        }
        return unchecked([kind], otherwise: asked.compactMap(\.detail).first ?? "no \(kind.title) was asked")
    }

    /// Whether this user may capture from at least one sensor of the kinds.
    fileprivate func capture(from kinds: [SensorKind], named noun: String) -> Authorization<AuthorizationStatus> {
        let sensors = sensors.filter { kinds.contains($0.kind) && $0.availability != .unavailable(.absent) }
        let readable = sensors.filter { $0.access == .readable }
        // A permanent right says more than one that ends with the seat.
        if let one = readable.first(where: { !$0.isAccessBySeat }) ?? readable.first {
            return Authorization(.allowed, evidence: one.accessEvidence?.clause ?? "\(one.name) may be read")
        }
        // A chip without a driver has no node that could be readable or denied.
        if let unclear = sensors.first(where: {
            $0.access == .unknown && $0.availability != .unavailable(.noDriver)
        }) {
            let evidence = unclear.accessEvidence?.clause ?? unclear.detail.map { "\(unclear.name): \($0)" }
            return Authorization(
                .indeterminate, evidence: "not checked: \(evidence ?? unclear.name)", remedies: unclear.accessRemedies)
        }
        guard let denied = sensors.first(where: { $0.access == .denied }) else {
            let unbound = sensors.first.map { "\($0.name) has no driver, and so no node" }
            return unchecked(kinds, otherwise: unbound ?? "no \(noun) was found")
        }
        return Authorization(
            .denied, evidence: denied.accessEvidence?.clause ?? "\(denied.name) may not be read",
            remedies: denied.accessRemedies)
    }

    private func obstacle(to kinds: [SensorKind]) -> Obstacle? {
        obstacles.first { kinds.contains($0.kind) && $0.cause != .absent }
    }

    private func unchecked(
        _ kinds: [SensorKind], otherwise reason: String
    ) -> Authorization<AuthorizationStatus> {
        let obstacle = obstacle(to: kinds)
        return Authorization(
            .indeterminate, evidence: "not checked: \(obstacle?.detail ?? reason)", remedies: obstacle?.remedies ?? [])
    }
}

extension Evidence {
    /// The path and the text in one clause.
    var clause: String { path.map { said.hasPrefix($0) ? said : "\($0): \(said)" } ?? said }
}
