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

    @Test func `background location asks for no fix`() throws {
        #expect(try judge(.backgroundLocation, []).status == .met)
    }

    @Test func `undetermined Bluetooth is not probed`() throws {
        var undecided = Self.allowed()
        undecided.bluetooth.status = .notDetermined
        let judgement = try judge(.bluetooth, [Self.sensor("c", .bluetoothAdapter, .poweredOff)], undecided)
        #expect(judgement.status == .unchecked)
        #expect(judgement.causes == [.notDetermined])
    }

    @Test func `motion requires access, not data`() throws {
        #expect(try judge(.motion, [Self.sensor("a", .accelerometer, .silent)]).status == .met)
        let denied = try judge(.motion, [Self.sensor("a", .accelerometer, access: .denied)])
        #expect(denied.cause == .denied)
        #expect(try judge(.motion, []).cause == .absent)
        #expect(try judge(.motion, [Self.sensor("a", .gyroscope, .noDriver, access: .unknown)]).cause == .noDriver)
        #expect(try judge(.motion, [Self.sensor("a", .gyroscope, access: .unknown)]).status == .unknown)
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
        #expect(try judge(.healthStore, faulty).status == .met)
        #expect(try judge(.stepsRead, faulty).cause == .faulty)
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
