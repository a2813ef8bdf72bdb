import Support
import Testing
@testable import Readiness

@Suite("Comparison with a baseline")
struct ComparisonTests {
    private static func sensor(
        _ key: String, _ kind: SensorKind = .gyroscope, name: String = "bmi160", label: String? = nil,
        is availability: Availability = .available
    ) -> Sensor {
        Sensor(
            key: key, kind: kind, name: name, driver: kind == .bluetoothAdapter ? "bluetooth" : "iio", label: label,
            availability: availability, detail: "detail of \(key)", remedies: [.advice("remedy of \(key)")])
    }

    private static func inventory(_ sensors: [Sensor], obstacles: [Obstacle] = []) -> Inventory {
        Inventory(
            depth: .sample,
            drivers: [
                DriverReport(name: "iio", kinds: [.accelerometer, .gyroscope, .stepCounter], state: .ok),
                DriverReport(name: "bluetooth", kinds: [.bluetoothAdapter], state: .ok),
            ], sensors: sensors, obstacles: obstacles)
    }

    /// The differences in short: `worse gyroscope a: available > silent`.
    private static func lines(_ expected: Baseline, _ found: Inventory) -> [String] {
        Comparison(expected, with: found, [], []).differences.map(\.line)
    }

    private static func lines(before: [Sensor], now: [Sensor], obstacles: [Obstacle] = []) -> [String] {
        lines(Baseline(inventory(before), [], []), inventory(now, obstacles: obstacles))
    }

    @Test(arguments: [
        (Availability.available, Availability.available, nil as String?),
        (.available, .unavailable(.silent), "worse"),
        (.available, .unavailable(.indeterminate), "unknown"),
        (.unavailable(.silent), .available, "better"),
        (.unavailable(.silent), .unavailable(.silent), nil),
        (.unavailable(.silent), .unavailable(.noDriver), "worse"),
        (.unavailable(.unreachable), .unavailable(.noFix), "better"),
        (.unavailable(.silent), .unavailable(.indeterminate), "unknown"),
        (.unavailable(.indeterminate), .available, "better"),
        (.unavailable(.indeterminate), .unavailable(.silent), "worse"),
        (.unavailable(.indeterminate), .unavailable(.indeterminate), nil),
        (.available, .unavailable(.absent), "missing"),
        (.unavailable(.absent), .available, "new"),
        (.unavailable(.absent), .unavailable(.absent), nil),
    ])
    func `the availability of one sensor is compared`(before: Availability, now: Availability, id: String?) {
        let differences = Comparison(
            Baseline(Self.inventory([Self.sensor("a", is: before)]), [], []),
            with: Self.inventory([Self.sensor("a", is: now)]), [], []
        ).differences
        #expect(differences.map(\.id.rawValue) == [id].compactMap(\.self))
        if ["worse", "missing", "unknown"].contains(id) { #expect(differences.first?.remedy == "remedy of a") }
    }

    @Test func `identity is kind and key`() {
        #expect(
            Self.lines(before: [Self.sensor("a")], now: [Self.sensor("a", .accelerometer)]) == [
                "missing gyroscope a: available > absent", "new accelerometer a: nil > available",
            ])
        #expect(Self.lines(before: [Self.sensor("a")], now: [Self.sensor("a", name: "renamed")]) == [])
        #expect(
            Self.lines(before: [Self.sensor("a")], now: [Self.sensor("a"), Self.sensor("b")]) == [
                "new gyroscope b: nil > available"
            ])
    }

    @Test func `a chip that is gone at one key and new at another has moved, in key order`() {
        #expect(
            Self.lines(
                before: [Self.sensor("b"), Self.sensor("a"), Self.sensor("c")],
                now: [Self.sensor("y"), Self.sensor("x")]
            ) == [
                "missing gyroscope c: available > absent", "moved gyroscope x: a > x", "moved gyroscope y: b > y",
            ])
        #expect(
            Self.lines(before: [Self.sensor("a")], now: [Self.sensor("b", name: "mpu6050")]) == [
                "missing gyroscope a: available > absent", "new gyroscope b: nil > available",
            ])
        #expect(
            Self.lines(before: [Self.sensor("a", label: "front")], now: [Self.sensor("b", label: "back")]).count == 2)
        #expect(
            Self.lines(before: [Self.sensor("a", label: "front")], now: [Self.sensor("b", label: "front")]) == [
                "moved gyroscope b: a > b"
            ])
        #expect(
            Self.lines(before: [Self.sensor("a")], now: [Self.sensor("b", is: .unavailable(.silent))]) == [
                "worse gyroscope b: available > silent", "moved gyroscope b: a > b",
            ])
    }

    @Test func `a controller is identified by its address, else by its name`() {
        let first = Self.sensor("00:AA:01:00:00:00", .bluetoothAdapter, name: "hci0")
        let second = Self.sensor("00:AA:01:00:00:01", .bluetoothAdapter, name: "hci0")
        let untold = Self.sensor("usb-1-1:1.0", .bluetoothAdapter, name: "hci0", is: .unavailable(.indeterminate))
        #expect(Self.lines(before: [first], now: [second]).map { $0.prefix(7) } == ["missing", "new blu"])
        #expect(
            Self.lines(before: [first], now: [untold]) == [
                "unknown bluetoothAdapter usb-1-1:1.0: available > indeterminate"
            ])
    }

    @Test func `a kind's obstacle decides the status of a sensor that is not listed`() {
        func lines(_ cause: Cause, _ driver: String?, kind: SensorKind = .gyroscope) -> [String] {
            var obstacle = Obstacle(kind: kind, cause: cause, detail: "why")
            obstacle.driver = driver
            return Self.lines(before: [Self.sensor("a")], now: [], obstacles: [obstacle])
        }
        #expect(lines(.indeterminate, "iio") == ["unknown gyroscope a: available > indeterminate"])
        #expect(lines(.indeterminate, nil) == ["unknown gyroscope a: available > indeterminate"])
        #expect(lines(.softBlocked, "iio") == ["worse gyroscope a: available > softBlocked"])
        #expect(lines(.absent, "iio") == ["missing gyroscope a: available > absent"])
        #expect(lines(.unreachable, "ip:board") == ["missing gyroscope a: available > absent"])
        #expect(lines(.indeterminate, "iio", kind: .accelerometer) == ["missing gyroscope a: available > absent"])
        // A context that was not named now was not probed, even if its twin is new elsewhere.
        var remote = Self.sensor("ip:board!iio:device0")
        remote.driver = "ip:board"
        #expect(
            Self.lines(before: [remote], now: [Self.sensor("a")]) == [
                "unknown gyroscope ip:board!iio:device0: available > indeterminate",
                "new gyroscope a: nil > available",
            ])
    }

    @Test func `a manifest that names no driver blames no obstacle of one among several`() {
        let manifest = Baseline(.manifest, sensors: [.init(kind: .gyroscope, key: "a")])
        var now = Self.inventory([], obstacles: [Obstacle(kind: .gyroscope, cause: .unreachable, detail: "why")])
        #expect(Self.lines(manifest, now) == ["worse gyroscope a: available > unreachable"])
        now.drivers.append(DriverReport(name: "ip:board", kinds: [.gyroscope], state: .ok))
        #expect(Self.lines(manifest, now) == ["unknown gyroscope a: available > indeterminate"])
    }

    @Test func `counts use the best sensors without a named key`() {
        func lines(_ count: Int, _ now: [Sensor], keyed: String? = nil) -> [String] {
            Self.lines(
                Baseline(
                    .manifest, sensors: keyed.map { [.init(kind: .gyroscope, key: $0)] } ?? [],
                    counts: [.gyroscope: count]), Self.inventory(now))
        }
        let good = Self.sensor("z")
        let silent = Self.sensor("a", is: .unavailable(.silent))
        #expect(lines(1, [silent, good]) == [])
        #expect(lines(2, [silent, good]) == ["worse gyroscope a: available > silent"])
        #expect(
            lines(3, [silent, good]) == [
                "missing gyroscope nil: 3 > 2", "worse gyroscope a: available > silent",
            ])
        #expect(lines(1, [good], keyed: "z") == ["missing gyroscope nil: 1 > 0"])
        #expect(lines(1, [good, Self.sensor("zz")]) == ["new gyroscope zz: nil > available"])
    }

    @Test func `a manifest ignores unlisted unavailable sensors, and all without a list`() {
        let now = Self.inventory([Self.sensor("a"), Self.sensor("b", is: .unavailable(.noDriver))])
        #expect(Self.lines(Baseline(.manifest, sensors: []), now) == ["new gyroscope a: nil > available"])
        #expect(Self.lines(Baseline(.manifest), now) == [])
        let own = Baseline(manifestOf: Assessment(now, [], [], strict: false))
        #expect(own.sensors?.map(\.key) == ["a"])
        #expect(Self.lines(own, now) == [])
    }

    private static func results(_ met: RequirementSet, unknown: RequirementSet = []) throws -> [ServiceResult] {
        try Evaluator().results(for: RequirementStatuses(met: met, unknown: unknown))
    }

    @Test(
        arguments: [
            (Verdict.runs, RequirementSet.all, RequirementSet(), nil as String?),
            (.runs, [], [], "worse service places: runs > fails"),
            (.runs, [], .all, "unknown service places: runs > undetermined"),
            (.fails, [], .all, "unknown service places: fails > undetermined"),
            (.fails, .all, [], "better service places: fails > runs"),
            (.undetermined, [], [], "worse service places: undetermined > fails"),
            (.undetermined, .all, [], "better service places: undetermined > runs"),
            (.unauthorized, [], [], nil),
        ] as [(Verdict, RequirementSet, RequirementSet, String?)])
    func `verdicts are compared`(before: Verdict, met: RequirementSet, unknown: RequirementSet, line: String?) throws {
        let comparison = Comparison(
            Baseline(.probe, services: [.places: before]), with: Self.inventory([]), [],
            try Self.results(met, unknown: unknown))
        #expect(comparison.differences.map(\.line) == [line].compactMap(\.self))
    }

    @Test func `a degraded service runs for a manifest, unless strict, but is worse than another probe`() throws {
        let results = try Self.results([.location, .preciseLocation])
        #expect(results.contains { $0.service == .assistanceCall && $0.verdict == .runs })
        let without = try Self.results([])
        let call = try #require(without.first { $0.service == .assistanceCall })
        #expect(call.verdict == .degraded)
        func lines(_ origin: Baseline.Origin, strict: Bool) -> [String] {
            Comparison(
                Baseline(origin, services: [.assistanceCall: .runs]), with: Self.inventory([]), [], without,
                strict: strict
            ).differences.map(\.line)
        }
        #expect(lines(.manifest, strict: false) == [])
        #expect(lines(.manifest, strict: true) == ["worse service assistanceCall: runs > degraded"])
        #expect(lines(.probe, strict: false) == ["worse service assistanceCall: runs > degraded"])
    }

    @Test func `a blocked service gives its parent's reason, not its optional requirements`() throws {
        let requirementResults = [
            RequirementResult(
                requirement: .location, status: .unmet, causes: [.unreachable], detail: "gpsd is down",
                remedies: [.advice("start gpsd")]),
            RequirementResult(
                requirement: .bluetooth, status: .unmet, causes: [.absent], detail: "no controller",
                remedies: [.advice("plug one in")]),
        ]
        let comparison = Comparison(
            Baseline(.probe, services: [.deviceDiscovery: .runs]), with: Self.inventory([]), requirementResults,
            try Self.results(RequirementSet.all.subtracting([.location, .preciseLocation, .bluetooth])))
        let difference = try #require(comparison.differences.first)
        #expect(difference.after == "blocked")
        #expect(difference.detail == "driving does not run: gpsd is down")
        #expect(difference.remedy == "start gpsd")
    }

    @Test func `a service that is not asked for is unknown to a manifest`() throws {
        let results = try Evaluator(of: ServiceSet(.places)).results(for: RequirementStatuses(met: .all))
        for (origin, count) in [(Baseline.Origin.manifest, 1), (.probe, 0)] {
            let comparison = Comparison(
                Baseline(origin, services: [.health: .runs]), with: Self.inventory([]), [], results)
            #expect(comparison.differences.count == count)
        }
    }

    @Test(
        arguments: [
            ([], ReadinessStatus.ready), ([.moved, .new, .better], .ready), ([.unknown, .new], .undetermined),
            ([.unknown, .worse], .notReady), ([.missing], .notReady),
        ] as [([Difference.ID], ReadinessStatus)])
    func `the outcome follows the findings`(ids: [Difference.ID], outcome: ReadinessStatus) {
        var before: [Sensor] = []
        var now: [Sensor] = []
        for (index, id) in ids.enumerated() {
            let kind = SensorKind.allCases[index]
            func one(_ key: String, _ availability: Availability = .available) -> Sensor {
                Self.sensor(key, kind, is: availability)
            }
            if id != .new, id != .changed {
                before.append(one("a", id == .better ? .unavailable(.silent) : .available))
            }
            switch id {
            case .missing, .changed: break
            case .worse: now.append(one("a", .unavailable(.silent)))
            case .unknown: now.append(one("a", .unavailable(.indeterminate)))
            case .moved: now.append(one("b"))
            case .new, .better: now.append(one("a"))
            }
        }
        let comparison = Comparison(Baseline(Self.inventory(before), [], []), with: Self.inventory(now), [], [])
        #expect(Set(comparison.differences.map(\.id)) == Set(ids))
        #expect(comparison.status == outcome)
    }
}

extension Difference {
    /// In short: `worse gyroscope a: available > silent`, `changed gyroscope a label: nil > front`.
    var line: String {
        let what =
            switch subject {
            case .sensor(let kind, let key, _): "\(kind.id) \(key ?? "nil")"
            case .requirement(let requirement): "requirement \(requirement.id)"
            case .service(let service): "service \(service.id)"
            case .authorization(let permission): "authorization \(permission.rawValue)"
            case .driver(let name): "driver \(name)"
            case .obstacle(let kind, let cause): "obstacle \(kind.id) \(cause.id)"
            case .notice(let id): "notice \(id.rawValue)"
            }
        let aspect = property.map { " \($0)" } ?? ""
        return "\(id.rawValue) \(what)\(aspect): \(before ?? "nil") > \(after ?? "nil")"
    }
}
