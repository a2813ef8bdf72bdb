/// The probe of one rig and its evaluation: the result that every command, library and service shows.
///
/// It is made from an inventory and the user's authorizations; nothing in it is computed again elsewhere.
public struct Assessment: Sendable, Equatable {
    /// The parameters of an evaluation.
    package struct Request: Sendable, Equatable {
        /// The services, the rules, the option flags and the licence.
        package var evaluator: Evaluator
        /// The sensor under test of a kind, as `Inventory.sensor(_:pinnedAs:)` takes it; no other one of it counts.
        package var pins: [SensorKind: String]
        /// What a position must meet to count as precise.
        package var precision: PrecisionCriteria
        /// Whether the status counts a degraded service as failing.
        package var strict: Bool
        /// The findings that count apart.
        package var accepted: [AcceptedFinding]

        /// Creates a request.
        package init(
            _ evaluator: Evaluator, pins: [SensorKind: String] = [:],
            precision: PrecisionCriteria = PrecisionCriteria(), strict: Bool = false,
            accepted: [AcceptedFinding] = []
        ) {
            self.evaluator = evaluator
            self.pins = pins
            self.precision = precision
            self.strict = strict
            self.accepted = accepted
        }
    }

    /// How often a watch reads every sensor again.
    public enum Resampling: Sendable, Equatable {
        /// A single probe, not a watch.
        case none
        /// A watch that reads sensors only on events.
        case off
        /// A watch that reads every sensor again at an interval.
        case every(seconds: Double)
    }

    /// The machine, the user and the time.
    public let rig: RigIdentity
    /// The request.
    package let request: Request
    /// How often a watch reads every sensor again.
    public let resampling: Resampling
    /// What the probe found, with only the readings that the authorizations allow to be shown.
    public private(set) var inventory: Inventory
    /// What the user may do: the operating system's access, narrowed by grants and policy.
    public let authorizations: Authorizations
    /// The nine requirements, in table order.
    public let requirements: [RequirementResult]
    /// The requested services and their parents, in table order.
    public let services: [ServiceResult]
    /// The causes of what is not met, in the order in which to repair them.
    public let rootCauses: [RootCause]
    /// Remarks on the rig that change no verdict, without duplicates, in a fixed order.
    public let notices: [Notice]
    /// The overall status.
    public private(set) var status: ReadinessStatus
    /// The services that do not run only because of accepted findings; they count apart.
    public private(set) var acceptedServices: ServiceSet = []
}

extension Assessment {
    /// Evaluates a probe.
    ///
    /// - Parameters:
    ///   - inventory: What the probe found.
    ///   - rig: The machine, the user and the time.
    ///   - authorizations: What the user may do.
    ///   - request: The parameters of the evaluation.
    ///   - resampling: How often a watch reads every sensor again.
    ///   - isBlind: Whether nothing could be probed, so that not even a service without requirements has a verdict.
    package init(
        _ inventory: Inventory, of rig: RigIdentity, authorizations: Authorizations, request: Request,
        resampling: Resampling = .none, isBlind: Bool = false
    ) {
        self.rig = rig
        self.request = request
        self.resampling = resampling
        self.authorizations = authorizations
        self.inventory = inventory.narrowed(to: authorizations)
        requirements = RequirementEvaluator(
            inventory, authorizations, pins: request.pins, precision: request.precision
        ).results()
        services = request.evaluator.results(for: RequirementStatuses(requirements))
        rootCauses = RootCause.all(of: requirements, for: services, request.evaluator, isBlind: isBlind)
        let session = ServiceSession(request.evaluator, on: RequirementStatuses(requirements))
        notices = Notice.all(
            of: inventory, authorizations, rig, request.evaluator.rules, session, resampling,
            Notice.ofSensors(inventory, requirements, pins: request.pins))
        let raw = request.strict ? Self.rawOnly(requirements, inventory) : []
        func overall(_ services: [ServiceResult]) -> ReadinessStatus {
            services.contains { !$0.required.union($0.optional).isDisjoint(with: raw) }
                ? .notReady : services.status(strict: request.strict)
        }
        status = isBlind ? .undetermined : overall(services)
        guard !request.accepted.isEmpty, !isBlind else { return }
        acceptedServices = servicesWithoutOtherFindings
        status = overall(services.filter { !acceptedServices.contains($0.service) })
    }
}

extension Assessment {
    /// The sensors found, ordered by kind and key.
    public var sensors: [Sensor] { inventory.sensors }

    /// The same with positions rounded to 0.1°, for readers who may not be allowed more.
    package var withCoarsePositions: Assessment {
        var coarse = self
        var authorizations = authorizations
        authorizations.accuracy.status = .reducedAccuracy
        coarse.inventory = inventory.narrowed(to: authorizations)
        return coarse
    }

    /// The exit status of the command for this assessment: 0, 1 or 2.
    public var exitStatus: Int32 { status.rawValue }

    /// Returns the result of a requirement.
    public func result(of requirement: Requirement) -> RequirementResult? {
        requirements.first { $0.requirement == requirement }
    }

    /// The number of requested services, by verdict.
    public var tally: Tally { Tally(services, accepted: acceptedServices) }

    /// The state of the best controller, as Core Bluetooth's `CBManagerState`.
    public var bluetoothState: AdapterReading.State {
        switch authorizations.bluetooth.status {
        case .denied, .restricted: return .unauthorized
        case .notDetermined, .indeterminate: return .unknown
        case .allowed: break
        }
        guard let bluetooth = result(of: .bluetooth) else { return .unknown }
        if bluetooth.status == .met { return .poweredOn }
        let decisive = sensors.filter { $0.kind == .bluetoothAdapter && bluetooth.decidedBy.contains($0.key) }
        for case .adapter(let adapter)? in decisive.map(\.reading)
        where [.resetting, .poweredOff, .unsupported].contains(adapter.state) {
            return adapter.state
        }
        switch bluetooth.cause {
        case .absent, .noDriver: return .unsupported
        case .lowEnergyOff, .poweredOff, .softBlocked, .hardBlocked: return .poweredOff
        default: return .unknown
        }
    }
}

/// The number of requested services, by verdict.
public struct Tally: Sendable, Equatable {
    /// All requested services.
    public var asked = 0
    /// Those that fail, are blocked or are not licensed.
    public var failing = 0
    /// Those whose verdict cannot be determined.
    public var undetermined = 0
    /// Those that run without something optional.
    public var degraded = 0
    /// Services that fail or are degraded only because of accepted findings; not included in the other counts.
    public var accepted = 0

    init(_ services: [ServiceResult], accepted apart: ServiceSet) {
        for service in services where service.asked {
            asked += 1
            if apart.contains(service.service) {
                accepted += 1
                continue
            }
            switch service.verdict {
            case .fails, .blocked, .unauthorized: failing += 1
            case .undetermined: undetermined += 1
            case .degraded: degraded += 1
            case .runs: break
            }
        }
    }
}

extension RequirementResult {
    /// The name in reports, such as `gyroscope`.
    public var id: String { requirement.id }
}

extension ServiceResult {
    /// The name in reports, such as `driving.distractionFreeDriving`.
    public var id: String { service.id }
}

extension Inventory {
    /// Returns the inventory with only what the authorizations allow to be shown: no position while location is not
    /// allowed, a coarse one (0.1°) while it is reduced, and no steps while health is not allowed.
    public func narrowed(to authorizations: Authorizations) -> Inventory {
        let allowed = authorizations.location.status.refusal == nil
        let isExact = allowed && authorizations.accuracy.status == .fullAccuracy
        var copy = self
        for index in copy.sensors.indices {
            if case .steps = copy.sensors[index].reading, authorizations.health.status != .allowed {
                copy.sensors[index].reading = nil
            }
            guard !isExact, case .position(var position) = copy.sensors[index].reading else { continue }
            position.latitude = allowed ? position.latitude.map(CoarseGrid.nearest) : nil
            position.longitude = allowed ? position.longitude.map(CoarseGrid.nearest) : nil
            position.altitude = nil
            copy.sensors[index].reading = .position(position)
        }
        return copy
    }
}
