package import DriverKit
internal import Readiness

package struct Receiver: Sendable {
    package struct Arrival: Sendable, Equatable {
        package var report: TPV
        package var at: Instant
        /// Its age in seconds when it came, by gpsd's clock; nil if it came in the stream.
        package var remembered: Double?

        func age(at now: Instant) -> Double { (remembered ?? 0) + at.seconds(to: now) }
    }

    /// gpsd's record of it; `isActive` and `activated` are from before our watch.
    package let device: Message.GPSDDevice
    /// The type of receiver, which gpsd may know only after it has received packets.
    private(set) var driver: String?
    package private(set) var latest: Arrival?
    /// The report before it, from the stream or gpsd's memory.
    private(set) var previous: TPV?
    /// The report that gpsd remembered when the watch began.
    private(set) var remembered: TPV?
    /// gpsd's clock in its answer to our poll, in seconds since 1970, and when the answer came.
    private var polled: (time: Double, at: Instant)?
    /// When the receiver's own time was first seen with its current value.
    private(set) var clockSince: Instant?
    package private(set) var sky = Sky()
    /// The receiver's own time when its present fix began; nil without one, or without a time.
    private var fixTime: Double?
    /// Whether the count of used satellites in `sky` is of the present fix, and not from before it.
    private(set) var isSkyOfFix = false
    /// Whether a count of used satellites came after the last report.
    private var isSkyAfterReport = false
    /// Whether one came between the last two reports.
    private var isSkyBeforeReport = false
    /// What its inertial unit said last, and when; nil if it has said nothing.
    private(set) var inertial: (report: InertialReport, at: Instant)?
    private(set) var inertialSince: Instant?
    /// Whether gpsd dropped the device after the watch began: it frees what it cannot open.
    package private(set) var isDropped = false
    private(set) var isOpen = false
    /// The status, as of `evaluatedAt`; nil before the watch began.
    private(set) var status: ReceiverStatus?
    private(set) var evaluatedAt: Instant?
    private var statusDue: Instant?
    /// When the status, or that of its inertial unit, may change without a message.
    var due: Instant? { [statusDue, inertialSilenceDue].compactMap(\.self).min() }
    /// Whether its inertial unit was silent when it was last evaluated, and has been since.
    private(set) var isInertialSilent = false
    /// Whether it was watched for less than its patience when it was last evaluated, and had not reported.
    private(set) var isAwaited = false
    /// Whether it has had a sufficient fix, so that waiting for one is over.
    private var wasAvailable = false
    /// When the first sufficient fix came.
    private var availableSince: Instant?

    private let isPresent: Bool

    init(_ device: Message.GPSDDevice, isPresent: Bool) {
        self.device = device
        self.isPresent = isPresent
        driver = device.driver
    }

    mutating func take(_ report: TPV, at now: Instant) {
        if let latest { previous = latest.report }
        if clockSince == nil || report.time != previous?.time { clockSince = now }
        (isSkyBeforeReport, isSkyAfterReport) = (isSkyAfterReport, false)
        begin(report, isFirst: previous.map { $0.fix == .none } ?? true)
        latest = Arrival(report: report, at: now)
    }

    /// Notes whether a fix begins with a report, and whether the last SKY is of its cycle.
    private mutating func begin(_ report: TPV, isFirst: Bool) {
        if report.fix == .none || isFirst {
            fixTime = report.fix == .none ? nil : report.time
            isSkyOfFix = fixTime != nil && sky.time == fixTime
        }
    }

    /// Processes the satellites; `isRemembered` for those that gpsd remembers.
    mutating func take(_ later: Sky, isRemembered: Bool = false) {
        let later = isRemembered ? later.remembered : later
        sky.merge(later)
        guard later.used != nil else { return }
        isSkyAfterReport = !isRemembered
        let isOlder = later.time.flatMap { time in fixTime.map { time < $0 } } ?? false
        isSkyOfFix = latest.map { $0.report.fix != .none } == true && !isOlder
    }

    /// Whether the SKY of its last fix uses no satellite, while the fix is computed from satellites.
    ///
    /// A SKY without a time that came just before the fix may be of its cycle, or of the one before.
    var isWithoutSatellite: Bool {
        guard let report = latest?.report, report.fix != .none, report.kind.needsSatellites else { return false }
        return sky.used == 0 && (isSkyOfFix || isSkyBeforeReport && sky.time == nil)
    }

    /// Until when the satellites of its first sufficient fix are waited for; nil if they are known, or decide nothing.
    var skyDue: Instant? {
        guard let availableSince, sky.used ?? 0 == 0, !isSkyOfFix, latest?.report.kind.needsSatellites == true else {
            return nil
        }
        return availableSince.advanced(bySeconds: Self.skyPause)
    }

    /// Processes what its inertial unit measures; one object may tell acceleration alone, and the next rotation.
    ///
    /// An IMU object counts before an ATT, since both may come.
    mutating func take(_ report: InertialReport, at now: Instant) {
        if inertial?.report.isDirect == true, !report.isDirect { return }
        let isOther = inertial?.report.isDirect != report.isDirect
        inertial = (isOther ? report : inertial?.report.merged(with: report) ?? report, now)
        inertialSince = inertialSince ?? now
        isInertialSilent = false
    }

    /// Processes a remembered report, which counts as one of the stream if it is recent; else it is supporting
    /// evidence only, since it may be older than the receiver's silence.
    mutating func remember(_ report: TPV, at now: Instant) {
        guard latest == nil else { return }
        remembered = report
        clockSince = now
        if let age = recentAge(of: report, at: now) {
            begin(report, isFirst: true)
            latest = Arrival(report: report, at: now, remembered: age)
        } else {
            previous = report
        }
    }

    /// The age in seconds of a remembered report after which the next one is not due yet; nil if it is older.
    ///
    /// The receiver is there, was open before us, sent a packet within its cycle, and its own clock agrees with gpsd's: a
    /// clock that is off or stands still shows only in the next report.
    private func recentAge(of report: TPV, at now: Instant) -> Double? {
        guard isPresent, device.isActive, let polled, let time = report.time, let idle = idleSeconds(at: now) else {
            return nil
        }
        let cycle = min(5, device.cycle ?? 1)
        // A report is on its way for up to a second after the time that it tells.
        return idle <= cycle && abs(polled.time - time) <= cycle + 1 ? idle : nil
    }

    mutating func set(polled time: Double?, at now: Instant) {
        if polled == nil, let time { polled = (time, now) }
    }

    /// Processes gpsd's list after the watch began; nil if the device is no longer in it.
    mutating func list(_ device: Message.GPSDDevice?) {
        isDropped = device == nil
        isOpen = device?.isActive == true
        driver = device?.driver ?? driver
    }

    mutating func notice(_ device: Message.GPSDDevice) {
        list(device)
        isDropped = !device.isActive
    }

    /// Computes the status, which is kept until the next message or the time when it is due.
    mutating func evaluate(_ rules: StatusRules, at now: Instant, since: Instant?, _ end: WatchEnd) {
        var rules = rules
        if wasAvailable { rules.isPatient = false }
        let status = status(rules, at: now, end)
        self.status = status
        evaluatedAt = now
        wasAvailable = wasAvailable || isGood
        if availableSince == nil, isGood { availableSince = now }
        let patience = patience(rules.criteria)
        isAwaited = latest == nil && !isDropped && since.map { $0.seconds(to: now) < patience } ?? true
        let limits = [rules.criteria.maximumAge.seconds, patience]
        let quiet = (latest?.at ?? since).map { from in limits.map { from.advanced(bySeconds: $0 + 0.001) } } ?? []
        let settled = since.map { [$0.advanced(bySeconds: Self.settling)] } ?? []
        statusDue = (quiet + settled).filter { $0 > now }.min()
        isInertialSilent = isInertialSilent(at: now)
    }

    /// Whether its status is final, and good.
    var isGood: Bool { status?.isFinal == true && status?.availability == .available }

    /// Whether gpsd has recognised anything that it reads from the device.
    var isRecognised: Bool { device.isRecognised || driver != nil || latest != nil }

    /// What gpsd decodes from the device instead of positions; nil for a receiver, and before it has decoded anything.
    var otherContent: String? {
        hasReported ? nil : driver.flatMap(Message.GPSDDevice.content)
    }

    /// Whether it has reported as a receiver: gpsd remembers a report of mode 0 for any device that it reads.
    var hasReported: Bool { (latest?.report ?? remembered).map { $0.mode > 0 } ?? false }

    /// Whether it is not waited for once another receiver has a position: gpsd recognises nothing that it sends, or no
    /// positions.
    ///
    /// Where neither was open before the watch, both are given time.
    func isOptional(beside good: Receiver) -> Bool {
        otherContent != nil || !isRecognised && (device.isActive || good.device.isActive)
    }

    /// Whether it has been quiet for so long that its status gives the duration.
    func isQuiet(_ criteria: FixCriteria, at now: Instant) -> Bool {
        latest.map { $0.age(at: now) > criteria.maximumAge.seconds } ?? true
    }

    /// Whether the receiver's own time is the same as in the previous report.
    var isRepeating: Bool {
        guard let latest, let time = latest.report.time else { return false }
        return previous?.time == time
    }

    /// Whether reports keep coming while the receiver's own time does not advance; within one cycle it may not.
    var isFrozen: Bool {
        guard isRepeating, let latest, let clockSince else { return false }
        return clockSince.seconds(to: latest.at) >= max(1, device.cycle ?? 1)
    }

    /// Whether two pieces of evidence from different cycles agree on the kind of fix.
    var isSteady: Bool {
        guard let latest, let previous else { return false }
        return latest.report.fix == previous.fix && (latest.report.time == nil || !isRepeating)
    }

    /// Seconds since the last packet of a receiver that has not reported; nil if unknown.
    ///
    /// Counted by gpsd's clock up to the poll, by ours from then on. gpsd renews `activated` with each packet (seen
    /// with 3.22). For a release that does not, the remembered report's own time counts, which is the receiver's clock;
    /// the later of the two is used.
    func idleSeconds(at now: Instant) -> Double? {
        guard let polled else { return nil }
        let ages = [device.activated, remembered?.time].compactMap { $0.map { polled.time - $0 } }.filter { $0 >= 0 }
        return ages.min().map { $0 + polled.at.seconds(to: now) }
    }

    /// The system clock of gpsd's machine in seconds since 1970, by its answer to our poll; nil before that.
    func systemTime(at now: Instant) -> Double? { polled.map { $0.time + $0.at.seconds(to: now) } }
}

extension Receiver {
    /// The horizontal error in metres from which a notice is made: a receiver without any correction has about ten.
    static let lowAccuracy = 100.0
    /// Seconds after its first sufficient fix within which a receiver is to report the satellites that the fix uses.
    static let skyPause = 0.2

    /// What of the last fix changes a notice or a requirement, besides its availability.
    var quality: [String] {
        guard let report = latest?.report, report.fix != .none else { return [] }
        let precision = report.error.map { $0 > Self.lowAccuracy ? "vague" : "precise" } ?? "unknown"
        return [report.fix.rawValue, report.kind.rawValue, precision] + contradictions.map(\.words)
    }

    func finding(_ sensor: Sensor, _ status: ReceiverStatus, at now: Instant) -> Finding {
        var sensor = sensor
        sensor.name = driver ?? sensor.name
        sensor.take(status)
        let words = latest.map(\.report.words) ?? "no TPV; \(device.words)"
        sensor.evidence = [Evidence(path: device.path, said: words), status.evidence].compactMap(\.self)
        for index in sensor.evidence.indices { sensor.evidence[index].sensor = sensor.key }
        sensor.reading = reading(at: now).map(Reading.position)
        return Finding(sensor, notices: notices(of: sensor.key, status))
    }

    private func notices(of key: String, _ status: ReceiverStatus) -> [Notice] {
        var notices: [Notice] = []
        if !isDropped, case let contradictions = contradictions, !contradictions.isEmpty {
            let words = contradictions.map(\.words).joined(separator: "; ")
            notices.append(
                Notice(.contradictoryFix, sensor: key, detail: "the fix of \(device.path) cannot be right: \(words)"))
        }
        guard status.availability == .available, let report = latest?.report else { return notices }
        if report.isSimulated {
            notices.append(
                Notice(.simulated, sensor: key, detail: "\(device.path) says that its fix is simulated"))
        }
        if let error = report.error, error > Self.lowAccuracy, report.fix != .none {
            notices.append(
                Notice(
                    .lowAccuracy, sensor: key,
                    detail: "\(device.path) reports a horizontal error of \(rounded(error)) m"))
        }
        return notices
    }

    /// The last report, or else the remembered one of a receiver that has become quiet.
    private func reading(at now: Instant) -> PositionReading? {
        guard let report = latest?.report ?? remembered, report.fault == nil else { return nil }
        var reading = PositionReading(
            fix: report.fix, satellitesUsed: sky.used, satellitesSeen: sky.seen, strongestSignal: sky.strongest,
            antenna: report.antenna, simulated: report.isSimulated)
        guard report.fix != .none else { return reading }
        reading.fixKind = report.kind
        (reading.latitude, reading.longitude, reading.altitude) = (report.latitude, report.longitude, report.altitude)
        reading.horizontalError = report.error
        let frozen = isFrozen ? clockSince?.seconds(to: now) : nil
        let age = frozen ?? latest?.age(at: now) ?? idleSeconds(at: now)
        reading.ageSeconds = age.map { max(0, $0) }
        return reading
    }
}
