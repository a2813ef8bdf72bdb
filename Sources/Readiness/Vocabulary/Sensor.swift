/// The kind of a sensor.
public enum SensorKind: UInt8, CaseIterable, Sendable, Hashable, Codable, Comparable, ReportNamed {
    case accelerometer, gyroscope, stepCounter, bluetoothAdapter, locationReceiver

    /// The text for people, such as "step counter".
    public var title: String {
        switch self {
        // Literals, since this is asked once for each sensor of a rig.
        case .accelerometer: "accelerometer"
        case .gyroscope: "gyroscope"
        case .stepCounter: "step counter"
        case .bluetoothAdapter: "controller"
        case .locationReceiver: "receiver"
        }
    }
}

/// Whether a sensor is there and delivers, within the depth of the probe.
public enum Availability: Sendable, Hashable, Codable {
    case available
    /// Not available; never `restricted`, `denied` or `notDetermined`, which are matters of authorization.
    case unavailable(Cause)

    /// Why it is not available; nil if it is.
    var cause: Cause? { if case .unavailable(let cause) = self { cause } else { nil } }

    /// `available`, or the cause's name.
    public var id: String { cause?.id ?? "available" }
}

/// Whether the user may capture from a sensor, or connect to the service behind it.
public enum Access: String, Sendable, Hashable, Codable {
    case readable, denied, unknown
}

/// The depth of a probe.
public enum Depth: String, CaseIterable, Sendable, Hashable, Codable {
    /// Lists sensors; activates nothing and starts nothing.
    case presence
    /// Queries power and activation; connecting may start gpsd through its socket.
    case state
    /// Reads one sample per sensor; watches gpsd, which opens the receiver.
    case sample
}

/// One accelerometer, gyroscope, step counter, controller or receiver of a rig, as one probe found it.
public struct Sensor: Sendable, Hashable, Codable {
    /// The physical place, which is stable across reboots: with `kind` it is the sensor's identity.
    public var key: String
    /// The kind.
    public var kind: SensorKind
    /// The chip's or receiver's own name.
    public var name: String
    /// The name of the driver that found it.
    public var driver: String
    /// The kernel's current name, such as `iio:device0`; it is not stable.
    public var path: String?
    /// The label given by firmware or a person.
    public var label: String?
    /// Whether it is there and delivers.
    public var availability: Availability
    /// Whether this user may capture from it.
    public var access: Access
    /// What was observed of `access`; nil if it was not checked.
    public var accessEvidence: Evidence?
    /// Whether this user may capture only while at the rig's seat.
    public var isAccessBySeat: Bool
    /// Whether the operating system denied this user the value itself, and not only the capture.
    public var isValueDenied: Bool
    /// The evidence for `availability` or `access`, in one clause.
    public var detail: String?
    /// What fixes `availability`: a command, or what to plug in.
    public var remedies: [Remedy]
    /// What fixes `access`.
    public var accessRemedies: [Remedy]
    /// What was observed.
    public var evidence: [Evidence]
    /// The sample; nil if none was read or may be shown.
    public var reading: Reading?

    /// Creates a sensor.
    public init(
        key: String, kind: SensorKind, name: String, driver: String, path: String? = nil, label: String? = nil,
        availability: Availability = .available, access: Access = .unknown, accessEvidence: Evidence? = nil,
        isAccessBySeat: Bool = false, isValueDenied: Bool = false, detail: String? = nil, remedies: [Remedy] = [],
        accessRemedies: [Remedy] = [],
        evidence: [Evidence] = [], reading: Reading? = nil
    ) {
        self.key = key
        self.kind = kind
        self.name = name
        self.driver = driver
        self.path = path
        self.label = label
        self.availability = availability
        self.access = access
        self.accessEvidence = accessEvidence
        self.isAccessBySeat = isAccessBySeat
        self.isValueDenied = isValueDenied
        self.detail = detail
        self.remedies = remedies
        self.accessRemedies = accessRemedies
        self.evidence = evidence
        self.reading = reading
    }
}
