import Readiness
import Support
import Testing

/// The evaluator's results for inventories made by hand.
@Suite struct JudgementTests {
    static func allowed(_ status: LocationStatus = .authorizedAlways) -> Authorizations {
        Authorizations(
            location: Authorization(status, evidence: "e"), motion: Authorization(.allowed, evidence: "e"),
            bluetooth: Authorization(.allowed, evidence: "e"), health: Authorization(.allowed, evidence: "e"))
    }

    static func sensor(
        _ key: String, _ kind: SensorKind, _ cause: Cause? = nil, access: Access = .readable, label: String? = nil
    ) -> Sensor {
        Sensor(
            key: key, kind: kind, name: "chip", driver: "test", label: label,
            availability: cause.map { .unavailable($0) } ?? .available, access: access)
    }

    private func judge(
        _ requirement: Requirement, _ sensors: [Sensor], obstacles: [Obstacle] = [],
        _ authorizations: Authorizations = allowed(), pins: [SensorKind: String] = [:]
    ) throws -> RequirementResult {
        let inventory = Inventory(depth: .sample, sensors: sensors, obstacles: obstacles)
        return try #require(
            RequirementEvaluator(inventory, authorizations, pins: pins).results().first {
                $0.requirement == requirement
            })
    }

    @Test func `one good sensor is enough and is named`() throws {
        let judgement = try judge(
            .gyroscope, [Self.sensor("bad", .gyroscope, .faulty), Self.sensor("good", .gyroscope)])
        #expect(judgement.status == .met)
        #expect(judgement.decidedBy == ["good"])
    }

    @Test func `among unavailable sensors the best one's cause is reported`() throws {
        // The order of reporting, best first, as the design defines it.
        let order: [Cause] = [
            .unreachable, .stale, .noFix, .silent, .faulty, .poweredOff, .softBlocked, .hardBlocked, .inactive,
            .denied, .noDriver, .absent,
        ]
        for (better, worse) in zip(order, order.dropFirst()) {
            func made(_ cause: Cause) -> Sensor {
                guard cause == .denied else { return Self.sensor("\(cause)", .locationReceiver, cause) }
                var refused = Self.sensor("\(cause)", .locationReceiver, .indeterminate, access: .denied)
                refused.isValueDenied = true
                return refused
            }
            let judgement = try judge(.location, [made(worse), made(better)])
            #expect(judgement.cause == better, "\(better) before \(worse)")
            #expect(judgement.causes == [better, worse])
            #expect(judgement.status == .unmet)
        }
    }

    @Test func `a remark on an available sensor does not prevent capturing`() throws {
        var sensor = Self.sensor("a", .accelerometer, access: .denied)
        sensor.detail = "50 Hz"
        let judgement = try judge(.motion, [sensor])
        #expect(judgement.cause == .denied && judgement.detail == "chip is denied")
    }

    @Test func `the remedy of an unknown receiver names no node`() throws {
        let remedy = try #require(try judge(.location, []).remedy)
        #expect(remedy.hasSuffix("sudo gpsdctl add") && !remedy.contains("/dev/tty"))
    }

    @Test func `an indeterminate sensor may be available`() throws {
        let judgement = try judge(
            .gyroscope, [Self.sensor("a", .gyroscope, .faulty), Self.sensor("b", .gyroscope, .indeterminate)])
        #expect(judgement.status == .unknown)
        #expect(judgement.cause == .indeterminate)
    }

    @Test func `an inaccessible node does not affect a value that was not read`() throws {
        let judgement = try judge(.gyroscope, [Self.sensor("a", .gyroscope, .indeterminate, access: .denied)])
        #expect(judgement.status == .unknown)
    }

    @Test func `a removed sensor cannot be captured from`() throws {
        #expect(try judge(.motion, [Self.sensor("a", .gyroscope, .absent)]).cause == .absent)
    }

    @Test func `an absence rests on what was searched`() throws {
        let report = DriverReport(
            name: "d", kinds: [.gyroscope], state: .ok, searched: Evidence(path: "/sys", said: "no device"))
        let requirementResults = RequirementEvaluator(Inventory(depth: .sample, drivers: [report]), Self.allowed())
            .results()
        #expect(
            requirementResults.first { $0.requirement == .gyroscope }?.evidence == [
                Evidence(path: "/sys", said: "no device")
            ])
        #expect(requirementResults.first { $0.requirement == .bluetooth }?.evidence == [])
    }

    @Test func `absent is reported only without obstacles`() throws {
        #expect(try judge(.gyroscope, []).cause == .absent)
        let obstacle = Obstacle(kind: .gyroscope, cause: .indeterminate, detail: "d")
        #expect(try judge(.gyroscope, [], obstacles: [obstacle]).status == .unknown)
    }

    @Test func `authorization is reported before the hardware`() throws {
        let judgement = try judge(.location, [Self.sensor("r", .locationReceiver, .noFix)], Self.allowed(.denied))
        #expect(judgement.causes == [.denied, .noFix])
    }

    @Test(arguments: [LocationStatus.denied, .restricted, .notDetermined])
    func `a location that is not allowed is one root cause`(status: LocationStatus) throws {
        let receiver = Self.sensor("r", .locationReceiver)
        for requirement in [Requirement.preciseLocation, .backgroundLocation] {
            let judgement = try judge(requirement, [receiver], Self.allowed(status))
            #expect(judgement.status == .unmet)
            #expect(judgement.rootCause == .location)
        }
    }

    @Test func `reduced accuracy leaves location met`() throws {
        var reduced = Self.allowed()
        reduced.accuracy.status = .reducedAccuracy
        let receiver = Self.sensor("r", .locationReceiver)
        #expect(try judge(.location, [receiver], reduced).status == .met)
        let precise = try judge(.preciseLocation, [receiver], reduced)
        #expect(precise.cause == .reducedAccuracy)
        #expect(precise.rootCause == nil)
    }

    @Test func `when in use leaves only the background unmet`() throws {
        let receiver = Self.sensor("r", .locationReceiver)
        #expect(try judge(.location, [receiver], Self.allowed(.authorizedWhenInUse)).status == .met)
        #expect(
            try judge(.backgroundLocation, [receiver], Self.allowed(.authorizedWhenInUse)).cause == .foregroundOnly)
    }

    /// A receiver that has no position yet is a location all the same; a dead or a missing one is none.
    @Test(
        arguments: [
            (nil, RequirementStatus.met), (.noFix, .met), (.stale, .met), (.silent, .unmet), (.faulty, .unmet),
            (.inactive, .unmet), (.noDriver, .unmet), (.absent, .unmet), (.unreachable, .unmet),
            (.indeterminate, .unknown),
        ] as [(Cause?, RequirementStatus)])
    func `background location follows from a location that exists`(
        cause: Cause?, status: RequirementStatus
    ) throws {
        let judgement = try judge(.backgroundLocation, [Self.sensor("r", .locationReceiver, cause)])
        #expect(judgement.status == status)
        if status != .met { #expect(judgement.rootCause == .location && judgement.cause == cause) }
    }

    @Test func `without a receiver there is no background location`() throws {
        let judgement = try judge(.backgroundLocation, [])
        #expect(judgement.status == .unmet && judgement.cause == .absent)
        #expect(judgement.detail == "no receiver was found")
    }

    // MARK: Precision

    private func position(
        _ fix: PositionReading.Fix = .threeDimensional, _ kind: PositionReading.FixKind = .normal, error: Double? = 5
    ) -> Sensor {
        var receiver = Self.sensor("r", .locationReceiver)
        receiver.reading = .position(
            PositionReading(fix: fix, fixKind: kind, latitude: 48, longitude: 11, horizontalError: error))
        return receiver
    }

    private func precise(_ receivers: [Sensor], _ criteria: PrecisionCriteria = PrecisionCriteria()) throws
        -> RequirementResult
    {
        let results = RequirementEvaluator(
            Inventory(depth: .sample, sensors: receivers), Self.allowed(), precision: criteria
        ).results()
        #expect(results[0].status == .met)
        return results[1]
    }

    /// The horizontal error is at most the limit, and never exactly zero; one that is not reported is no obstacle.
    @Test(
        arguments: [
            (nil, 100, nil), (0.001, 100, nil), (99.99, 100, nil), (100, 100, nil), (100.01, 100, .reducedAccuracy),
            (99_000, 100, .reducedAccuracy), (0, 100, .faulty), (5, 4.9, .reducedAccuracy), (5, 5, nil),
        ] as [(Double?, Double, Cause?)])
    func `a precise location has an error within the limit`(error: Double?, limit: Double, cause: Cause?) throws {
        let judgement = try precise([position(error: error)], PrecisionCriteria(maximumError: limit))
        #expect(judgement.cause == cause && judgement.status == (cause == nil ? .met : .unmet))
        if cause != nil { #expect(judgement.decidedBy == ["r"] && !judgement.remedies.isEmpty) }
    }

    @Test(arguments: PositionReading.FixKind.allCases)
    func `a position that is extrapolated or assumed is not precise unless it is allowed`(
        kind: PositionReading.FixKind
    ) throws {
        let isEstimated = kind == .deadReckoning || kind == .timeOnly
        let judgement = try precise([position(.threeDimensional, kind)])
        #expect(judgement.cause == (isEstimated ? .reducedAccuracy : nil))
        #expect(judgement.remedies.contains(.option(.allowEstimated)) == isEstimated)
        let lenient = try precise([position(.threeDimensional, kind)], PrecisionCriteria(allowsEstimated: true))
        #expect(lenient.status == .met)
    }

    @Test func `a report without a fix is not precise`() throws {
        #expect(try precise([position(.none, .unknown, error: nil)]).cause == .noFix)
    }

    @Test func `one precise receiver is enough and is named`() throws {
        var good = position()
        good.key = "good"
        let judgement = try precise([position(error: 99_000), good])
        #expect(judgement.status == .met && judgement.decidedBy == ["good"])
    }

    @Test func `the error is printed in metres or kilometres, with the limit`() throws {
        #expect(
            try precise([position(error: 99_000)]).detail
                == "chip: its horizontal error is 99 km; the limit is 100 m")
        #expect(
            try precise([position(error: 5.25)], PrecisionCriteria(maximumError: 4.2)).detail
                == "chip: its horizontal error is 5.3 m; the limit is 4.2 m")
    }

    @Test func `undetermined Bluetooth is not probed`() throws {
        var undecided = Self.allowed()
        undecided.bluetooth.status = .notDetermined
        let judgement = try judge(.bluetooth, [Self.sensor("c", .bluetoothAdapter, .poweredOff)], undecided)
        #expect(judgement.status == .unchecked)
        #expect(judgement.causes == [.notDetermined])
    }

    /// The only motion sensor in each state, with each access: what may be captured from must deliver.
    @Test(
        arguments: [
            (nil, Access.readable, nil), (.silent, .readable, .silent), (.faulty, .readable, .faulty),
            (.absent, .readable, .absent), (.poweredOff, .readable, .poweredOff),
            (.indeterminate, .readable, .indeterminate), (nil, .denied, .denied), (.silent, .denied, .denied),
            (.faulty, .denied, .denied), (.absent, .denied, .absent), (.indeterminate, .denied, .denied),
            (nil, .unknown, .indeterminate), (.silent, .unknown, .silent), (.absent, .unknown, .absent),
            (.indeterminate, .unknown, .indeterminate), (.noDriver, .unknown, .noDriver),
        ] as [(Cause?, Access, Cause?)])
    func `motion needs a sensor that may be captured from and delivers`(
        cause: Cause?, access: Access, expected: Cause?
    ) throws {
        for kind in [SensorKind.accelerometer, .gyroscope] {
            let judgement = try judge(.motion, [Self.sensor("a", kind, cause, access: access)])
            #expect(judgement.cause == expected)
            #expect(
                judgement.status == (expected == nil ? .met : expected == .indeterminate ? .unknown : .unmet))
            #expect(judgement.decidedBy == ["a"])
        }
    }

    @Test func `motion is met by the one sensor that delivers`() throws {
        let sensors = [
            Self.sensor("dead", .accelerometer, .silent), Self.sensor("locked", .accelerometer, access: .denied),
            Self.sensor("good", .gyroscope),
        ]
        let judgement = try judge(.motion, sensors)
        #expect(judgement.status == .met && judgement.decidedBy == ["good"])
    }

    @Test func `the reason for motion is the evidence of the access`() throws {
        var locked = Self.sensor("a", .accelerometer, access: .denied)
        locked.accessEvidence = Evidence(path: "/dev/iio:device0", errno: "EPERM", said: "rw-rw---- 0:900")
        locked.evidence = [try #require(locked.accessEvidence), Evidence(path: "in_accel_x_raw", said: "read \"12\"")]
        locked.accessRemedies = [.option(.asRoot)]
        let judgement = try judge(.motion, [locked])
        #expect(judgement.detail == "/dev/iio:device0: rw-rw---- 0:900")
        #expect(judgement.evidence == [locked.accessEvidence] && judgement.remedies == [.option(.asRoot)])
    }

    @Test func `motion without access or sensors`() throws {
        let denied = try judge(.motion, [Self.sensor("a", .accelerometer, access: .denied)])
        #expect(denied.cause == .denied)
        #expect(try judge(.motion, []).cause == .absent)
    }

    @Test func `only the pinned sensor is evaluated`() throws {
        let sensors = [
            Self.sensor("a", .gyroscope), Self.sensor("b", .gyroscope, .silent, label: "wheel"),
        ]
        #expect(try judge(.gyroscope, sensors, pins: [.gyroscope: "b"]).cause == .silent)
        #expect(try judge(.gyroscope, sensors, pins: [.gyroscope: "wheel"]).cause == .silent)
        #expect(try judge(.gyroscope, sensors, pins: [.gyroscope: "a"]).status == .met)
        #expect(try judge(.gyroscope, sensors, pins: [.gyroscope: "c"]).cause == .absent)
        #expect(try judge(.accelerometer, sensors, pins: [.gyroscope: "a"]).cause == .absent)
    }

    @Test func `a pinned receiver that cannot be looked for is not absent`() throws {
        let obstacle = Obstacle(
            kind: .locationReceiver, cause: .unreachable, detail: "nothing answers", remedies: [], evidence: [])
        let pinned = try judge(.location, [], obstacles: [obstacle], pins: [.locationReceiver: "/dev/gnss0"])
        #expect(pinned.status == .unmet && pinned.causes == [.unreachable])
    }

    @Test func `a label of two sensors pins neither`() throws {
        let sensors = [Self.sensor("a", .gyroscope, label: "x"), Self.sensor("b", .gyroscope, label: "x")]
        #expect(try judge(.gyroscope, sensors, pins: [.gyroscope: "x"]).cause == .absent)
    }

    @Test func `a step counter that is off is not a store`() throws {
        let off = [Self.sensor("s", .stepCounter, .poweredOff)]
        #expect(try judge(.healthStore, off).cause == .poweredOff)
        #expect(try judge(.stepsRead, off).rootCause == .healthStore)
        let faulty = [Self.sensor("s", .stepCounter, .faulty)]
        #expect(try judge(.healthStore, faulty).cause == .faulty)
        #expect(try judge(.stepsRead, faulty).cause == .faulty)
        var denied = Self.sensor("s", .stepCounter, .indeterminate, access: .denied)
        denied.isValueDenied = true
        #expect(try judge(.healthStore, [denied]).status == .met)
    }

    @Test func `steps that access denies name the counters that are denied`() throws {
        var authorizations = Self.allowed()
        authorizations.health = Authorization(.denied, evidence: "not in the group")
        let counters = [
            Self.sensor("a", .stepCounter, access: .denied), Self.sensor("b", .stepCounter, access: .readable),
        ]
        let named = try judge(.stepsRead, counters, authorizations)
        #expect(named.causes == [.denied] && named.decidedBy == ["a"])
        let unnamed = try judge(.stepsRead, [Self.sensor("b", .stepCounter)], authorizations)
        #expect(unnamed.causes == [.denied] && unnamed.decidedBy == [])
        #expect(unnamed.detail == "not in the group")
    }

    @Test func `a worse fact never makes a requirement better`() throws {
        // Every pair of availabilities of two sensors, each degraded in turn.
        let order: [Cause?] =
            [nil] + Cause.allCases.filter { $0.rawValue >= Cause.unreachable.rawValue && $0 != .indeterminate }
        func rank(_ status: RequirementStatus) -> Int { status == .met ? 0 : status == .unknown ? 1 : 2 }
        for first in order {
            for (better, worse) in zip(order, order.dropFirst()) {
                let before = try judge(
                    .gyroscope, [Self.sensor("a", .gyroscope, first), Self.sensor("b", .gyroscope, better)])
                let after = try judge(
                    .gyroscope, [Self.sensor("a", .gyroscope, first), Self.sensor("b", .gyroscope, worse)])
                #expect(rank(before.status) <= rank(after.status))
            }
        }
    }
}
