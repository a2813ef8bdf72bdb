public import Readiness

/// One report of a receiver's position.
public struct PositionReport: Sendable, Hashable {
    /// When it was received, in nanoseconds on a monotonic clock.
    public var time: Int64
    /// The kind of fix.
    public var fix: PositionReading.Fix
    /// WGS 84, in degrees; nil without a fix.
    public var latitude, longitude: Double?
    /// Metres above the ellipsoid; nil if unknown.
    public var altitude: Double?
    /// What the receiver estimates as its horizontal error, in metres; nil if it does not.
    public var horizontalError: Double?
    /// Its speed over ground, in m/s; nil if it tells none.
    public var speed: Double?
    /// The receiver's own time, in seconds of Unix time; nil if it has none.
    public var receiverTime: Double?
    /// The rig's clock at reception, in seconds of Unix time; nil if unknown.
    public var receivedAt: Double?

    /// Creates a report.
    public init(
        time: Int64, fix: PositionReading.Fix, latitude: Double? = nil, longitude: Double? = nil,
        altitude: Double? = nil, horizontalError: Double? = nil, speed: Double? = nil, receiverTime: Double? = nil,
        receivedAt: Double? = nil
    ) {
        self.time = time
        self.fix = fix
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.horizontalError = horizontalError
        self.speed = speed
        self.receiverTime = receiverTime
        self.receivedAt = receivedAt
    }
}

extension PositionReport {
    /// Where it is on the ellipsoid; nil without a fix that has such a place.
    var place: GeographicPlace? {
        guard fix != .none, let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 360 else { return nil }
        return GeographicPlace(latitude: latitude, longitude: longitude)
    }

    /// Whether it has a fix with a place on the ellipsoid.
    package var hasPlace: Bool { place != nil }
}

/// One satellite of a sky.
public struct Satellite: Sendable, Hashable {
    /// Its number as the receiver gives it (PRN); nil if unknown.
    public var number: Int?
    /// Degrees above the horizon, and from north to east; nil if unknown.
    public var elevation, azimuth: Double?
    /// Carrier to noise density in dB-Hz; nil for one that is predicted and not received.
    public var signal: Double?
    /// Whether the fix uses it.
    public var isUsed: Bool

    /// Creates a satellite.
    public init(number: Int? = nil, elevation: Double?, azimuth: Double?, signal: Double?, isUsed: Bool) {
        self.number = number
        self.elevation = elevation
        self.azimuth = azimuth
        self.signal = signal
        self.isUsed = isUsed
    }
}

/// One report of the satellites that a receiver sees.
public struct SkyReport: Sendable, Hashable {
    /// When it was received, in nanoseconds on the clock of the positions.
    public var time: Int64
    /// The number of satellites that are tracked or seen.
    public var seen: Int
    /// The number that are used for the fix; nil if unknown.
    public var used: Int?
    /// Carrier to noise density of each used satellite, in dB-Hz.
    public var signals: [Double]
    /// The horizontal dilution of precision; nil if unknown.
    public var horizontalDilution: Double?

    /// Creates a report.
    public init(time: Int64, seen: Int, used: Int?, signals: [Double] = [], horizontalDilution: Double? = nil) {
        self.time = time
        self.seen = seen
        self.used = used
        self.signals = signals
        self.horizontalDilution = horizontalDilution
    }
}

/// The reports of one receiver, in order of arrival.
public struct PositionSeries: Sendable, Equatable {
    /// The sensor's key.
    public let key: String
    /// The receiver's name.
    public let name: String
    /// How the reports were read; `buffer`, since each report comes when the receiver sends it.
    public var way: MeasurementWay
    /// When the measurement began, in nanoseconds on the clock of the reports.
    public var began: Int64
    /// What ended the capture before its time; nil if nothing did.
    public var fault: String?
    /// By how many seconds the rig's clock was ahead of the receiver's time, as its reader measured at each cycle.
    public var clockDifferences: [Double] = []
    /// When the measurement ended, on the same clock; nil if unknown.
    public var ended: Int64?
    /// The most reports of each of the two that it holds.
    public let capacity: Int
    /// The positions.
    public private(set) var positions: [PositionReport] = []
    /// The skies.
    public private(set) var skies: [SkyReport] = []
    /// The satellites of the last sky that named them.
    public var satellites: [Satellite] = []
    /// The number of reports that came after the series was full.
    public private(set) var dropped = 0

    /// Creates a series without reports.
    public init(
        key: String, name: String, way: MeasurementWay = .buffer, began: Int64, capacity: Int = 200_000
    ) {
        self.key = key
        self.name = name
        self.way = way
        self.began = began
        self.capacity = capacity
    }

    /// Appends a position; false, and nothing is appended, if the series is full.
    @discardableResult
    public mutating func append(_ report: PositionReport) -> Bool {
        positions.append(report, upTo: capacity, dropped: &dropped)
    }

    /// Appends a sky; false, and nothing is appended, if the series is full.
    @discardableResult
    public mutating func append(_ report: SkyReport) -> Bool {
        skies.append(report, upTo: capacity, dropped: &dropped)
    }
}

extension Array {
    /// Appends an element to a series; false, and it is counted instead, if the series is full.
    mutating func append(_ element: Element, upTo capacity: Int, dropped: inout Int) -> Bool {
        guard count < capacity else {
            dropped += 1
            return false
        }
        append(element)
        return true
    }
}
