import DriverKit
import Readiness
import Probing
import Support
import SystemPackage
import Testing

@Suite struct RigTests {
    private func probe(_ drivers: [StubDriver], timeout: Double = 1) throws -> Inventory {
        try Probe(drivers.map { DriverBinding($0, in: FakeWorld()) }).inventory(depth: .sample, timeout: timeout)
    }

    @Test func mergesWhatEveryDriverFound() throws {
        let inventory = try probe([
            StubDriver(name: "one", kinds: [.gyroscope], candidates: ["b", "a"]),
            StubDriver(name: "two", kinds: [.accelerometer], candidates: ["c"]),
        ])
        #expect(inventory.sensors.map(\.key) == ["c", "a", "b"])
        #expect(inventory.drivers.map(\.state) == [.ok, .ok])
        #expect(inventory.sensors.allSatisfy { $0.reading == .steps(7) })
        #expect(inventory.obstacles.isEmpty)
    }

    @Test func aHangingSensorCostsItsOwnLineAlone() throws {
        let driver = StubDriver(candidates: ["a", "stuck", "b", "c"], hanging: ["stuck"])
        defer { driver.gate.open() }
        let inventory = try probe([driver], timeout: 4)
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

    @Test func whatComesLateIsNoReadingHoweverLongAnotherMayTake() throws {
        let late = StubDriver(candidates: ["late"], hanging: ["late"])
        let patient = StubDriver(
            name: "patient", kinds: [.locationReceiver], patience: 1, candidates: ["slow"], hanging: ["slow"])
        defer { patient.gate.open() }
        // Opens after the first driver's deadline and before the second's.
        Thread.start {
            Thread.sleep(milliseconds: 600); late.gate.open()
        }
        let inventory = try probe([late, patient], timeout: 0.3)
        let sensor = try #require(inventory.sensors.first { $0.key == "late" })
        #expect(sensor.availability == .unavailable(.silent))
        #expect(sensor.reading == nil)
    }

    @Test func whatWasNeverAskedCannotBeTold() throws {
        // Nine stalls are more than the crew replaces, so those behind them are never asked.
        let keys = (0..<12).map { "k\($0 + 10)" }
        let driver = StubDriver(candidates: keys, hanging: Set(keys))
        defer { driver.gate.open() }
        let inventory = try probe([driver], timeout: 0.6)
        let causes = inventory.sensors.map(\.availability)
        #expect(causes.first == .unavailable(.silent))
        #expect(causes.last == .unavailable(.indeterminate))
    }

    @Test func aDriverThatHangsWhollyHidesNoOther() throws {
        let stuck = StubDriver(
            name: "stuck", kinds: [.locationReceiver], causeWhenStalled: .unreachable, surveyHangs: true)
        defer { stuck.gate.open() }
        let inventory = try probe([stuck, StubDriver(candidates: ["a"])], timeout: 0.3)
        #expect(inventory.drivers.map(\.state) == [.timedOut, .ok])
        #expect(inventory.sensors.map(\.key) == ["a"])
        #expect(inventory.obstacles.map(\.cause) == [.unreachable])
        #expect(inventory.obstacles.map(\.kind) == [.locationReceiver])
    }

    // MARK: - Replayed stalls

    /// What both tell, without how long it took.
    private func told(_ driver: StubDriver, timeout: Double, allowance: Double? = nil) throws -> Inventory {
        defer { driver.gate.open() }
        var inventory = try Probe([DriverBinding(driver, in: FakeWorld())]).inventory(
            depth: .sample, timeout: timeout, allowance: allowance)
        for index in inventory.drivers.indices { inventory.drivers[index].elapsedMilliseconds = 0 }
        return inventory
    }

    @Test func aReplayedStallIsToldAsALiveOneAndWaitsForNobody() throws {
        let keys = ["a", "stuck", "b", "worse"]
        let live = try told(StubDriver(candidates: keys, hanging: ["stuck", "worse"]), timeout: 1.5)
        // With such an allowance, a crew that waited would hang.
        let replayed = try told(
            StubDriver(candidates: keys, unanswered: ["stuck", "worse"]), timeout: 1.5, allowance: 100_000)
        #expect(replayed == live)
    }

    @Test func aReplayedStallOfTheWholeDriverIsToldAsALiveOne() throws {
        let live = try told(StubDriver(causeWhenStalled: .unreachable, surveyHangs: true), timeout: 0.3)
        let replayed = try told(
            StubDriver(causeWhenStalled: .unreachable, surveyIsUnanswered: true), timeout: 0.3, allowance: 100_000)
        #expect(replayed == live)
    }

    @Test func whatWasNeverAskedBehindReplayedStallsCannotBeTold() throws {
        let keys = (0..<12).map { "k\($0 + 10)" }
        // Nine stalls are more than the crew replaces; and a short probe has time for fewer.
        for (timeout, asked) in [(30.0, 9), (0.6, 3)] {
            let inventory = try told(
                StubDriver(candidates: keys, unanswered: Set(keys)), timeout: timeout, allowance: 100_000)
            let causes = inventory.sensors.map(\.availability)
            #expect(causes.prefix(asked).allSatisfy { $0 == .unavailable(.silent) })
            #expect(causes.dropFirst(asked).allSatisfy { $0 == .unavailable(.indeterminate) })
        }
    }

    @Test(arguments: [
        (DriverError(.unsupported, subject: "x"), DriverReport.State.unavailable, Access.unknown),
        (DriverError(errno: .ioError, subject: "x"), .failed, .unknown),
        (DriverError(errno: .permissionDenied, subject: "x"), .failed, .denied),
        (DriverError(.timedOut, subject: "x"), .timedOut, .unknown),
    ])
    func aDriverThatCannotOpenLeavesItsKindsUntold(
        error: DriverError, state: DriverReport.State, access: Access
    ) throws {
        let inventory = try probe([StubDriver(openError: error)])
        #expect(inventory.drivers[0].state == state)
        #expect(inventory.drivers[0].access == access)
        #expect(inventory.obstacles.map(\.cause) == [.indeterminate])
        #expect(inventory.obstacles[0].evidence[0].path == "x")
    }

    @Test func aClosedLeadIsReportedAsItStands() throws {
        let inventory = try probe([StubDriver(candidates: ["a", "b"], closed: ["a"])])
        #expect(inventory.sensors.map(\.reading) == [nil, .steps(7)])
        #expect(inventory.drivers[0].state == .ok)
    }

    @Test func aDriverLeftOutMakesItsKindsUnknown() throws {
        let report = DriverReport(name: "gone", kinds: [.bluetoothAdapter], state: .unavailable)
        let inventory = try Probe([], leftOut: [report]).inventory(depth: .state, timeout: 1)
        #expect(inventory.obstacles.map(\.cause) == [.indeterminate])
        #expect(inventory.obstacles.map(\.kind) == [.bluetoothAdapter])
    }
}
