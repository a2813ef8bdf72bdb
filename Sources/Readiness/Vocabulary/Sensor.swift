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

    /// The names that people may write: the identifier of documents, then the words that a report prints.
    package var names: [String] {
        title == id
            ? [id] : [id, title] + (title.contains(" ") ? [title.split(separator: " ").joined(separator: "-")] : [])
    }

    /// The kind with one of these names; nil if there is none.
    package init?(named name: String) {
        guard let kind = Self.allCases.first(where: { $0.names.contains(name) }) else { return nil }
        self = kind
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
public enum Access: String, CaseIterable, Sendable, Hashable, Codable {
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
///
/// A value that is cheap to copy: copies share what they say until one is changed.
public struct Sensor: Sendable, Hashable, Codable {
    private var facts: SharedFacts

    /// The physical place, which is stable across reboots: with `kind` it is the sensor's identity.
    public var key: String {
        get { facts.value.key }
        _modify {
            makeUnique()
            yield &facts.value.key
        }
    }
    /// The kind.
    public var kind: SensorKind {
        get { facts.value.kind }
        _modify {
            makeUnique()
            yield &facts.value.kind
        }
    }
    /// The chip's or receiver's own name.
    public var name: String {
        get { facts.value.name }
        _modify {
            makeUnique()
            yield &facts.value.name
        }
    }
    /// The name of the driver that found it.
    public var driver: String {
        get { facts.value.driver }
        _modify {
            makeUnique()
            yield &facts.value.driver
        }
    }
    /// The kernel's current name, such as `iio:device0`; it is not stable.
    public var path: String? {
        get { facts.value.path }
        _modify {
            makeUnique()
            yield &facts.value.path
        }
    }
    /// The label given by firmware or a person.
    public var label: String? {
        get { facts.value.label }
        _modify {
            makeUnique()
            yield &facts.value.label
        }
    }
    /// Whether it is there and delivers.
    public var availability: Availability {
        get { facts.value.availability }
        _modify {
            makeUnique()
            yield &facts.value.availability
        }
    }
    /// Whether this user may capture from it.
    public var access: Access {
        get { facts.value.access }
        _modify {
            makeUnique()
            yield &facts.value.access
        }
    }
    /// What was observed of `access`; nil if it was not checked.
    public var accessEvidence: Evidence? {
        get { facts.value.accessEvidence }
        _modify {
            makeUnique()
            yield &facts.value.accessEvidence
        }
    }
    /// Whether this user may capture only while at the rig's seat.
    public var isAccessBySeat: Bool {
        get { facts.value.isAccessBySeat }
        _modify {
            makeUnique()
            yield &facts.value.isAccessBySeat
        }
    }
    /// Whether the operating system denied this user the value itself, and not only the capture.
    public var isValueDenied: Bool {
        get { facts.value.isValueDenied }
        _modify {
            makeUnique()
            yield &facts.value.isValueDenied
        }
    }
    /// The evidence for `availability` or `access`, in one clause.
    public var detail: String? {
        get { facts.value.detail }
        _modify {
            makeUnique()
            yield &facts.value.detail
        }
    }
    /// What fixes `availability`: a command, or what to plug in.
    public var remedies: [Remedy] {
        get { facts.value.remedies }
        _modify {
            makeUnique()
            yield &facts.value.remedies
        }
    }
    /// What fixes `access`.
    public var accessRemedies: [Remedy] {
        get { facts.value.accessRemedies }
        _modify {
            makeUnique()
            yield &facts.value.accessRemedies
        }
    }
    /// What was observed.
    public var evidence: [Evidence] {
        get { facts.value.evidence }
        _modify {
            makeUnique()
            yield &facts.value.evidence
        }
    }
    /// The sample; nil if none was read or may be shown.
    public var reading: Reading? {
        get { facts.value.reading }
        _modify {
            makeUnique()
            yield &facts.value.reading
        }
    }

    /// Creates a sensor.
    public init(
        key: String, kind: SensorKind, name: String, driver: String, path: String? = nil, label: String? = nil,
        availability: Availability = .available, access: Access = .unknown, accessEvidence: Evidence? = nil,
        isAccessBySeat: Bool = false, isValueDenied: Bool = false, detail: String? = nil, remedies: [Remedy] = [],
        accessRemedies: [Remedy] = [],
        evidence: [Evidence] = [], reading: Reading? = nil
    ) {
        facts = SharedFacts(
            SensorFacts(
                key: key,
                kind: kind,
                name: name,
                driver: driver,
                path: path,
                label: label,
                availability: availability,
                access: access,
                accessEvidence: accessEvidence,
                isAccessBySeat: isAccessBySeat,
                isValueDenied: isValueDenied,
                detail: detail,
                remedies: remedies,
                accessRemedies: accessRemedies,
                evidence: evidence,
                reading: reading))
    }

    /// Decodes a sensor.
    public init(from decoder: any Decoder) throws { facts = SharedFacts(try SensorFacts(from: decoder)) }

    /// Encodes the sensor as an object of its properties.
    public func encode(to encoder: any Encoder) throws { try facts.value.encode(to: encoder) }

    /// Whether all properties are equal.
    public static func == (one: Sensor, other: Sensor) -> Bool {
        one.facts === other.facts || one.facts.value == other.facts.value
    }

    /// Hashes all properties.
    public func hash(into hasher: inout Hasher) { facts.value.hash(into: &hasher) }

    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&facts) { facts = SharedFacts(facts.value) }
    }

    /// What copies share; it is changed only while one sensor has it.
    private final class SharedFacts: @unchecked Sendable {
        var value: SensorFacts
        init(_ value: SensorFacts) { self.value = value }
    }

    private struct SensorFacts: Sendable, Hashable, Codable {
        var key: String
        var kind: SensorKind
        var name: String
        var driver: String
        var path: String?
        var label: String?
        var availability: Availability
        var access: Access
        var accessEvidence: Evidence?
        var isAccessBySeat: Bool
        var isValueDenied: Bool
        var detail: String?
        var remedies: [Remedy]
        var accessRemedies: [Remedy]
        var evidence: [Evidence]
        var reading: Reading?
    }
}
