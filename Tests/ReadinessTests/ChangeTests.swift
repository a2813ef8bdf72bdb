import Testing
@testable import Readiness

/// What a comparison of two assessments of one rig tells.
@Suite struct ChangeTests {
    /// One rig, of which a test changes one thing.
    struct Rig {
        var receiver = Sensor(
            key: "usb-1", kind: .locationReceiver, name: "u-blox", driver: "gpsd", path: "/dev/ttyACM0",
            access: .readable,
            reading: .position(
                PositionReading(fix: .threeDimensional, latitude: 52.5, longitude: 13.4, horizontalError: 5)))
        var controller = Sensor(
            key: "00:AA:01:00:00:00", kind: .bluetoothAdapter, name: "hci0", driver: "bluetooth", path: "hci0",
            access: .readable, reading: .adapter(AdapterReading(state: .poweredOn)))
        var gyroscope = Sensor(
            key: "a", kind: .gyroscope, name: "bmi160", driver: "iio", path: "iio:device0", access: .readable,
            reading: .axes(AxesReading(x: 1, y: 2, z: 3, unit: .radiansPerSecond)))
        var more: [Sensor] = []
        var isGyroscopeListed = true
        var driver = DriverReport(
            name: "iio", kinds: [.accelerometer, .gyroscope, .stepCounter], state: .ok, elapsedMilliseconds: 1)
        var obstacles: [Obstacle] = []
        var notices: [Notice] = []
        var health = AuthorizationStatus.allowed
        var accuracy = LocationAccuracy.fullAccuracy
        var source = AuthorizationSource.access
        var services = ServiceSet.all
        var takenAt = "2026-01-01T00:00:00.000Z"

        var assessment: Assessment {
            get throws {
                let inventory = Inventory(
                    depth: .sample,
                    drivers: [
                        driver,
                        DriverReport(name: "bluetooth", kinds: [.bluetoothAdapter], state: .ok, access: .readable),
                        DriverReport(name: "gpsd", kinds: [.locationReceiver], state: .ok, access: .readable),
                    ], sensors: [receiver, controller] + (isGyroscopeListed ? [gyroscope] : []) + more,
                    obstacles: obstacles, notices: notices)
                var authorizations = Authorizations(access: inventory)
                authorizations.health = Authorization(health, from: source, evidence: "at \(takenAt)")
                authorizations.accuracy = Authorization(accuracy, evidence: "at \(takenAt)")
                return Assessment(
                    inventory,
                    of: RigIdentity(
                        host: "bench", kernel: "", boot: "", source: .live, user: "", uid: 1000, takenAt: takenAt),
                    authorizations: authorizations, request: Assessment.Request(try Evaluator(of: services)))
            }
        }
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var lines: [String]
        var make: @Sendable (inout Rig) -> Void

        init(_ name: String, _ lines: [String], _ make: @escaping @Sendable (inout Rig) -> Void) {
            testDescription = name
            self.lines = lines
            self.make = make
        }
    }

    private static func differences(_ change: (inout Rig) -> Void) throws -> [Difference] {
        let before = Rig()
        var after = before
        change(&after)
        return Comparison(before: try before.assessment, after: try after.assessment).differences
    }

    @Test(
        "each kind of change is told",
        arguments: [
            Change("name", ["changed gyroscope a name: bmi160 > bmi270"]) { $0.gyroscope.name = "bmi270" },
            Change("label", ["changed gyroscope a label: nil > front"]) { $0.gyroscope.label = "front" },
            Change("path", ["changed gyroscope a path: iio:device0 > nil"]) { $0.gyroscope.path = nil },
            Change(
                "access",
                [
                    "worse requirement motion: met > denied", "changed gyroscope a access: readable > denied",
                    "changed authorization motion: allowed by access > denied by access",
                ]
            ) { $0.gyroscope.access = .denied },
            Change("adapter state", ["changed bluetoothAdapter 00:AA:01:00:00:00 state: poweredOn > resetting"]) {
                $0.controller.reading = .adapter(AdapterReading(state: .resetting))
            },
            Change("fix", ["changed locationReceiver usb-1 state: 3D > 2D"]) {
                $0.receiver.reading = .position(PositionReading(fix: .twoDimensional))
            },
            Change("simulated", ["changed locationReceiver usb-1 state: 3D > 3D (simulated)"]) {
                $0.receiver.reading = .position(PositionReading(fix: .threeDimensional, simulated: true))
            },
            Change(
                "availability", ["worse gyroscope a: available > silent", "worse requirement gyroscope: met > silent"]
            ) { $0.gyroscope.availability = .unavailable(.silent) },
            Change("gone", ["missing gyroscope a: available > absent"]) { $0.isGyroscopeListed = false },
            Change("new", ["new gyroscope b: nil > available"]) { rig in
                rig.more = [Sensor(key: "b", kind: .gyroscope, name: "mpu", driver: "iio", access: .readable)]
            },
            Change("moved", ["moved gyroscope b: a > b"]) { $0.gyroscope.key = "b" },
            Change("driver state", ["changed driver iio: ok > timedOut"]) { $0.driver.state = .timedOut },
            Change("obstacle", ["changed obstacle locationReceiver unreachable: nil > unreachable"]) {
                $0.obstacles = [Obstacle(kind: .locationReceiver, cause: .unreachable, detail: "no gpsd")]
            },
            Change("notice", ["changed notice inUse: nil > inUse"]) { $0.notices = [Notice(.inUse, detail: "x")] },
            Change("authorization", ["changed authorization health: allowed by access > denied by grant"]) {
                $0.health = .denied
                $0.source = .grant
            },
            Change("who decided", ["changed authorization health: allowed by access > allowed by grant"]) {
                $0.source = .grant
            },
            Change("services", ["changed service health: fails > nil"]) {
                $0.services = .all.subtracting(ServiceSet(.health))
            },
        ])
    func kinds(change: Change) throws {
        let lines = try Self.differences(change.make).map(\.line)
        for line in change.lines { #expect(lines.contains(line), "\(lines)") }
    }

    @Test func `what each probe has anew is no change`() throws {
        let differences = try Self.differences { rig in
            rig.gyroscope.reading = .axes(AxesReading(x: 9, y: 9, z: 9, unit: .radiansPerSecond))
            rig.receiver.reading = .position(
                PositionReading(
                    fix: .threeDimensional, latitude: 1, longitude: 2, altitude: 3, horizontalError: 4,
                    satellitesUsed: 5, ageSeconds: 6))
            rig.gyroscope.detail = "12.5 Hz"
            rig.gyroscope.evidence = [Evidence(said: "read in 3 ms")]
            rig.gyroscope.remedies = [.advice("none")]
            rig.driver.elapsedMilliseconds = 80
            rig.driver.detail = "took long"
            rig.takenAt = "2026-01-01T00:00:09.000Z"
        }
        #expect(differences == [])
    }

    @Test func `another cause is a change although it is neither better nor worse`() throws {
        var before = Rig()
        before.gyroscope.availability = .unavailable(.silent)
        var after = before
        after.gyroscope.availability = .unavailable(.noDriver)
        let lines = Comparison(before: try before.assessment, after: try after.assessment).differences.map(\.line)
        #expect(lines.contains("changed requirement gyroscope: silent > noDriver"), "\(lines)")
    }

    @Test func `a sensor that is hidden and was unavailable for the same reason is told`() throws {
        var before = Rig()
        before.gyroscope.availability = .unavailable(.indeterminate)
        before.obstacles = [Obstacle(kind: .gyroscope, cause: .indeterminate, detail: "slow")]
        var after = before
        after.isGyroscopeListed = false
        let comparison = Comparison(before: try before.assessment, after: try after.assessment)
        #expect(comparison.differences.map(\.line).contains("changed gyroscope a: indeterminate > nil"))
    }

    @Test func `a controller whose address can be told now is the same one with another key`() throws {
        var before = Rig()
        before.controller.key = "usb-1-1:1.0"
        let comparison = Comparison(before: try before.assessment, after: try Rig().assessment)
        #expect(
            comparison.differences.map(\.line) == [
                "changed bluetoothAdapter 00:AA:01:00:00:00 key: usb-1-1:1.0 > 00:AA:01:00:00:00"
            ])
    }

    @Test func `differences come by how they differ, then by subject and property`() throws {
        let lines = try Self.differences { rig in
            rig.notices = [Notice(.simulated, detail: ""), Notice(.inUse, detail: "")]
            rig.obstacles = [Obstacle(kind: .stepCounter, cause: .unreachable, detail: "")]
            rig.driver.state = .failed
            rig.health = .restricted
            rig.controller.path = "hci1"
            rig.gyroscope.label = "front"
            rig.gyroscope.name = "bmi270"
            rig.gyroscope.availability = .unavailable(.silent)
            rig.more = [Sensor(key: "b", kind: .gyroscope, name: "mpu", driver: "iio", access: .readable)]
        }.map { $0.line.prefix { $0 != ":" } }
        #expect(
            lines == [
                "worse gyroscope a", "new gyroscope b", "changed gyroscope a name", "changed gyroscope a label",
                "changed bluetoothAdapter 00", "changed requirement healthStore", "changed authorization health",
                "changed driver iio", "changed obstacle stepCounter unreachable", "changed notice inUse",
                "changed notice simulated", "changed notice unreadSameKind",
            ])
    }

    @Test func `a comparison with a baseline tells nothing that is neither better nor worse`() throws {
        var after = Rig()
        after.gyroscope.label = "front"
        after.driver.state = .timedOut
        after.notices = [Notice(.inUse, detail: "")]
        #expect(Comparison(Baseline(try Rig().assessment), with: try after.assessment).isEmpty)
        #expect(!Comparison(before: try Rig().assessment, after: try after.assessment).isEmpty)
    }
}
