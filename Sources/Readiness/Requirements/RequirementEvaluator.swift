/// Evaluates each requirement from what a probe found and what the user may do.
///
/// The depth of the probe is reflected in the sensors: at `presence` a listed motion sensor is available and a listed
/// receiver is unknown. Source: the mapping in `Documentation/architecture.md`.
public struct RequirementEvaluator: Sendable {
    let inventory: Inventory
    let authorizations: Authorizations
    let pins: [SensorKind: String]

    /// Creates an evaluator; `pins` names the sensor under test of a kind by key, or by label if that is unique.
    public init(_ inventory: Inventory, _ authorizations: Authorizations, pins: [SensorKind: String] = [:]) {
        self.inventory = inventory
        self.authorizations = authorizations
        self.pins = pins
    }

    /// Returns the results of the nine requirements, in table order.
    public func results() -> [RequirementResult] {
        let location = location()
        let store = healthStore()
        return [
            location,
            preciseLocation(under: location),
            backgroundLocation(),
            motion(),
            sensor(.gyroscope, for: .gyroscope),
            sensor(.accelerometer, for: .accelerometer),
            bluetooth(),
            store,
            stepsRead(under: store),
        ]
    }

    private func location() -> RequirementResult {
        let sensor = sensor(.locationReceiver, for: .location)
        return refusal(of: authorizations.location, before: sensor) ?? sensor
    }

    private func preciseLocation(under location: RequirementResult) -> RequirementResult {
        if refusal(of: authorizations.location, before: location) != nil {
            return location.repeated(as: .preciseLocation)
        }
        if authorizations.accuracy.status == .reducedAccuracy {
            return RequirementResult(
                .preciseLocation, .unmet, causes: [.reducedAccuracy], detail: "only a coarse location is allowed",
                remedies: authorizations.accuracy.remedies,
                evidence: [Evidence(said: authorizations.accuracy.evidence)])
        }
        return location.status == .met
            ? RequirementResult(.preciseLocation, .met, decidedBy: location.decidedBy)
            : location.repeated(as: .preciseLocation)
    }

    private func backgroundLocation() -> RequirementResult {
        let allowed = RequirementResult(
            .backgroundLocation, .met, evidence: [Evidence(said: authorizations.location.evidence)])
        if var refused = refusal(of: authorizations.location, before: allowed) {
            refused.rootCause = .location
            return refused
        }
        guard authorizations.location.status == .authorizedWhenInUse else { return allowed }
        return RequirementResult(
            .backgroundLocation, .unmet, causes: [.foregroundOnly], detail: "location is allowed only while in use",
            remedies: authorizations.location.remedies, evidence: allowed.evidence)
    }

    private func bluetooth() -> RequirementResult {
        if authorizations.bluetooth.status == .notDetermined {
            return RequirementResult(
                .bluetooth, .unchecked, causes: [.notDetermined],
                detail: "not checked while the authorization for Bluetooth is undecided",
                remedies: authorizations.bluetooth.remedies,
                evidence: [Evidence(said: authorizations.bluetooth.evidence)])
        }
        let sensor = sensor(.bluetoothAdapter, for: .bluetooth)
        return refusal(of: authorizations.bluetooth, before: sensor) ?? sensor
    }

    /// A counter that is there and switched on is a store, whether or not its count may be read.
    private func healthStore() -> RequirementResult {
        var counter = sensor(.stepCounter, for: .healthStore)
        let gone: Set<Cause> = [.absent, .noDriver, .poweredOff, .unreachable, .indeterminate, .inactive]
        if counter.status == .unmet, let cause = counter.cause, !gone.contains(cause) {
            counter.status = .met
            counter.causes = []
            counter.detail = nil
            counter.remedies = []
        }
        return counter
    }

    private func stepsRead(under store: RequirementResult) -> RequirementResult {
        guard store.status == .met else { return store.repeated(as: .stepsRead, root: .healthStore) }
        let counter = sensor(.stepCounter, for: .stepsRead)
        return refusal(of: authorizations.health, before: counter) ?? counter
    }

    private func motion() -> RequirementResult {
        // One that disappeared since it was listed can no longer be captured from.
        let (accelerometers, gyroscopes) = (candidates(.accelerometer), candidates(.gyroscope))
        let sensors = (accelerometers.sensors + gyroscopes.sensors)
            .filter { $0.availability != .unavailable(.absent) }
        let readable = sensors.filter { $0.access == .readable }
        var open = RequirementResult(
            .motion, .met, decidedBy: readable.map(\.key).unique, evidence: readable.flatMap(\.evidence).unique)
        if readable.isEmpty {
            let denied = sensors.filter { $0.access == .denied }
            // A sensor of unknown access leaves the result unknown; a chip without a driver offers nothing to capture
            // from.
            let unclear = sensors.filter { $0.access == .unknown && $0.availability != .unavailable(.noDriver) }
            let obstacles = accelerometers.obstacles + gyroscopes.obstacles
            open = weigh(
                .motion,
                sensors.filter { $0.availability == .unavailable(.noDriver) }.map(UnmetReason.init)
                    + denied.map { UnmetReason($0, cause: .denied) }
                    + unclear.map { UnmetReason($0, cause: .indeterminate) } + obstacles.map(UnmetReason.init),
                of: [.accelerometer, .gyroscope], absent: "no motion sensor was found")
        }
        return refusal(of: authorizations.motion, before: open) ?? open
    }

    /// One available sensor of the kind is enough; otherwise the best one's cause is reported.
    private func sensor(_ kind: SensorKind, for requirement: Requirement) -> RequirementResult {
        let (sensors, obstacles) = candidates(kind)
        let good = sensors.filter { $0.availability == .available }
        guard good.isEmpty else {
            return RequirementResult(
                requirement, .met, decidedBy: good.map(\.key),
                evidence: good.map { Evidence(sensor: $0.key, path: $0.path, said: $0.proof) })
        }
        return weigh(
            requirement, sensors.map(UnmetReason.init) + obstacles.map(UnmetReason.init), of: [kind],
            absent: pins[kind].map { "the pinned \(kind.title) \($0) was not found" } ?? "no \(kind.title) was found")
    }

    /// Returns the sensors that count for a kind, and the obstacles to finding others; a pinned sensor that is there is
    /// the only one.
    private func candidates(_ kind: SensorKind) -> (sensors: [Sensor], obstacles: [Obstacle]) {
        let sensors = inventory.sensors.filter { $0.kind == kind }
        let obstacles = inventory.obstacles.filter { $0.kind == kind }
        guard let pin = pins[kind] else { return (sensors, obstacles) }
        let pinned = inventory.sensor(kind, pinnedAs: pin)
        return pinned.map { ([$0], []) } ?? ([], obstacles)
    }
}

extension Sensor {
    /// Why it counts as available.
    fileprivate var proof: String {
        switch reading {
        case .axes, .steps: "it delivered a sample"
        case .adapter: "it is powered on"
        case .position(let position): "it reported a \(position.fix.rawValue) fix"
        case nil: detail ?? "it is listed"
        }
    }
}
