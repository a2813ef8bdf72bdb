internal import DriverKit
package import Measurement
package import Readiness

/// One line from gpsd, with the fields used here.
///
/// Only `class` decides what it is, never the protocol version, which has decreased more than once.
package enum Message: Sendable, Equatable {
    /// gpsd's release, such as "3.22".
    case version(release: String)
    case devices([GPSDDevice])
    case device(GPSDDevice)
    case report(TPV)
    case sky(device: String?, Sky)
    case inertial(InertialReport)
    /// What gpsd remembers: its own time, and the last report and sky of each active device.
    case poll(time: Double?, [Message])
    /// By how many seconds the machine's clock is ahead of a receiver's time.
    case clock(device: String?, difference: Double)
    case error(String)
    case other(String)

    package struct GPSDDevice: Sendable, Equatable {
        /// The path or URL that gpsd uses for it.
        package var path: String
        package var isActive: Bool
        /// gpsd's time of its last packet, or of its opening if none came yet; nil if it is not open.
        package var activated: Double?
        /// The type of receiver, once packets were recognised.
        package var driver: String?
        /// What the receiver reports about itself.
        package var subtype: String?
        /// Kinds of packet seen: 1 positions, 2 and 4 corrections (RTCM 2 and 3), 8 ship reports (AIS); nil before any.
        package var flags: Int?
        package var cycle: Double?
        /// Whether its type or its firmware has an inertial unit.
        var hasInertialUnit: Bool

        /// Reads a DEVICE object; nil without a path.
        init?(_ object: JSON) {
            guard let path = object["path"]?.line else { return nil }
            self.path = path
            // A time as text; a number in older releases, and 0 in the notice of closing.
            activated = object["activated"]?.seconds
            isActive = object["activated"].map { $0.number != 0 && $0 != .null } ?? false
            driver = object["driver"]?.line
            subtype = object["subtype"]?.line
            let words = [driver, subtype, object["subtype1"]?.line].compactMap(\.self)
            hasInertialUnit = words.contains { InertialReport.isNamed(in: $0) }
            flags = object["flags"]?.integer
            cycle = object["cycle"]?.magnitude.flatMap { $0 > 0 ? $0 : nil }
        }

        /// Whether gpsd has recognised a packet from it.
        var isRecognised: Bool { driver != nil || flags ?? 0 != 0 }

        /// Whether it is a location receiver; nil if only its reports show that.
        ///
        /// The driver is that of the last packet, so that it may be `AIVDM` for a receiver that sends ship reports too.
        /// The flag of positions proves nothing then: gpsd sets it for AIS and RTCM 2 alone. Source: `GPS_TYPEMASK` in
        /// gpsd's `gpsd.h`; seen with 3.22.
        var isReceiver: Bool? {
            if ["ntrip://", "dgpsip://", "/dev/pps"].contains(where: path.hasPrefix) { return false }
            let flags = flags ?? 0
            if flags != 0, flags & 1 == 0 { return false }
            guard let driver, Self.content(of: driver) != nil else { return true }
            return flags == 0 ? false : nil
        }

        /// What a driver of gpsd decodes instead of positions; nil for a driver of receivers.
        ///
        /// Source: gpsd, `drivers/drivers.c`, `type_name`.
        static func content(of driver: String) -> String? {
            switch driver {
            case "AIVDM": "ship reports (AIS)"
            case "RTCM104V2", "RTCM104V3", "SPARTN": "corrections (\(driver))"
            case "PPS": "pulses"
            default: nil
            }
        }
    }

    /// Reads a line; nil if it is not a JSON object with a class.
    package init?(line: [UInt8]) {
        guard let object = JSON(parsing: line), let name = object["class"]?.text else { return nil }
        switch name {
        case "VERSION": self = .version(release: object["release"]?.line ?? "unknown")
        case "DEVICES": self = .devices((object["devices"]?.elements ?? []).compactMap(GPSDDevice.init))
        case "DEVICE":
            guard let device = GPSDDevice(object) else { return nil }
            self = .device(device)
        case "TPV": self = .report(TPV(object))
        case "SKY": self = .sky(device: object["device"]?.line, Sky(object))
        case "IMU", "ATT": self = InertialReport(object).map(Self.inertial) ?? .other(name)
        case "POLL":
            // Before 3.0 the arrays were called fixes and skyviews.
            let reports = (object["tpv"] ?? object["fixes"])?.elements ?? []
            let skies = (object["sky"] ?? object["skyviews"])?.elements ?? []
            self = .poll(
                time: object["time"]?.seconds,
                reports.map { .report(TPV($0)) } + skies.map { .sky(device: $0["device"]?.line, Sky($0)) })
        case "TOFF", "PPS":
            let parts = ["clock_sec", "clock_nsec", "real_sec", "real_nsec"].compactMap { object[$0]?.number }
            guard parts.count == 4, parts.allSatisfy({ abs($0) < 1e12 }) else { return nil }
            self = .clock(
                device: object["device"]?.line, difference: parts[0] - parts[2] + (parts[1] - parts[3]) / 1e9)
        case "ERROR": self = .error(object["message"]?.line ?? "an error without a message")
        default: self = .other(object["class"]?.line ?? "")
        }
    }
}

/// What one SKY object says; each value is nil if missing.
package struct Sky: Sendable, Equatable {
    /// The satellites that the fix uses.
    package var used: Int?
    /// The satellites in view, whether or not they are received.
    package var seen: Int?
    /// The carrier-to-noise density of the strongest satellite received, in dB-Hz.
    package var strongest: Double?
    /// The satellites, those that are only predicted too; at most as many as a receiver can follow.
    package var satellites: [Satellite] = []
    package var horizontalDilution: Double?
    /// The receiver's own time; nil if missing.
    var time: Double?

    init() {}

    /// Reads a SKY object; one with only dilutions of precision has no satellites.
    package init(_ object: JSON) {
        let satellites = object["satellites"]?.elements
        // An empty list is not a count: gpsd sends `uSat` with it.
        used =
            count(object["uSat"])
            ?? satellites.flatMap { $0.isEmpty ? nil : $0.count { $0["used"]?.flag == true } }
        time = object["time"]?.seconds
        seen = count(object["nSat"]) ?? satellites?.count
        // Zero stands for a satellite that is predicted and not received; NMEA has two digits.
        strongest = satellites?.compactMap { $0["ss"]?.magnitude }.filter { 0 < $0 && $0 < 100 }.max()
        horizontalDilution = object["hdop"]?.magnitude
        self.satellites = (satellites ?? []).prefix(128).map { satellite in
            Satellite(
                number: count(satellite["PRN"]),
                elevation: satellite["el"]?.finite.flatMap { -90...90 ~= $0 ? $0 : nil },
                azimuth: satellite["az"]?.finite.flatMap { 0...360 ~= $0 ? $0 : nil },
                signal: satellite["ss"]?.magnitude.flatMap { 0 < $0 && $0 < 100 ? $0 : nil },
                isUsed: satellite["used"]?.flag == true)
        }

        func count(_ number: JSON?) -> Int? { number?.integer.flatMap { 0...999 ~= $0 ? $0 : nil } }
    }

    /// What gpsd remembers of a sky: no satellite stands for no SKY so far (seen with 3.22).
    var remembered: Sky {
        var sky = self
        if seen == 0 { (sky.used, sky.seen) = (nil, nil) }
        return sky
    }

    /// Takes over what a later object says; gpsd may send the satellites and the dilutions of precision apart.
    mutating func merge(_ later: Sky) {
        if later.used != nil { (used, time) = (later.used, later.time) }
        horizontalDilution = later.horizontalDilution ?? horizontalDilution
        guard let seen = later.seen else { return }
        self.seen = seen
        strongest = later.strongest
        satellites = later.satellites
    }
}

/// What one TPV object says: a time, position and velocity report.
package struct TPV: Sendable, Equatable {
    /// As gpsd names it; nil if missing.
    package var device: String?
    /// 0 not seen, 1 no fix, 2 2D, 3 3D; other numbers count as not seen.
    package var mode: Int
    /// The receiver's own time; nil until it knows one.
    package var time: Double?
    /// Degrees and metres as received, not checked yet.
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
    /// How the receiver obtained the fix, by gpsd's `status`; `unknown` if missing, as most releases leave out 1.
    package var kind: PositionReading.FixKind
    package var isSimulated: Bool { kind == .simulated }
    /// The fault of the antenna; nil if the receiver reports none.
    package var antenna: AntennaFault?

    /// Reads a TPV object; every field may be missing.
    package init(_ object: JSON) {
        device = object["device"]?.line
        let mode = object["mode"]?.integer ?? 0
        self.mode = (0...3).contains(mode) ? mode : 0
        time = object["time"]?.seconds
        latitude = object["lat"]?.number
        longitude = object["lon"]?.number
        altitude = (object["altMSL"] ?? object["altHAE"] ?? object["alt"])?.finite
        error = object["eph"]?.magnitude
        if error == nil, let x = object["epx"]?.magnitude, let y = object["epy"]?.magnitude {
            error = JSON.number((x * x + y * y).squareRoot()).finite
        }
        ellipsoidalAltitude = object["altHAE"]?.finite
        verticalError = object["epv"]?.magnitude
        speed = object["speed"]?.magnitude
        speedError = object["eps"]?.magnitude
        course = object["track"]?.magnitude.flatMap { $0 <= 360 ? $0 : nil }
        courseError = object["epd"]?.magnitude
        let status = object["status"]
        let isNamedSimulated = status?.text?.lowercased().includes("simulated") == true
        kind = isNamedSimulated ? .simulated : PositionReading.FixKind(status: status?.integer)
        // The numbers of gpsd's gps.h since 3.26; its gpsd_json(5) has open and shorted exchanged.
        antenna =
            switch (object["ant"]?.integer, object["antPwr"]?.integer) {
            case (2, _): .open
            case (3, _): .shorted
            case (_, 1): .off
            default: nil
            }
    }

    /// The effective kind of fix: a mode without a position is none.
    package var fix: PositionReading.Fix {
        guard latitude != nil, longitude != nil else { return .none }
        return mode == 3 ? .threeDimensional : mode == 2 ? .twoDimensional : .none
    }

    /// Why the position is impossible; nil if nothing is wrong with it.
    package var fault: String? {
        guard fix != .none, let latitude, let longitude else { return nil }
        if !(latitude.isFinite && abs(latitude) <= 90) { return "latitude \(latitude) is not a place on Earth" }
        if !(longitude.isFinite && abs(longitude) <= 180) { return "longitude \(longitude) is not a place on Earth" }
        // What programs send before they know the position.
        if latitude == 0 && longitude == 0 { return "latitude and longitude are exactly 0" }
        return nil
    }

    package var hasPosition: Bool { fix != .none && fault == nil }

    /// The report in words that reveal no position; an impossible one is named.
    var words: String {
        let kind = ["mode not seen", "mode 1 (no fix)", "mode 2 (2D)", "mode 3 (3D)"][mode]
        let accuracy = error.map { ", horizontal error \(rounded($0)) m" } ?? ""
        let status = self.kind.words.map { ", \($0)" } ?? ""
        return "TPV \(kind)\(accuracy)\(status)\(fault.map { ", \($0)" } ?? "")"
            + (antenna.map { ", \($0.words)" } ?? "")
    }
}

func rounded(_ number: Double) -> String {
    abs(number) < 1e15 ? "\((number * 10).rounded() / 10)" : "\(number)"
}

extension JSON {
    /// The member's text, made safe to show and to compare; nil if it has none.
    var line: String? { text.flatMap { PeerText.line($0.utf8, limit: 256) } }

    /// A time: text, or a number in older releases (gpsd's `timespec_to_iso8601`).
    fileprivate var seconds: Double? { number ?? text.flatMap(secondsSince1970) }

    var finite: Double? { number.flatMap { $0.isFinite ? $0 : nil } }

    /// A length, speed or angle, which is not negative.
    fileprivate var magnitude: Double? { finite.flatMap { $0 >= 0 ? $0 : nil } }
}
