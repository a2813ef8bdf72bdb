package import DriverKit
internal import Readiness

/// What is known of one of gpsd's receivers, and its status.
package struct Receiver: Sendable, Equatable {
    /// A report and when it came.
    package struct Arrival: Sendable, Equatable {
        /// The report.
        package var report: TPV
        /// When it came.
        package var at: Instant
    }

    /// gpsd's clock in its answer to our poll, in seconds since 1970, and when that came.
    private struct Poll: Equatable {
        var time: Double
        var at: Instant
    }

    /// gpsd's own account of it; `isActive` and `activated` are those from before our watch.
    package let device: Message.GPSDDevice
    /// The type of receiver, which gpsd may know only once it has heard packets.
    private(set) var driver: String?
    /// The last report that came in the stream.
    package private(set) var latest: Arrival?
    /// What gpsd had said just before it, in the stream or in its memory.
    private(set) var previous: TPV?
    /// What gpsd remembered when the watch began.
    private(set) var remembered: TPV?
    /// gpsd's clock at that moment, and ours.
    private var polled: Poll?
    /// When the receiver's own time was first seen to be what it is now.
    private(set) var clockSince: Instant?
    /// How many satellites its fix uses.
    private(set) var satellites: Int?
    /// Whether gpsd gave the device up after the watch began: it frees what it cannot open.
    package private(set) var isDropped = false
    /// Whether gpsd has the device open, now that somebody watches.
    private(set) var isOpen = false
    /// What it comes to, as of `judgedAt`; nil before the watch began.
    private(set) var status: ReceiverStatus?
    /// When the status was computed.
    private(set) var judgedAt: Instant?
    /// When the status may change without a message.
    private(set) var due: Instant?
    /// Whether it has had a fix that counts, so that waiting for one is over.
    private var wasAvailable = false

    /// Makes the account of a device that nobody has watched yet.
    init(_ device: Message.GPSDDevice) {
        self.device = device
        driver = device.driver
    }

    /// Takes in a report of the stream.
    mutating func take(_ report: TPV, at now: Instant) {
        if let latest { previous = latest.report }
        if clockSince == nil || report.time != previous?.time { clockSince = now }
        latest = Arrival(report: report, at: now)
    }

    /// Takes in what gpsd remembers; supporting evidence only, since the memory outlives the receiver's silence.
    mutating func remember(_ report: TPV, at now: Instant) {
        guard latest == nil else { return }
        remembered = report
        previous = report
        clockSince = now
    }

    /// Takes in gpsd's clock, as the answer to our poll gave it.
    mutating func set(polled time: Double?, at now: Instant) {
        if polled == nil, let time { polled = Poll(time: time, at: now) }
    }

    /// Takes in gpsd's list after the watch began; nil where the device is no longer in it.
    mutating func list(_ device: Message.GPSDDevice?) {
        isDropped = device == nil
        isOpen = device?.isActive == true
        driver = device?.driver ?? driver
    }

    /// Takes in gpsd's notice that the device was opened or closed.
    mutating func notice(_ device: Message.GPSDDevice) {
        isDropped = !device.isActive
        isOpen = device.isActive
        driver = device.driver ?? driver
    }

    /// Computes the status, which is kept until the next message or the time when it is due.
    mutating func judge(_ rules: StatusRules, at now: Instant, since: Instant?, _ end: WatchEnd) {
        var rules = rules
        if wasAvailable { rules.isPatient = false }
        let status = status(rules, at: now, end)
        self.status = status
        judgedAt = now
        wasAvailable = wasAvailable || status.isFinal && status.availability == .available
        let limits =
            latest == nil ? [rules.criteria.maximumAge] : [rules.criteria.maximumAge, patience(rules.criteria)]
        let quiet = (latest?.at ?? since).map { from in limits.map { from.advanced(bySeconds: $0 + 0.001) } } ?? []
        let settled = since.map { [$0.advanced(bySeconds: Self.settling)] } ?? []
        due = (quiet + settled).filter { $0 > now }.min()
    }

    /// Whether it has not reported for so long that its status says for how long.
    func isQuiet(_ criteria: FixCriteria, at now: Instant) -> Bool {
        latest.map { $0.at.seconds(to: now) > criteria.maximumAge } ?? true
    }

    /// Takes in the count of satellites.
    mutating func see(_ satellites: Int) { self.satellites = satellites }

    /// Whether the receiver's own time stands where it stood in what gpsd said before.
    var isRepeating: Bool {
        guard let latest, let time = latest.report.time else { return false }
        return previous?.time == time
    }

    /// Whether reports keep coming while the receiver's own time stands still; within one cycle it may.
    var isFrozen: Bool {
        guard isRepeating, let latest, let clockSince else { return false }
        return clockSince.seconds(to: latest.at) >= max(1, device.cycle ?? 1)
    }

    /// Whether two pieces of evidence from different cycles agree on the kind of fix.
    var isSteady: Bool {
        guard let latest, let previous else { return false }
        return latest.report.fix == previous.fix && (latest.report.time == nil || !isRepeating)
    }

    /// Seconds since the last packet of a receiver that has not reported; nil where it cannot be told.
    ///
    /// Up to the poll they are counted by gpsd's clock, from there on by ours.
    /// gpsd renews `activated` with each packet (3.22, seen). A release that does not has the remembered report's own
    /// time, which is the receiver's clock; the younger of the two counts.
    func idleSeconds(at now: Instant) -> Double? {
        guard let polled else { return nil }
        let ages = [device.activated, remembered?.time].compactMap { $0.map { polled.time - $0 } }.filter { $0 >= 0 }
        return ages.min().map { $0 + polled.at.seconds(to: now) }
    }
}

extension Receiver {
    /// Metres beyond which a horizontal error is worth a notice: that of a receiver without any correction is some ten.
    static let lowAccuracy = 100.0

    /// The status where gpsd lists a node that is no longer there.
    func gone(_ error: DriverError) -> ReceiverStatus {
        ReceiverStatus(
            .absent, "gpsd lists \(device.path), and the node is gone",
            remedies: [.advice("plug the receiver in again")],
            evidence: error.evidence())
    }

    /// The sensor with the status, the reading and what is said of the rig.
    func finding(_ sensor: Sensor, _ status: ReceiverStatus, at now: Instant) -> Finding {
        var sensor = sensor
        sensor.name = driver ?? sensor.name
        sensor.availability = status.availability
        sensor.detail = status.detail
        sensor.remedies = status.remedies
        let words = latest.map(\.report.words) ?? "no TPV; \(device.words)"
        sensor.evidence = [Evidence(path: device.path, said: words), status.evidence].compactMap { evidence in
            guard var evidence else { return nil }
            evidence.sensor = sensor.key
            return evidence
        }
        sensor.reading = reading(at: now).map(Reading.position)
        var notices: [Notice] = []
        if status.availability == .available, let report = latest?.report {
            if report.isSimulated {
                notices.append(
                    Notice(.simulated, sensor: sensor.key, detail: "\(device.path) says that its fix is simulated"))
            }
            if let error = report.error, error > Self.lowAccuracy, report.fix != .none {
                notices.append(
                    Notice(
                        .lowAccuracy, sensor: sensor.key,
                        detail: "\(device.path) expects to be \(rounded(error)) m off"))
            }
        }
        return Finding(sensor, notices: notices)
    }

    /// The last report, or else what gpsd remembers of a receiver that has gone quiet.
    private func reading(at now: Instant) -> PositionReading? {
        guard let report = latest?.report ?? remembered, report.fault == nil else { return nil }
        guard report.fix != .none else {
            return PositionReading(fix: .none, satellitesUsed: satellites, simulated: report.isSimulated)
        }
        let age = latest.map { (isFrozen ? clockSince ?? $0.at : $0.at).seconds(to: now) } ?? idleSeconds(at: now)
        return PositionReading(
            fix: report.fix, latitude: report.latitude, longitude: report.longitude, altitude: report.altitude,
            horizontalError: report.error, satellitesUsed: satellites, ageSeconds: age.map { max(0, $0) },
            simulated: report.isSimulated)
    }
}
