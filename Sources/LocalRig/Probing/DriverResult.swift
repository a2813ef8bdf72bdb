internal import DriverKit
internal import Readiness

struct DriverAnswers {
    enum State {
        /// Nothing more was asked of it than to be listed.
        case listed
        case found(Finding)
        /// It gave no answer in time, or was not even asked.
        case cutOff, unasked
    }
    struct SensorAnswer {
        var candidate: SensorCandidate
        /// Nil while it is being read for the first time.
        var state: State?
        var readingTime: ReadingTime?
        /// The time that a sensor of its rate has.
        var given: Duration

        var sensor: Sensor { candidate.sensor }
        var isCutOff: Bool {
            switch state {
            case .cutOff, .unasked: true
            case .found, .listed, nil: false
            }
        }
    }

    /// Its enumeration; nil if it failed, or did not answer.
    var enumeration: Enumeration?
    var failure: DriverError?
    var sensors: [SensorAnswer] = []
}

/// The result of one driver in a probe, with a report of what was cut off.
struct DriverResult {
    private(set) var report: DriverReport
    private(set) var sensors: [Sensor] = []
    private(set) var obstacles: [Obstacle] = []
    private(set) var notices: [Notice] = []
    /// Whether an answer is missing only because it did not come in time.
    let isWorthRepeating: Bool
    /// Whether the access is unknown only because of that.
    private let isAccessLate: Bool

    /// Makes the result of a driver that took `elapsed` seconds.
    ///
    /// The `previous` obstacles stay for kinds that have no others but a sensor that is still being read.
    init(
        _ driver: any Driver, _ answers: DriverAnswers, elapsed: Double, limit: ProbeLimit,
        previously previous: [Obstacle] = []
    ) {
        let waited = limit.timeout.words
        let own = (limit.timeout - driver.patience).seconds
        let longer = Remedy.option(.timeout(Int(min(max(own, 0), 800) * 4 + 1)))
        var state = DriverReport.State.ok
        var detail: String?
        var access: (Access, Evidence?) = (.unknown, nil)
        func obstacles(_ cause: Cause, _ detail: String, _ evidence: Evidence) -> [Obstacle] {
            // A recording that does not hold the answer never will.
            let remedies: [Remedy] =
                answers.failure?.code == .notRecorded
                ? [.option(.recordAgain)] : [longer, .advice("find what blocks \(driver.name)")]
            return driver.kinds.obstacles(cause, detail, remedies: remedies, evidence: [evidence])
        }

        if let enumeration = answers.enumeration {
            notices = enumeration.notices
            let cut = answers.sensors.count { $0.isCutOff }
            self.obstacles = enumeration.obstacles
            let pending = Set(answers.sensors.filter { $0.state == nil }.map(\.sensor.kind))
                .subtracting(enumeration.obstacles.map(\.kind))
            self.obstacles += previous.filter { pending.contains($0.kind) }
            access = (enumeration.access, enumeration.accessEvidence)
            state = cut == 0 ? enumeration.state : .timedOut
            detail =
                cut == 0
                ? enumeration.detail : "\(cut) of \(answers.sensors.count) sensors gave no answer within \(waited)"
        } else if let error = answers.failure {
            state =
                switch error.code {
                case .unsupported: .unavailable
                case .timedOut: .timedOut
                default: .failed
                }
            detail = error.description
            access = (error.isDenied ? .denied : .unknown, error.evidence())
            self.obstacles = obstacles(
                error.code == .timedOut ? driver.causeWhenStalled : .indeterminate, error.description, error.evidence())
        } else {
            let words = "\(driver.name) did not answer within \(waited)"
            (state, detail) = (.timedOut, words)
            self.obstacles = obstacles(driver.causeWhenStalled, words, Evidence(path: driver.name, said: words))
        }
        isWorthRepeating = state == .timedOut || answers.enumeration?.isWorthRepeating == true
        // A sensor that is late says nothing about an access that was determined.
        isAccessLate = answers.enumeration?.isAccessLate ?? (state == .timedOut)
        report = DriverReport(
            name: driver.name, kinds: driver.kinds, state: state, detail: detail, elapsedMilliseconds: elapsed * 1000,
            access: access.0, accessEvidence: access.1, accessRemedies: answers.enumeration?.accessRemedies ?? [],
            searched: answers.enumeration?.searched)
        for index in self.obstacles.indices { self.obstacles[index].driver = driver.name }
        take(answers.sensors, limit, longer)
    }

    private mutating func take(_ answers: [DriverAnswers.SensorAnswer], _ limit: ProbeLimit, _ longer: Remedy) {
        for answer in answers {
            switch answer.state {
            case nil: break
            case .listed: sensors.append(answer.sensor)
            case .found(let finding):
                sensors.append(finding.sensor)
                sensors += finding.others
                notices += finding.notices
                if let time = answer.readingTime, time.isExact, limit.isSlow(time) {
                    notices.append(time.notice(of: answer.sensor))
                }
            case .unasked:
                let detail = "not read: the probe waited \(answer.given.words) for another sensor"
                add(answer.sensor, .indeterminate, detail, [longer])
            case .cutOff:
                if let time = answer.readingTime, time.duration * 2 > answer.given {
                    let needed = Int(min(time.duration.seconds, 3598).rounded(.up)) + 1
                    add(
                        answer.sensor, .indeterminate, "\(time.reason); the limit was \(answer.given.words)",
                        [.option(.timeout(needed))] + time.remedies)
                    notices.append(time.notice(of: answer.sensor))
                } else {
                    add(
                        answer.sensor, .silent, "no answer within \(answer.given.words)",
                        [longer, .advice("if it stays silent, replug it or reload its driver")])
                }
            }
        }
    }

    /// Keeps the access of a previous result if this one lacks it only because an answer did not come in time.
    mutating func keepAccess(of previous: DriverResult) {
        guard isAccessLate, report.access == .unknown, previous.report.access != .unknown else { return }
        report.access = previous.report.access
        report.accessEvidence = previous.report.accessEvidence
        report.accessRemedies = previous.report.accessRemedies
    }

    private mutating func add(_ sensor: Sensor, _ cause: Cause, _ detail: String, _ remedies: [Remedy]) {
        var sensor = sensor
        sensor.fail(cause, detail, remedies)
        sensor.evidence.append(Evidence(sensor: sensor.key, path: sensor.path, said: detail))
        sensors.append(sensor)
    }
}

extension ReadingTime {
    fileprivate func notice(of sensor: Sensor) -> Notice {
        let faster = remedies.first.map { "; to sample faster: \($0.words)" } ?? ""
        return Notice(.slowSensor, sensor: sensor.key, detail: "\(sensor.name) \(reason)\(faster)")
    }
}

extension Duration {
    /// The duration in seconds with as many decimals as it has, such as `2 s` or `0.25 s`.
    fileprivate var words: String {
        let text = "\(seconds)"
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " s"
    }
}

extension Inventory {
    /// Merges the results of all drivers; what a driver that this build lacks would look for is unknown.
    init(_ results: [DriverResult], leftOut: [DriverReport], depth: Depth) {
        self.init(
            depth: depth,
            drivers: results.map(\.report) + leftOut,
            sensors: results.flatMap(\.sensors),
            obstacles: results.flatMap(\.obstacles)
                + leftOut.flatMap { report in
                    report.kinds.obstacles(
                        .indeterminate, "this build has no \(report.name) driver",
                        remedies: [.advice("use a build with the driver \(report.name)")], evidence: [])
                },
            notices: results.flatMap(\.notices))
    }
}
