internal import DriverKit
internal import Readiness

/// What one IMU or ATT object says of acceleration and rotation.
///
/// gpsd sends IMU as soon as its receiver measures, and ATT once a cycle; both have the same fields. Since 3.23 they are
/// in m/s² and in degrees a second; before, only the OceanServer compass has them, whose own numbers gpsd passes on, and
/// there is no IMU. Source: gpsd_json(5) of 3.22 to 3.27, and `json_att_dump` and the drivers of these releases.
package struct InertialReport: Sendable, Equatable {
    /// As gpsd names it; nil if missing.
    var device: String?
    /// The class, `IMU` or `ATT`, and the receiver's own message, if gpsd names it.
    var source: String
    var acceleration: [Double?]
    var rotation: [Double?]

    /// Reads an object; nil if it tells neither, as that of a compass.
    init?(_ object: JSON) {
        func axes(_ prefix: String) -> [Double?] { ["x", "y", "z"].map { object["\(prefix)_\($0)"]?.finite } }
        (acceleration, rotation) = (axes("acc"), axes("gyro"))
        guard (acceleration + rotation).contains(where: { $0 != nil }) else { return nil }
        device = object["device"]?.line
        source = [object["class"]?.line, object["msg"]?.line].compactMap(\.self).joined(separator: " ")
    }

    /// The values of both, the later ones where both have them.
    func merged(with later: InertialReport) -> InertialReport {
        var report = later
        report.acceleration = zip(acceleration, later.acceleration).map { $1 ?? $0 }
        report.rotation = zip(rotation, later.rotation).map { $1 ?? $0 }
        return report
    }

    /// x, y and z; nil if there are none.
    func values(of kind: SensorKind) -> [Double?]? {
        let values = kind == .accelerometer ? acceleration : rotation
        return values.contains { $0 != nil } ? values : nil
    }

    /// Whether a release sends values in the units of its manual.
    ///
    /// The compass is still sent as it is by 3.23 to 3.25, and no longer decoded by later ones.
    static func hasUnits(release: String?, driver: String?) -> Bool {
        let numbers = (release ?? "").split(separator: ".").prefix(2).map {
            Int($0.prefix { $0.isASCII && $0.isNumber })
        }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return false }
        return (major, minor) >= (3, 23) && driver?.hasPrefix("OceanServer") != true
    }

    /// Whether it measured as the unit does, and not what is left without gravity, as an ATT may.
    var isDirect: Bool { source.hasPrefix("IMU") }

    /// The names of u-blox firmware that navigates with an inertial unit.
    ///
    /// Source: u-blox, interface descriptions of M8 (ADR, UDR), M9 (MDR) and F9 (HPS, LAP).
    private static let firmware = ["ADR", "UDR", "MDR", "HPS", "LAP"].map { "FWVER=\($0)" }

    /// Whether a receiver's type or versions name one with an inertial unit.
    static func isNamed(in words: String) -> Bool {
        words.hasPrefix("OceanServer") || firmware.contains { words.includes($0) }
    }
}

extension Receiver {
    /// Seconds of a watch within which a receiver that has an inertial unit is to report it.
    private static let inertialWait = 1.2
    /// Seconds after its first report within which the unit is to report the other kind: some tell each apart.
    private static let inertialPause = 0.3
    /// Seconds after which an inertial unit that has reported is silent.
    private static let inertialSilence = 5.0

    /// The kinds of sensor that its inertial unit has proved to be.
    var inertialKinds: [SensorKind] {
        [.accelerometer, .gyroscope].filter { inertial?.report.values(of: $0) != nil }
    }

    /// Until when its inertial unit is waited for; nil if it has told both kinds, or nothing says that there is one.
    func inertialDue(watchedSince since: Instant) -> Instant? {
        guard !isDropped, inertialKinds.count < 2 else { return nil }
        if let inertialSince { return inertialSince.advanced(bySeconds: Self.inertialPause) }
        return device.hasInertialUnit ? since.advanced(bySeconds: Self.inertialWait) : nil
    }

    /// Seconds without an object after which its inertial unit is silent.
    private var inertialPatience: Double { max(Self.inertialSilence, 2 * (device.cycle ?? 1)) }

    func isInertialSilent(at now: Instant) -> Bool {
        inertial.map { $0.at.seconds(to: now) > inertialPatience } ?? false
    }

    /// When its inertial unit is silent unless it reports; nil if it has reported nothing, or is silent already.
    var inertialSilenceDue: Instant? {
        isInertialSilent ? nil : inertial?.at.advanced(bySeconds: inertialPatience + 0.001)
    }

    /// The sensors of its inertial unit, at its own key; empty if it has reported nothing, or is gone.
    func inertialSensors(of receiver: Sensor, release: String?, at now: Instant) -> [Sensor] {
        guard let inertial, !isDropped, receiver.availability != .unavailable(.absent) else { return [] }
        let hasUnits = InertialReport.hasUnits(release: release, driver: driver)
        return inertialKinds.compactMap { kind -> Sensor? in
            guard let values = inertial.report.values(of: kind) else { return nil }
            var sensor = Sensor(
                key: receiver.key, kind: kind, name: receiver.name, driver: receiver.driver, path: receiver.path,
                access: .readable, accessEvidence: receiver.accessEvidence,
                evidence: [
                    Evidence(
                        sensor: receiver.key, path: device.path, said: "\(inertial.report.source) of its inertial unit")
                ])
            if isInertialSilent(at: now) {
                let words = "its inertial unit has reported nothing for \(rounded(inertial.at.seconds(to: now))) s"
                sensor.fail(.silent, words, [DataSource(device.path).restarting])
                return sensor
            }
            let factor = hasUnits && kind == .gyroscope ? Double.pi / 180 : 1
            let scaled = values.map { $0.map { $0 * factor } }
            let unit = hasUnits ? AxesReading.Unit(of: kind) : .raw
            let named = zip(["x", "y", "z"], scaled).filter { $0.1 != nil }
            let check = MotionPlausibility(
                kind, names: named.map(\.0), counts: nil, values: hasUnits ? named.compactMap(\.1) : nil)
            // Without gravity, what ATT objects hold may have any magnitude.
            if case .impossible(_, _, let words) = check.verdict(includesGravity: false) {
                sensor.fail(
                    .faulty, "its inertial unit measures what cannot be true: \(words)",
                    [DataSource(device.path).restarting])
                return sensor
            }
            sensor.reading = .axes(AxesReading(x: scaled[0], y: scaled[1], z: scaled[2], unit: unit))
            if !hasUnits { sensor.detail = "gpsd passes on its own numbers, so the value is raw" }
            return sensor
        }
    }
}
