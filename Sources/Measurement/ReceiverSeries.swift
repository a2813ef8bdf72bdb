package import Readiness

/// One report of a receiver's position.
package struct PositionReport: Sendable, Hashable {
    /// When it was received, in nanoseconds on a monotonic clock.
    package var time: Int64
    /// The kind of fix.
    package var fix: PositionReading.Fix
    /// WGS 84, in degrees; nil without a fix.
    package var latitude, longitude: Double?
    /// Metres above the ellipsoid; nil if unknown.
    package var altitude: Double?
    /// What the receiver estimates as its horizontal error, in metres; nil if it does not.
    package var horizontalError: Double?
    /// Its speed over ground, in m/s; nil if it reports none.
    package var speed: Double?
    /// The receiver's own time, in seconds of Unix time; nil if it has none.
    package var receiverTime: Double?
    /// The rig's clock at reception, in seconds of Unix time; nil if unknown.
    package var receivedAt: Double?

    /// Creates a report.
    package init(
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
package struct Satellite: Sendable, Hashable {
    /// Its number as the receiver gives it (PRN); nil if unknown.
    package var number: Int?
    /// Degrees above the horizon, and from north to east; nil if unknown.
    package var elevation, azimuth: Double?
    /// Carrier to noise density in dB-Hz; nil for one that is predicted and not received.
    package var signal: Double?
    /// Whether the fix uses it.
    package var isUsed: Bool

    /// Creates a satellite.
    package init(number: Int? = nil, elevation: Double?, azimuth: Double?, signal: Double?, isUsed: Bool) {
        self.number = number
        self.elevation = elevation
        self.azimuth = azimuth
        self.signal = signal
        self.isUsed = isUsed
    }
}

/// One report of the satellites that a receiver sees.
package struct SkyReport: Sendable, Hashable {
    /// When it was received, in nanoseconds on the clock of the positions.
    package var time: Int64
    /// The number of satellites that are tracked or seen.
    package var seen: Int
    /// The number that are used for the fix; nil if unknown.
    package var used: Int?
    /// Carrier to noise density of each used satellite, in dB-Hz.
    package var signals: [Double]
    /// The horizontal dilution of precision; nil if unknown.
    package var horizontalDilution: Double?

    /// Creates a report.
    package init(time: Int64, seen: Int, used: Int?, signals: [Double] = [], horizontalDilution: Double? = nil) {
        self.time = time
        self.seen = seen
        self.used = used
        self.signals = signals
        self.horizontalDilution = horizontalDilution
    }
}

/// The reports of one receiver, in order of arrival.
package struct PositionSeries: Sendable, Equatable {
    /// The sensor's key.
    package let key: String
    /// The receiver's name.
    package let name: String
    /// How the reports were read; `buffer`, since each report comes when the receiver sends it.
    package var method: MeasurementMethod
    /// When the measurement began, in nanoseconds on the clock of the reports.
    package var began: Int64
    /// What ended the capture before its time; nil if nothing did.
    package var fault: String?
    /// By how many seconds the rig's clock was ahead of the receiver's time, as its reader measured at each cycle.
    package var clockDifferences: [Double] = []
    /// When the measurement ended, on the same clock; nil if unknown.
    package var ended: Int64?
    /// The most reports of each of the two that it holds.
    package let capacity: Int
    /// The positions.
    package private(set) var positions: [PositionReport] = []
    /// The skies.
    package private(set) var skies: [SkyReport] = []
    /// The satellites of the last sky that named them.
    package var satellites: [Satellite] = []
    /// The number of reports that came after the series was full.
    package private(set) var dropped = 0

    /// Creates a series without reports.
    package init(
        key: String, name: String, method: MeasurementMethod = .buffer, began: Int64, capacity: Int = 200_000
    ) {
        self.key = key
        self.name = name
        self.method = method
        self.began = began
        self.capacity = capacity
    }

    /// Appends a position; false, and nothing is appended, if the series is full.
    @discardableResult
    package mutating func append(_ report: PositionReport) -> Bool {
        positions.append(report, upTo: capacity, dropped: &dropped)
    }

    /// Appends a sky; false, and nothing is appended, if the series is full.
    @discardableResult
    package mutating func append(_ report: SkyReport) -> Bool {
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
