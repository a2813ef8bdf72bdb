/// One sample of a sensor.
public enum Reading: Sendable, Hashable, Codable {
    case axes(AxesReading)
    /// Steps since the counter was last reset.
    case steps(UInt64)
    case adapter(AdapterReading)
    case position(PositionReading)
}

/// A sample of an accelerometer or gyroscope; an axis that the sensor lacks is nil.
public struct AxesReading: Sendable, Hashable, Codable {
    /// The unit of all three axes.
    public enum Unit: String, CaseIterable, Sendable, Hashable, Codable {
        case metresPerSecondSquared = "m/s^2"
        case radiansPerSecond = "rad/s"
        /// The scale could not be read.
        case raw
    }

    /// The axes, after the mount matrix.
    public var x, y, z: Double?
    /// Their unit.
    public var unit: Unit

    /// Creates a sample.
    public init(x: Double?, y: Double?, z: Double?, unit: Unit) {
        self.x = x
        self.y = y
        self.z = z
        self.unit = unit
    }
}

extension AxesReading.Unit {
    /// The SI unit of an accelerometer's or a gyroscope's values.
    package init(of kind: SensorKind) { self = kind == .accelerometer ? .metresPerSecondSquared : .radiansPerSecond }
}

/// Standard gravity, in m/s².
///
/// Source: 3rd General Conference on Weights and Measures, 1901.
package let standardGravity = 9.80665

/// The state of a Bluetooth controller.
public struct AdapterReading: Sendable, Hashable, Codable {
    /// The states of `CBManagerState`, by raw value 0 to 5.
    public enum State: UInt8, Sendable, Hashable, Codable, ReportNamed {
        case unknown, resetting, unsupported, unauthorized, poweredOff, poweredOn
    }

    /// The power state.
    public var state: State
    /// Its device address, such as `00:AA:01:00:00:00`.
    public var address: String?
    /// Whether rfkill blocks it in software; nil without an rfkill entry.
    public var softBlocked: Bool?
    /// Whether a physical switch blocks it; nil without an rfkill entry.
    public var hardBlocked: Bool?
    /// Whether Bluetooth Low Energy is supported and switched on; nil if unknown.
    public var lowEnergy: Bool?

    /// Creates a reading.
    public init(
        state: State, address: String? = nil, softBlocked: Bool? = nil, hardBlocked: Bool? = nil,
        lowEnergy: Bool? = nil
    ) {
        self.state = state
        self.address = address
        self.softBlocked = softBlocked
        self.hardBlocked = hardBlocked
        self.lowEnergy = lowEnergy
    }
}

/// The last report of a location receiver.
public struct PositionReading: Sendable, Hashable, Codable {
    /// The kind of fix.
    public enum Fix: String, Sendable, Hashable, Codable, CaseIterable {
        case none
        case twoDimensional = "2D"
        case threeDimensional = "3D"
    }

    /// How the receiver obtained a fix.
    ///
    /// Source: gpsd_json(5), `status` of a TPV; `STATUS_…` in gpsd's `gps.h`.
    public enum FixKind: String, Sendable, Hashable, Codable, CaseIterable {
        /// By satellites alone.
        case normal
        /// With differential corrections.
        case dgps
        /// By carrier phase, with all ambiguities resolved.
        case rtkFixed
        /// By carrier phase, with ambiguities left.
        case rtkFloat
        /// Extrapolated from speed and heading, without satellites.
        case deadReckoning
        /// Of a receiver that assumes its position and measures time alone.
        case timeOnly
        case simulated
        /// The receiver does not report it, or there is no fix.
        case unknown

        /// Whether the position is assumed or extrapolated instead of measured.
        public var isEstimated: Bool { self == .deadReckoning || self == .timeOnly }
    }

    /// The dimensions of the fix.
    public var fix: Fix
    /// How the receiver obtained it.
    public var fixKind: FixKind
    /// Degrees, WGS 84.
    public var latitude, longitude: Double?
    /// Metres above mean sea level, or above the ellipsoid if the receiver knows only that.
    public var altitude: Double?
    /// Metres, 95 %.
    public var horizontalError: Double?
    /// The number of satellites used.
    public var satellitesUsed: Int?
    /// The number of satellites in view.
    public var satellitesSeen: Int?
    /// The carrier-to-noise density of the strongest satellite, in dB-Hz.
    public var strongestSignal: Double?
    /// The fault of the antenna; nil if the receiver reports none.
    public var antenna: AntennaFault?
    /// Seconds since the fix arrived.
    public var ageSeconds: Double?
    /// Whether the receiver reports that the fix is simulated.
    public var simulated: Bool

    /// Creates a reading.
    public init(
        fix: Fix, fixKind: FixKind = .unknown, latitude: Double? = nil, longitude: Double? = nil,
        altitude: Double? = nil,
        horizontalError: Double? = nil, satellitesUsed: Int? = nil, satellitesSeen: Int? = nil,
        strongestSignal: Double? = nil, antenna: AntennaFault? = nil, ageSeconds: Double? = nil, simulated: Bool = false
    ) {
        self.fix = fix
        self.fixKind = fixKind
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.horizontalError = horizontalError
        self.satellitesUsed = satellitesUsed
        self.satellitesSeen = satellitesSeen
        self.strongestSignal = strongestSignal
        self.antenna = antenna
        self.ageSeconds = ageSeconds
        self.simulated = simulated
    }
}

/// What a location receiver says is wrong with its antenna.
public enum AntennaFault: String, CaseIterable, Sendable, Hashable, Codable {
    /// Nothing is connected.
    case open
    /// It, or its cable, is shorted.
    case shorted
    /// Its power is switched off.
    case off

    /// The fault in a few words.
    public var words: String { "the antenna is \(self == .off ? "switched off" : rawValue)" }
}

/// The criteria that a position must meet.
public struct FixCriteria: Codable, Sendable, Equatable {
    private enum CodingKeys: String, CodingKey {
        case minimumFix = "minFix"
        case ageInSeconds = "maxAge"
        case allowsSimulated = "simulated"
    }

    /// The lowest fix that counts; with `none` any report of the receiver counts.
    public var minimumFix: PositionReading.Fix
    /// As a file states it, which may be any number.
    private var ageInSeconds: Double
    /// Whether a simulated fix counts.
    public var allowsSimulated: Bool

    /// The age beyond which a fix is stale, at most a year.
    public var maximumAge: Duration {
        get { .seconds(min(max(0, ageInSeconds), 86_400 * 365)) }
        set { ageInSeconds = newValue.seconds }
    }

    /// Creates criteria.
    public init(
        minimumFix: PositionReading.Fix = .twoDimensional, maximumAge: Duration = .seconds(10),
        allowsSimulated: Bool = true
    ) {
        self.minimumFix = minimumFix
        self.allowsSimulated = allowsSimulated
        ageInSeconds = maximumAge.seconds
    }
}

extension Duration {
    package var seconds: Double { self / .seconds(1) }
}
