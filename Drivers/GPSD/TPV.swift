internal import DriverKit
package import Readiness

/// What one TPV object says: a time, position and velocity report.
package struct TPV: Sendable, Equatable {
    /// The device that made it, as gpsd names it; nil where it is not said.
    package var device: String?
    /// 0 not seen, 1 no fix, 2 2D, 3 3D; other numbers are not seen.
    package var mode: Int
    /// The receiver's own time; absent before it knows one.
    package var time: Double?
    /// Degrees and metres as said, not yet judged.
    package var latitude, longitude, altitude: Double?
    /// Metres above the ellipsoid.
    package var ellipsoidalAltitude: Double?
    /// Metres, horizontal.
    package var error: Double?
    /// Metres, vertical.
    package var verticalError: Double?
    /// Metres per second over ground, and their error.
    package var speed, speedError: Double?
    /// Degrees from true north, 0 to 360, and their error.
    package var course, courseError: Double?
    /// Whether the fix is said to be simulated.
    package var isSimulated: Bool

    /// Reads a TPV object; every field may be missing.
    package init(_ object: JSON) {
        device = object["device"]?.line
        let mode = object["mode"]?.integer ?? 0
        self.mode = (0...3).contains(mode) ? mode : 0
        time = object["time"].flatMap { $0.number ?? $0.text.flatMap(secondsSince1970) }
        latitude = object["lat"]?.number
        longitude = object["lon"]?.number
        altitude = (object["altMSL"] ?? object["altHAE"] ?? object["alt"])?.number.flatMap { $0.isFinite ? $0 : nil }
        error = Self.metres(object["eph"])
        if error == nil, let x = Self.metres(object["epx"]), let y = Self.metres(object["epy"]) {
            error = Self.finite((x * x + y * y).squareRoot())
        }
        ellipsoidalAltitude = object["altHAE"]?.number.flatMap(Self.finite)
        verticalError = Self.metres(object["epv"])
        speed = Self.metres(object["speed"])
        speedError = Self.metres(object["eps"])
        course = Self.metres(object["track"]).flatMap { $0 <= 360 ? $0 : nil }
        courseError = Self.metres(object["epd"])
        let status = object["status"]
        isSimulated = status?.integer == 8 || status?.text?.lowercased().includes("simulated") == true
    }

    /// A length, speed or angle that can be one.
    private static func metres(_ value: JSON?) -> Double? {
        value?.number.flatMap(finite).flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }

    /// The kind of fix that counts: a mode without a position is none.
    package var fix: PositionReading.Fix {
        guard latitude != nil, longitude != nil else { return .none }
        return mode == 3 ? .threeDimensional : mode == 2 ? .twoDimensional : .none
    }

    /// What cannot be true of the position; nil where nothing is wrong with it.
    package var fault: String? {
        guard fix != .none, let latitude, let longitude else { return nil }
        if !(latitude.isFinite && abs(latitude) <= 90) { return "latitude \(latitude) is not a place on Earth" }
        if !(longitude.isFinite && abs(longitude) <= 180) { return "longitude \(longitude) is not a place on Earth" }
        return nil
    }

    /// The report in words that give no position away; what cannot be one is told.
    var words: String {
        let kind = ["mode not seen", "mode 1 (no fix)", "mode 2 (2D)", "mode 3 (3D)"][mode]
        let accuracy = error.map { ", horizontal error \(rounded($0)) m" } ?? ""
        return "TPV \(kind)\(accuracy)\(isSimulated ? ", status 8 (simulated)" : "")\(fault.map { ", \($0)" } ?? "")"
    }
}

/// A number with one digit behind the point.
func rounded(_ number: Double) -> String {
    abs(number) < 1e15 ? "\((number * 10).rounded() / 10)" : "\(number)"
}

extension JSON {
    /// The member's words, made safe to show and to compare; nil where it has none.
    var line: String? { text.flatMap { PeerText.line($0.utf8, limit: 256) } }
}
