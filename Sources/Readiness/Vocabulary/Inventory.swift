/// A remark on the rig that changes no verdict.
public struct Notice: Sendable, Hashable, Codable {
    /// The kind of notice.
    public enum ID: String, Sendable, Hashable, Codable, CaseIterable {
        case simulated, inUse, foregroundOnly, superuser, provisional, containerized, duplicateKey, noBluetoothDaemon
        case lowAccuracy, wholeSession, noBackgroundStart, resampleOff, slowSensor, rawValue
        case unreadSameKind, writablePolicy, tooManySensors
        case contradictoryFix, implausibleValue, fewAxes, mirroredMatrix, defaultAddress
    }

    /// The kind of notice.
    public var id: ID
    /// The key of the sensor concerned.
    public var sensor: String?
    /// The notice in one sentence.
    public var detail: String

    /// Creates a notice.
    public init(_ id: ID, sensor: String? = nil, detail: String) {
        self.id = id
        self.sensor = sensor
        self.detail = detail
    }
}

/// Why one kind of sensor could not be searched, or its service not be queried; it belongs to no sensor.
public struct Obstacle: Sendable, Equatable, Codable {
    /// The kind of sensor concerned.
    public var kind: SensorKind
    /// `unreachable`, `softBlocked`, `hardBlocked`, `indeterminate` or another cause of availability.
    public var cause: Cause
    /// The cause in one clause.
    public var detail: String
    /// What fixes it.
    public var remedies: [Remedy]
    /// What was observed.
    public var evidence: [Evidence]
    /// The name of the driver that reported it, set by the probe; nil if unknown.
    public var driver: String?

    /// Creates an obstacle.
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

/// The outcome of one driver in one probe.
public struct DriverReport: Sendable, Equatable, Codable {
    /// The outcome.
    public enum State: String, CaseIterable, Sendable, Hashable, Codable {
        case ok
        /// An error kept it from searching.
        case failed
        /// It, or part of it, was abandoned at the deadline.
        case timedOut
        /// It is not part of this build, or its subsystem is not part of this system.
        case unavailable
    }

    /// The driver's name, such as `iio`.
    public var name: String
    /// The kinds of sensor it looks for.
    public var kinds: [SensorKind]
    /// The outcome.
    public var state: State
    /// The reason if the state is not `ok`.
    public var detail: String?
    /// The duration in milliseconds.
    public var elapsedMilliseconds: Double
    /// Whether this user may connect to what the driver queries (gpsd's socket, the management socket).
    public var access: Access
    /// The evidence for `access`.
    public var accessEvidence: Evidence?
    /// What fixes `access`.
    public var accessRemedies: [Remedy]
    /// What was searched, the evidence for an absence.
    public var searched: Evidence?

    /// Creates a report.
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

/// Everything that one probe found, from all drivers.
public struct Inventory: Sendable, Equatable, Codable {
    /// The depth of the probe.
    public var depth: Depth
    /// The outcome of each driver, in the order of the drivers.
    public var drivers: [DriverReport]
    /// Every sensor, ordered by kind and key.
    public var sensors: [Sensor]
    /// Why kinds of sensor could not be searched.
    public var obstacles: [Obstacle]
    /// Remarks on the rig.
    public var notices: [Notice]

    /// Creates an inventory; sorts the sensors by kind and key.
    public init(
        depth: Depth, drivers: [DriverReport] = [], sensors: [Sensor] = [], obstacles: [Obstacle] = [],
        notices: [Notice] = []
    ) {
        self.depth = depth
        self.drivers = drivers
        self.sensors = sensors.sorted { ($0.kind, $0.key) < ($1.kind, $1.key) }
        self.obstacles = obstacles
        self.notices = notices
    }
}
