internal import DriverKit
internal import Readiness

/// The answers of one driver in one probe.
struct DriverAnswers {
    /// Its enumeration; nil if it failed, or did not answer.
    var enumeration: Enumeration?
    /// Why it failed.
    var failure: DriverError?
    /// The findings of the candidates that answered.
    var findings: [Finding?] = []
    /// The candidates that were never read.
    var unasked: Set<Int> = []

    /// Takes the driver's enumeration; sensors that are `known`, or not open, are findings already.
    mutating func begin(_ enumeration: Enumeration, known: [Sensor: Finding]) {
        self.enumeration = enumeration
        findings = enumeration.candidates.map { $0.isOpen ? known[$0.sensor] : Finding($0.sensor) }
        unasked = Set(findings.indices.filter { findings[$0] == nil })
    }
}

/// The result of one driver in a probe, with a report of what was cut off.
struct DriverResult {
    let report: DriverReport
    let sensors: [Sensor]
    let obstacles: [Obstacle]
    let notices: [Notice]
    /// The finding of each sensor as the driver listed it, for those that answered.
    var known: [Sensor: Finding] {
        Dictionary(
            zip(candidates, findings).compactMap { candidate, finding in finding.map { (candidate.sensor, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
    private let candidates: [SensorCandidate]
    private let findings: [Finding?]

    /// Makes the result of a driver that took `elapsed` seconds.
    init(_ driver: any Driver, _ answers: DriverAnswers, elapsed: Double, timeout: Duration) {
        let timeout = timeout.seconds
        let limit = "\(timeout + driver.patience)"
        let waited = "\(limit.hasSuffix(".0") ? String(limit.dropLast(2)) : limit) s"
        func report(
            _ state: DriverReport.State, _ detail: String?, access: Access = .unknown, evidence: Evidence? = nil
        ) -> DriverReport {
            DriverReport(
                name: driver.name, kinds: driver.kinds, state: state, detail: detail,
                elapsedMilliseconds: elapsed * 1000,
                access: access, accessEvidence: evidence, accessRemedies: answers.enumeration?.accessRemedies ?? [],
                searched: answers.enumeration?.searched)
        }
        let longer = Remedy.option(.timeout(Int(min(max(timeout, 0), 800) * 4 + 1)))
        func obstacles(_ cause: Cause, _ detail: String, _ evidence: [Evidence]) -> [Obstacle] {
            let remedies: [Remedy] = [longer, .advice("find what blocks \(driver.name)")]
            return driver.kinds.map {
                Obstacle(kind: $0, cause: cause, detail: detail, remedies: remedies, evidence: evidence)
            }
        }

        guard let enumeration = answers.enumeration else {
            sensors = []
            notices = []
            candidates = []
            findings = []
            if let error = answers.failure {
                let state: DriverReport.State =
                    switch error.code {
                    case .unsupported: .unavailable
                    case .timedOut: .timedOut
                    default: .failed
                    }
                let cause: Cause = error.code == .timedOut ? driver.causeWhenStalled : .indeterminate
                self.obstacles = obstacles(cause, error.description, [error.evidence()])
                self.report = report(
                    state, error.description, access: error.isDenied ? .denied : .unknown, evidence: error.evidence())
            } else {
                let detail = "\(driver.name) did not answer within \(waited)"
                self.obstacles = obstacles(driver.causeWhenStalled, detail, [Evidence(path: driver.name, said: detail)])
                self.report = report(.timedOut, detail)
            }
            return
        }

        var cut = 0
        sensors = zip(enumeration.candidates, answers.findings).enumerated().map { index, pair in
            if let finding = pair.1 { return finding.sensor }
            cut += 1
            var sensor = pair.0.sensor
            let wasAsked = !answers.unasked.contains(index)
            sensor.availability = .unavailable(wasAsked ? .silent : .indeterminate)
            sensor.detail =
                wasAsked ? "no answer within \(waited)" : "not asked: others took the probe's \(waited)"
            sensor.remedies = [longer]
            if wasAsked { sensor.remedies.append(.advice("if it stays silent, replug it or reload its driver")) }
            sensor.evidence.append(Evidence(sensor: sensor.key, path: sensor.path, said: sensor.detail ?? ""))
            return sensor
        }
        candidates = enumeration.candidates
        findings = answers.findings
        self.obstacles = enumeration.obstacles
        notices = enumeration.notices + answers.findings.flatMap { $0?.notices ?? [] }
        self.report =
            cut == 0
            ? report(
                enumeration.state, enumeration.detail, access: enumeration.access, evidence: enumeration.accessEvidence)
            : report(
                .timedOut, "\(cut) of \(enumeration.candidates.count) sensors gave no answer within \(waited)",
                access: enumeration.access, evidence: enumeration.accessEvidence)
    }
    /// The obstacles, each with the name of the driver that reported it.
    var namedObstacles: [Obstacle] {
        obstacles.map { obstacle in
            var obstacle = obstacle
            obstacle.driver = report.name
            return obstacle
        }
    }
}

extension Inventory {
    /// Merges the results of all drivers; what a driver that this build lacks would look for is unknown.
    init(_ results: [DriverResult], leftOut: [DriverReport], depth: Depth) {
        self.init(
            depth: depth,
            drivers: results.map(\.report) + leftOut,
            sensors: results.flatMap(\.sensors),
            obstacles: results.flatMap(\.namedObstacles)
                + leftOut.flatMap { report in
                    report.kinds.map { kind in
                        Obstacle(
                            kind: kind, cause: .indeterminate,
                            detail: "this build has no \(report.name) driver",
                            remedies: [.advice("use a build with the driver \(report.name)")])
                    }
                },
            notices: results.flatMap(\.notices))
    }
}
