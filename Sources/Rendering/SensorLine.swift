public import Readiness

/// A sensor in the names of the contract.
public struct SensorLine: Codable, Sendable {
    /// The stable key.
    public var key: String
    /// The kind, such as `accelerometer`.
    public var kind: String
    /// The chip's or receiver's own name.
    public var name: String
    /// The name of RigReady's driver.
    public var driver: String
    /// The kernel's current name, such as `iio:device0`.
    @Nullable public var path: String?
    /// The label given by firmware or a person.
    @Nullable public var label: String?
    /// `available` or a cause.
    public var availability: String
    /// `readable`, `denied` or `unknown`.
    public var access: String
    /// The evidence for the availability or access, in one clause.
    @Nullable public var detail: String?
    /// The sample.
    @Nullable public var reading: ReadingLine?

    /// Creates the line of a sensor.
    public init(_ sensor: Sensor) {
        key = sensor.key
        kind = sensor.kind.id
        name = sensor.name
        driver = sensor.driver
        path = sensor.path
        label = sensor.label
        availability = sensor.availability.id
        access = sensor.access.rawValue
        detail = sensor.detail
        reading = sensor.reading.map(ReadingLine.init)
    }
}

/// A reading in the names of the contract, with different keys for each kind.
public enum ReadingLine: Codable, Sendable {
    /// A sample of an accelerometer or gyroscope.
    case axes(Axes)
    /// The count of a step counter.
    case steps(Steps)
    /// The state of a Bluetooth controller.
    case adapter(Adapter)
    /// The report of a location receiver.
    case position(Position)

    /// Three axes; null for an axis that the sensor lacks.
    public struct Axes: Codable, Sendable {
        /// Along the device's x axis.
        @Nullable public var x: Double?
        /// Along the device's y axis.
        @Nullable public var y: Double?
        /// Along the device's z axis.
        @Nullable public var z: Double?
        /// `m/s^2`, `rad/s` or `raw`.
        public var unit: String
    }
    /// A count of steps.
    public struct Steps: Codable, Sendable {
        /// Steps since the counter was reset.
        public var steps: UInt64
    }
    /// The state of a Bluetooth controller.
    public struct Adapter: Codable, Sendable {
        /// The state, as `CBManagerState`.
        public var state: String
        /// The device address.
        @Nullable public var address: String?
        /// Whether rfkill blocks it in software.
        @Nullable public var softBlocked: Bool?
        /// Whether a switch blocks it.
        @Nullable public var hardBlocked: Bool?
        /// Whether Bluetooth Low Energy is on.
        @Nullable public var lowEnergy: Bool?
    }
    /// A position.
    public struct Position: Codable, Sendable {
        /// `none`, `2D` or `3D`.
        public var fix: String
        /// How the receiver obtained the fix, such as `normal`, `dgps` or `deadReckoning`; `unknown` if it says nothing.
        public var fixKind: String
        /// Degrees north.
        @Nullable public var latitude: Double?
        /// Degrees east.
        @Nullable public var longitude: Double?
        /// Metres above mean sea level.
        @Nullable public var altitude: Double?
        /// Metres, 95 %.
        @Nullable public var horizontalError: Double?
        /// The number of satellites used.
        @Nullable public var satellitesUsed: Int?
        /// The number of satellites in view.
        @Nullable public var satellitesSeen: Int?
        /// The signal of the strongest satellite, in dB-Hz.
        @Nullable public var strongestSignal: Double?
        /// The antenna's fault: `open`, `shorted` or `off`.
        @Nullable public var antenna: String?
        /// Seconds since the fix arrived.
        @Nullable public var ageSeconds: Double?
        /// Whether the fix is simulated.
        public var simulated: Bool
    }

    init(_ reading: Reading) {
        self =
            switch reading {
            case .axes(let axes):
                .axes(Axes(x: axes.x?.rounded9, y: axes.y?.rounded9, z: axes.z?.rounded9, unit: axes.unit.rawValue))
            case .steps(let steps): .steps(Steps(steps: steps))
            case .adapter(let adapter):
                .adapter(
                    Adapter(
                        state: adapter.state.id, address: adapter.address, softBlocked: adapter.softBlocked,
                        hardBlocked: adapter.hardBlocked, lowEnergy: adapter.lowEnergy))
            case .position(let position):
                .position(
                    Position(
                        fix: position.fix.rawValue, fixKind: position.fixKind.rawValue, latitude: position.latitude,
                        longitude: position.longitude,
                        altitude: position.altitude, horizontalError: position.horizontalError,
                        satellitesUsed: position.satellitesUsed, satellitesSeen: position.satellitesSeen,
                        strongestSignal: position.strongestSignal, antenna: position.antenna?.rawValue,
                        ageSeconds: position.ageSeconds.map { ($0 * 1000).rounded() / 1000 },
                        simulated: position.simulated))
            }
    }

    /// Decodes the kind by its keys.
    public init(from decoder: any Decoder) throws {
        if let axes = try? Axes(from: decoder) {
            self = .axes(axes)
        } else if let steps = try? Steps(from: decoder) {
            self = .steps(steps)
        } else if let adapter = try? Adapter(from: decoder) {
            self = .adapter(adapter)
        } else {
            self = .position(try Position(from: decoder))
        }
    }

    /// Encodes the keys of the kind.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .axes(let axes): try axes.encode(to: encoder)
        case .steps(let steps): try steps.encode(to: encoder)
        case .adapter(let adapter): try adapter.encode(to: encoder)
        case .position(let position): try position.encode(to: encoder)
        }
    }
}

extension Double {
    /// The number rounded to nine decimals, which is beyond the precision of any sensor.
    fileprivate var rounded9: Double { abs(self) < 1e6 ? (self * 1e9).rounded() / 1e9 : self }
}
