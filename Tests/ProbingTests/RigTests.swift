import DriverKit
import Readiness
import LocalRig
import Support
import SystemPackage
import Testing

@Suite struct RigTests {
    private func probe(
        _ drivers: [StubDriver], timeout: Duration = .seconds(1), longest: Duration? = nil,
        waiting: ([PendingReading]) -> Void = { _ in }
    ) throws -> Inventory {
        try Probe(drivers.map { DriverBinding($0, in: FakeWorld()) }).inventory(
            depth: .sample, limit: ProbeLimit(timeout, longest: longest), waiting: waiting)
    }

    @Test func `the findings of all drivers are merged`() throws {
        let inventory = try probe([
            StubDriver(name: "one", kinds: [.gyroscope], candidates: ["b", "a"]),
            StubDriver(name: "two", kinds: [.accelerometer], candidates: ["c"]),
        ])
        #expect(inventory.sensors.map(\.key) == ["c", "a", "b"])
        #expect(inventory.drivers.map(\.state) == [.ok, .ok])
        #expect(inventory.sensors.allSatisfy { $0.reading == .steps(7) })
        #expect(inventory.obstacles.isEmpty)
    }

    @Test func `a driver of very many sensors is bounded, and kinds without one are unknown`() throws {
        let keys = (0..<1500).map { "k\($0)" }
        let inventory = try probe([
            StubDriver(kinds: [.accelerometer, .gyroscope], candidates: keys, closed: Set(keys))
        ])
        #expect(inventory.sensors.count == 1024)
        #expect(inventory.notices.map(\.id) == [.tooManySensors])
        #expect(inventory.obstacles.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(inventory.obstacles.allSatisfy { $0.cause == .indeterminate && !$0.evidence.isEmpty })
    }

    @Test(.waits) func `a hanging sensor affects only its own line`() throws {
        let driver = StubDriver(candidates: ["a", "stuck", "b", "c"], hanging: ["stuck"])
        defer { driver.gate.open() }
        let inventory = try probe([driver], timeout: .seconds(4))
        let availability = Dictionary(uniqueKeysWithValues: inventory.sensors.map { ($0.key, $0.availability) })
        #expect(availability["stuck"] == .unavailable(.silent))
        #expect(availability["a"] == .available)
        #expect(availability["b"] == .available)
        #expect(availability["c"] == .available)
        #expect(inventory.drivers[0].state == .timedOut)
        let stuck = try #require(inventory.sensors.first { $0.key == "stuck" })
        #expect(stuck.detail == "no answer within 4 s")
        #expect(stuck.evidence.contains { $0.sensor == "stuck" })
    }

    @Test func `a late value is not a reading however long another may take`() throws {
        let late = StubDriver(candidates: ["late"], hanging: ["late"])
        let patient = StubDriver(
            name: "patient", kinds: [.locationReceiver], patience: .seconds(1), candidates: ["slow"], hanging: ["slow"])
        defer { patient.gate.open() }
        // Opens after the first driver's deadline and before the second's.
        Thread.start {
            Thread.sleep(milliseconds: 600); late.gate.open()
        }
        let inventory = try probe([late, patient], timeout: .milliseconds(300))
        let sensor = try #require(inventory.sensors.first { $0.key == "late" })
        #expect(sensor.availability == .unavailable(.silent))
        #expect(sensor.reading == nil)
    }

    @Test func `a sensor that was never read is unknown`() throws {
        // More stuck sensors than a driver has workers.
        let keys = (0..<40).map { "k\($0 + 10)" }
        let driver = StubDriver(candidates: keys, hanging: Set(keys))
        defer { driver.gate.open() }
        let inventory = try probe([driver], timeout: .milliseconds(600))
        #expect(inventory.sensors.first?.availability == .unavailable(.silent))
        #expect(inventory.sensors.last?.availability == .unavailable(.indeterminate))
        #expect(inventory.sensors.last?.detail == "not read: the probe waited 0.6 s for another sensor")
        #expect(driver.reads.most <= 32)
    }

    // MARK: - Concurrency

    @Test func `slow sensors are read concurrently`() throws {
        let keys = (0..<12).map { "k\($0 + 10)" }
        // Sequentially, none would return.
        let driver = StubDriver(candidates: keys, quorum: 12)
        defer { driver.gate.open() }
        let inventory = try probe([driver], timeout: .seconds(20))
        #expect(inventory.sensors.allSatisfy { $0.availability == .available })
        #expect(driver.reads.most == 12)
    }

    @Test func `sensors of one group are never read at the same time`() throws {
        let keys = (0..<30).map { "k\($0 + 10)" }
        let groups = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, "chip\($0 / 10)") })
        // All three groups are read at the same time once.
        let driver = StubDriver(candidates: keys, groups: groups, quorum: 3)
        defer { driver.gate.open() }
        let inventory = try probe([driver], timeout: .seconds(20))
        #expect(inventory.sensors.allSatisfy { $0.availability == .available })
        #expect(driver.reads.most == 3)
        #expect(driver.reads.mostOfAGroup == 1)
    }

    @Test(.waits) func `a stuck sensor blocks only its group`() throws {
        let driver = StubDriver(
            candidates: ["a", "stuck", "mate", "b"], hanging: ["stuck"], groups: ["stuck": "chip", "mate": "chip"])
        defer { driver.gate.open() }
        let inventory = try probe([driver], timeout: .seconds(2))
        let details = Dictionary(uniqueKeysWithValues: inventory.sensors.map { ($0.key, $0.detail) })
        #expect(
            details == [
                "a": nil, "b": nil, "stuck": "no answer within 2 s",
                "mate": "not read: the probe waited 2 s for another sensor",
            ])
        #expect(inventory.drivers[0].detail == "2 of 4 sensors gave no answer within 2 s")
    }

    @Test func `a driver that hangs completely hides no other`() throws {
        let stuck = StubDriver(
            name: "stuck", kinds: [.locationReceiver], causeWhenStalled: .unreachable, surveyHangs: true)
        defer { stuck.gate.open() }
        let inventory = try probe([stuck, StubDriver(candidates: ["a"])], timeout: .milliseconds(300))
        #expect(inventory.drivers.map(\.state) == [.timedOut, .ok])
        #expect(inventory.sensors.map(\.key) == ["a"])
        #expect(inventory.obstacles.map(\.cause) == [.unreachable])
        #expect(inventory.obstacles.map(\.kind) == [.locationReceiver])
    }

    // MARK: - Slow sensors

    private func slow(_ seconds: Double, _ keys: [String] = ["slow"]) -> StubDriver {
        let time = ReadingTime(.seconds(seconds), reason: "samples slowly", remedies: [.command("faster")])
        return StubDriver(
            candidates: keys, hanging: Set(keys),
            readingTimes: Dictionary(uniqueKeysWithValues: keys.map { ($0, time) }))
    }

    @Test func `a sensor is given the time that its rate needs, and what is waited for is named`() throws {
        let driver = slow(30)
        var named: [[PendingReading]] = []
        let inventory = try probe([driver], timeout: .milliseconds(200), longest: .seconds(60)) { waiting in
            named.append(waiting)
            // Opens only after the time of the other sensors.
            Thread.start {
                Thread.sleep(milliseconds: 400); driver.gate.open()
            }
        }
        #expect(inventory.sensors[0].availability == .available)
        #expect(inventory.notices.map(\.id) == [.slowSensor])
        // As often as it takes, and then nothing.
        #expect(named.dropLast().allSatisfy { $0.map(\.name) == ["slow"] && $0[0].reason == "samples slowly" })
        #expect(named.count > 1 && named.last == [])
    }

    @Test func `a slow sensor with less time is unknown, and is told how to be asked`() throws {
        let driver = slow(6)
        defer { driver.gate.open() }
        let inventory = try probe([driver], timeout: .milliseconds(300))
        let sensor = inventory.sensors[0]
        #expect(sensor.availability == .unavailable(.indeterminate))
        #expect(sensor.detail == "samples slowly; the limit was 0.3 s")
        #expect(sensor.remedies == [.option(.timeout(7)), .command("faster")])
        #expect(inventory.notices.map(\.detail) == ["slow samples slowly; to sample faster: faster"])
    }

    @Test func `a sensor that had twice its time is silent`() throws {
        let driver = slow(0.1)
        defer { driver.gate.open() }
        let sensor = try probe([driver], timeout: .milliseconds(300)).sensors[0]
        #expect(sensor.availability == .unavailable(.silent))
        #expect(sensor.detail == "no answer within 0.3 s")
    }

    @Test func `slow sensors do not wait for each other`() throws {
        var driver = slow(30, (0..<12).map { "k\($0 + 10)" })
        driver.hanging = []
        driver.quorum = 12
        defer { driver.gate.open() }
        let inventory = try probe([driver], timeout: .milliseconds(200), longest: .seconds(60))
        #expect(inventory.sensors.allSatisfy { $0.availability == .available })
    }

    @Test(arguments: [0.1, 6])
    func `a slow sensor that never answered is reported as in the live probe`(seconds: Double) throws {
        let live = try report(slow(seconds), in: FakeWorld(), .milliseconds(300))
        var driver = slow(seconds)
        driver.hanging = []
        let replayed = try report(driver, in: RecordedWorld(unanswered: ["slow"]), .milliseconds(300))
        #expect(replayed == live)
    }

    // MARK: - Recordings

    /// The results of probing a world, without durations.
    private func report(_ driver: StubDriver, in world: any World, _ timeout: Duration) throws -> Inventory {
        defer { driver.gate.open() }
        var inventory = try Probe([DriverBinding(driver, in: world)]).inventory(
            depth: .sample, limit: ProbeLimit(timeout))
        for index in inventory.drivers.indices { inventory.drivers[index].elapsedMilliseconds = 0 }
        return inventory
    }

    @Test func `sensors that never answered are reported as in the live probe`() throws {
        let keys = ["a", "stuck", "b", "worse"]
        let live = try report(
            StubDriver(candidates: keys, hanging: ["stuck", "worse"]), in: FakeWorld(), .milliseconds(1500))
        let replayed = try report(
            StubDriver(candidates: keys), in: RecordedWorld(unanswered: ["stuck", "worse"]), .milliseconds(1500))
        #expect(replayed == live)
    }

    @Test func `a driver that never answered is reported as in the live probe`() throws {
        let live = try report(
            StubDriver(causeWhenStalled: .unreachable, surveyHangs: true), in: FakeWorld(), .milliseconds(300))
        let replayed = try report(
            StubDriver(causeWhenStalled: .unreachable), in: RecordedWorld(unanswered: ["enumeration"]),
            .milliseconds(300))
        #expect(replayed == live)
    }

    @Test func `a driver that cannot start is reported as in the live probe`() throws {
        let driver = StubDriver(openError: DriverError(.unsupported, subject: "the socket"))
        let live = try report(driver, in: FakeWorld(), .seconds(1))
        let replayed = try report(driver, in: RecordedWorld(unanswered: ["nothing"]), .seconds(1))
        #expect(replayed == live)
        #expect(replayed.drivers.map(\.state) == [.unavailable])
    }

    @Test func `sensors that were never asked behind stuck ones are reported so`() throws {
        let keys = (0..<12).map { "k\($0 + 10)" }
        let world = RecordedWorld(unanswered: keys[1..<9], unasked: [keys[0]] + keys[9...])
        let sensors = try report(StubDriver(candidates: keys), in: world, .seconds(30)).sensors
        // Before them, an answer is missing because it was not recorded.
        #expect(sensors[0].availability == .available)
        #expect(sensors[0].detail == "the recording does not hold the answer")
        #expect(sensors[1..<9].allSatisfy { $0.availability == .unavailable(.silent) })
        #expect(sensors[9...].allSatisfy { $0.availability == .unavailable(.indeterminate) })
        #expect(sensors[9...].allSatisfy { $0.detail == "not read: the probe waited 30 s for another sensor" })
    }

    @Test func `a recording is probed on the calling thread, one sensor after the other`() throws {
        let driver = StubDriver(candidates: (0..<9).map { "k\($0)" })
        _ = try report(driver, in: RecordedWorld(unanswered: ["k3"]), .seconds(1))
        #expect(driver.reads.most == 1)
    }

    @Test(arguments: [
        (DriverError(.unsupported, subject: "x"), DriverReport.State.unavailable, Access.unknown),
        (DriverError(errno: .ioError, subject: "x"), .failed, .unknown),
        (DriverError(errno: .permissionDenied, subject: "x"), .failed, .denied),
        (DriverError(.timedOut, subject: "x"), .timedOut, .unknown),
    ])
    func `a driver that cannot open leaves its kinds unknown`(
        error: DriverError, state: DriverReport.State, access: Access
    ) throws {
        let inventory = try probe([StubDriver(openError: error)])
        #expect(inventory.drivers[0].state == state)
        #expect(inventory.drivers[0].access == access)
        #expect(inventory.obstacles.map(\.cause) == [.indeterminate])
        #expect(inventory.obstacles[0].evidence[0].path == "x")
    }

    @Test func `what a reading finds in passing is reported beside its sensor`() throws {
        let inertial = Sensor(key: "inertial", kind: .gyroscope, name: "inertial", driver: "stub")
        let inventory = try probe([StubDriver(candidates: ["a"], others: [inertial])])
        #expect(inventory.sensors.map(\.key) == ["a", "inertial"])
    }

    @Test func `a settled candidate is reported as it is`() throws {
        let inventory = try probe([StubDriver(candidates: ["a", "b"], closed: ["a"])])
        #expect(inventory.sensors.map(\.reading) == [nil, .steps(7)])
        #expect(inventory.drivers[0].state == .ok)
    }

    @Test func `a driver left out makes its kinds unknown`() throws {
        let report = DriverReport(name: "gone", kinds: [.bluetoothAdapter], state: .unavailable)
        let inventory = try Probe([], leftOut: [report]).inventory(depth: .state, limit: ProbeLimit(.seconds(1)))
        #expect(inventory.obstacles.map(\.cause) == [.indeterminate])
        #expect(inventory.obstacles.map(\.kind) == [.bluetoothAdapter])
    }
}
