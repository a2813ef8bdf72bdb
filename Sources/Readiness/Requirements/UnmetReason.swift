/// One reason why a requirement is not met: an authorization, an unavailable sensor, or an obstacle to its kind.
///
/// A class, since a rig of a thousand chips has as many reasons, which are sorted and grouped.
final class UnmetReason: Sendable, Equatable {
    /// What is to be repaired; a requirement is met once something of each of its stages is.
    enum RepairStage: UInt8, Sendable {
        /// Whether it is allowed at all.
        case authorization
        /// How accurately, and when, it is allowed.
        case extent
        /// The sensors, of which one is enough.
        case availability
    }

    let stage: RepairStage
    let cause: Cause
    /// The sensor's key and name.
    let key, name: String?
    /// The driver that reported it.
    let driver: String?
    /// The kinds of sensor of which none was found; empty unless absent.
    let absentKinds: [SensorKind]
    let detail: String?
    let remedies: [Remedy]
    let evidence: [Evidence]

    /// Creates a reason from a sensor that is not available; values that this user may not read are denied, not unknown.
    convenience init(_ sensor: Sensor) {
        let isDenied = sensor.isValueDenied && sensor.availability == .unavailable(.indeterminate)
        let cause = isDenied ? .denied : sensor.availability.cause ?? .indeterminate
        self.init(
            sensor, cause, detail: sensor.detail,
            remedies: isDenied && !sensor.accessRemedies.isEmpty ? sensor.accessRemedies : sensor.remedies,
            evidence: sensor.evidence)
    }

    /// Creates the reason why a sensor cannot be captured from: its access if that is denied, or else that it does not
    /// deliver; a dead sensor of unknown access is of no use to anybody.
    convenience init(capturingFrom sensor: Sensor) {
        let mayBeAvailable = sensor.availability == .available || sensor.availability == .unavailable(.indeterminate)
        let isGone = [.absent, .noDriver].contains(sensor.availability.cause)
        guard sensor.access == .denied && !isGone || sensor.access == .unknown && mayBeAvailable else {
            self.init(sensor)
            return
        }
        self.init(
            sensor, sensor.access == .denied ? .denied : .indeterminate, detail: sensor.accessEvidence?.clause,
            remedies: sensor.accessRemedies, evidence: sensor.accessEvidence.map { [$0] } ?? [])
    }

    /// Creates the reason why an available sensor with one or two axes may not be enough: the requirement table does not list
    /// the axes that a service needs.
    convenience init(fewAxesOf sensor: Sensor) {
        self.init(
            sensor, .indeterminate,
            detail: "\(sensor.name) measures \(sensor.axisWords) of three; a service may need the others",
            remedies: [.advice("use a sensor with three axes")], evidence: sensor.evidence)
    }

    /// Creates a reason from a sensor, for a cause that need not be its availability's.
    init(_ sensor: Sensor, _ cause: Cause, detail: String?, remedies: [Remedy], evidence: [Evidence]) {
        stage = .availability
        self.cause = cause
        key = sensor.key
        name = sensor.name
        driver = sensor.driver
        absentKinds = []
        // A path is named as it is; anything else begins with the sensor's name.
        self.detail =
            detail.map { $0.hasPrefix(sensor.name) || $0.hasPrefix("/") ? $0 : "\(sensor.name): \($0)" }
            ?? "\(sensor.name) is \(cause.title)"
        self.remedies = remedies
        self.evidence = evidence
    }

    init(
        _ stage: RepairStage, _ cause: Cause, driver: String? = nil, absentKinds: [SensorKind] = [], detail: String?,
        remedies: [Remedy], evidence: [Evidence]
    ) {
        (self.stage, self.cause, self.driver, self.absentKinds) = (stage, cause, driver, absentKinds)
        (key, name) = (nil, nil)
        (self.detail, self.remedies, self.evidence) = (detail, remedies, evidence)
    }

    convenience init(_ obstacle: Obstacle) {
        self.init(
            .availability, obstacle.cause, driver: obstacle.driver, detail: obstacle.detail,
            remedies: obstacle.remedies, evidence: obstacle.evidence)
    }

    convenience init(
        _ stage: RepairStage, _ cause: Cause, _ detail: String, _ authorization: Authorization<some Sendable>
    ) {
        self.init(
            stage, cause, detail: detail, remedies: authorization.remedies,
            evidence: [Evidence(said: authorization.evidence)])
    }

    static func == (one: UnmetReason, other: UnmetReason) -> Bool {
        one === other
            || one.stage == other.stage && one.cause == other.cause && one.key == other.key && one.name == other.name
                && one.driver == other.driver && one.absentKinds == other.absentKinds && one.detail == other.detail
                && one.remedies == other.remedies && one.evidence == other.evidence
    }

    /// The report order among sensors: a denied sensor comes after an inactive one and before a chip without a driver.
    var rank: Int { cause == .denied ? Int(Cause.inactive.rawValue) * 2 + 1 : Int(cause.rawValue) * 2 }

    /// Whether one repair ends both, each a reason of the requirement that it comes with.
    func hasSameOrigin(as other: UnmetReason, isSameRequirement: Bool) -> Bool {
        let isSameDriver = driver != nil && driver == other.driver
        // A receiver that nothing activates is only one more word for a service that does not run.
        if isSameDriver, cause == .unreachable, key == nil, other.cause == .inactive { return true }
        guard stage == other.stage, cause == other.cause else { return false }
        if isSameDriver, remedies == other.remedies || cause == .denied && isSameRequirement { return true }
        if key != nil || other.key != nil { return key == other.key && remedies == other.remedies }
        // Who has no motion sensor at all has no gyroscope either.
        return detail == other.detail
            || !other.absentKinds.isEmpty && other.absentKinds.allSatisfy(absentKinds.contains)
    }
}

extension Authorization where Status: PermissionStatus {
    /// Whether the operating system, and neither a grant nor the policy, denies it.
    var isDeniedByAccess: Bool { from == .access && status.refusal == .denied }
}
