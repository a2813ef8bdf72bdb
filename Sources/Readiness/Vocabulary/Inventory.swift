/// Said of the rig, never of a verdict.
public struct Notice: Sendable, Hashable, Codable {
    /// What is noticed.
    public enum ID: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
        case simulated, inUse, foregroundOnly, superuser, provisional, containerized, duplicateKey, noBluetoothDaemon
        case lowAccuracy, wholeSession, resampleOff

        /// By name.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// What is noticed.
    public var id: ID
    /// The key of the sensor it is said of.
    public var sensor: String?
    /// The notice in one sentence.
    public var detail: String

    /// Makes a notice.
    public init(_ id: ID, sensor: String? = nil, detail: String) {
        self.id = id
        self.sensor = sensor
        self.detail = detail
    }
}

/// Why one kind of sensor could not be looked for, or what serves it could not be asked; it belongs to no sensor.
public struct Obstacle: Sendable, Equatable, Codable {
    /// The kind of sensor that stands behind it.
    public var kind: SensorKind
    /// `unreachable`, `softBlocked`, `hardBlocked`, `indeterminate` or another cause of availability.
    public var cause: Cause
    /// The cause in one clause.
    public var detail: String
    /// What would mend it.
    public var remedies: [Remedy]
    /// What was seen.
    public var evidence: [Evidence]
    /// The name of the driver that met it, which the rig fills in; nil where nobody said.
    public var driver: String?

    /// Makes an obstacle.
    public init(
        kind: SensorKind, cause: Cause, detail: String, remedies: [Remedy] = [], evidence: [Evidence] = [],
        driver: String? = nil
    ) {
        self.kind = kind
        self.cause = cause
        self.detail = detail
        self.remedies = remedies
        self.evidence = evidence
        self.driver = driver
    }
}

/// How one driver fared in one probe.
public struct DriverReport: Sendable, Equatable, Codable {
    /// How it ended.
    public enum State: String, Sendable, Hashable, Codable {
        case ok
        /// It met an error that kept it from looking.
        case failed
        /// It, or part of it, was abandoned at the deadline.
        case timedOut
        /// It is not part of this build, or its subsystem not part of this system.
        case unavailable
    }

    /// The driver's name, such as `iio`.
    public var name: String
    /// The kinds of sensor it looks for.
    public var kinds: [SensorKind]
    /// How it ended.
    public var state: State
    /// Why, where the state is not `ok`.
    public var detail: String?
    /// How long it took, in milliseconds.
    public var elapsedMilliseconds: Double
    /// Whether this user may talk to what the driver asks (gpsd's socket, the management socket).
    public var access: Access
    /// What `access` rests on.
    public var accessEvidence: Evidence?
    /// What would mend `access`.
    public var accessRemedies: [Remedy]
    /// What was gone through, which an absence rests on.
    public var searched: Evidence?

    /// Makes a report.
    public init(
        name: String, kinds: [SensorKind], state: State, detail: String? = nil, elapsedMilliseconds: Double = 0,
        access: Access = .unknown, accessEvidence: Evidence? = nil, accessRemedies: [Remedy] = [],
        searched: Evidence? = nil
    ) {
        self.name = name
        self.kinds = kinds
        self.state = state
        self.detail = detail
        self.elapsedMilliseconds = elapsedMilliseconds
        self.access = access
        self.accessEvidence = accessEvidence
        self.accessRemedies = accessRemedies
        self.searched = searched
    }
}

/// Everything that one probe found, of all drivers.
public struct Inventory: Sendable, Equatable, Codable {
    /// How far the probe went.
    public var depth: Depth
    /// How each driver fared, in the order of the list of drivers.
    public var drivers: [DriverReport]
    /// Every sensor, by kind and key.
    public var sensors: [Sensor]
    /// What kept kinds of sensor from being looked for.
    public var obstacles: [Obstacle]
    /// What is said of the rig.
    public var notices: [Notice]

    /// Makes an inventory; sensors are put in the order of the report.
    public init(
        depth: Depth, drivers: [DriverReport] = [], sensors: [Sensor] = [], obstacles: [Obstacle] = [],
        notices: [Notice] = []
    ) {
        self.depth = depth
        self.drivers = drivers
        // By place: a sensor is much to move at each step of a sort.
        let places = sensors.enumerated().map { (kind: $0.element.kind, key: $0.element.key, index: $0.offset) }
        self.sensors = places.sorted { ($0.kind, $0.key) < ($1.kind, $1.key) }.map { sensors[$0.index] }
        self.obstacles = obstacles
        self.notices = notices
    }
}

extension Inventory {
    /// The sensor of a kind that a pin names: by its key, or by its label where that is unique.
    public func sensor(_ kind: SensorKind, pinnedAs pin: String) -> Sensor? {
        let sensors = sensors.filter { $0.kind == kind }
        if let keyed = sensors.first(where: { $0.key == pin }) { return keyed }
        let labelled = sensors.filter { $0.label == pin }
        return labelled.count == 1 ? labelled.first : nil
    }
}
