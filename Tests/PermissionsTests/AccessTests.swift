import Support
import LocalRig
import Readiness
import Testing

@Suite struct AccessTests {
    private func inventory(_ sensors: [Sensor] = [], _ drivers: [DriverReport] = []) -> Inventory {
        Inventory(depth: .sample, drivers: drivers, sensors: sensors)
    }

    private func motion(_ key: String, _ access: Access) -> Sensor {
        let node = Evidence(path: "/dev/iio:device0", errno: access == .denied ? "EACCES" : nil, said: "rw-------")
        return Sensor(
            key: key, kind: .accelerometer, name: "chip", driver: "iio", access: access, accessEvidence: node,
            evidence: [node, Evidence(path: "in_accel_x_raw", said: "read \"0\"")])
    }

    @Test func `what was not checked is neither allowed nor denied`() {
        let authorizations = Authorizations(access: inventory())
        #expect(authorizations.location.status == .indeterminate)
        #expect(authorizations.motion.status == .indeterminate)
        #expect(authorizations.motion.evidence == "not checked: no motion sensor was found")
        #expect(authorizations.bluetooth.status == .indeterminate)
        #expect(authorizations.health.status == .indeterminate)
        #expect(authorizations.health.evidence == "not checked: no step counter was found")
    }

    /// What each driver reports of its service decides, and an unknown is never an allowance.
    @Test(arguments: [
        ([Access.unknown], LocationStatus.indeterminate), ([.readable], .authorizedAlways), ([.denied], .denied),
        ([.unknown, .readable], .authorizedAlways), ([.unknown, .denied], .denied),
        ([.denied, .readable], .authorizedAlways),
    ])
    func `a service that nobody could ask is indeterminate`(access: [Access], status: LocationStatus) {
        let drivers = access.map {
            DriverReport(
                name: "gpsd", kinds: [.locationReceiver], state: .ok, access: $0,
                accessEvidence: Evidence(path: "127.0.0.1:2947", said: "\($0)"))
        }
        let location = Authorizations(access: inventory([], drivers)).location
        #expect(location.status == status)
        let isMarked = location.evidence == "not checked: 127.0.0.1:2947: unknown"
        #expect(isMarked == (status == .indeterminate))
    }

    @Test func `an obstacle says why a right was not checked, and what would let it be`() {
        let start: [Remedy] = [.command("sudo systemctl start gpsd.socket")]
        let obstacle = Obstacle(kind: .locationReceiver, cause: .unreachable, detail: "gpsd refused", remedies: start)
        let location = Authorizations(access: Inventory(depth: .sample, obstacles: [obstacle])).location
        #expect(location.status == .indeterminate)
        #expect(location.evidence == "not checked: gpsd refused" && location.remedies == start)
    }

    @Test func `a chip without a driver has no node that could be checked`() {
        var chip = motion("a", .unknown)
        (chip.availability, chip.accessEvidence) = (.unavailable(.noDriver), nil)
        let motion = Authorizations(access: inventory([chip])).motion
        #expect(motion.status == .indeterminate)
        #expect(motion.evidence == "not checked: chip has no driver, and so no node")
    }

    @Test func `motion is allowed by one readable sensor`() {
        #expect(Authorizations(access: inventory([motion("a", .denied)])).motion.status == .denied)
        #expect(
            Authorizations(access: inventory([motion("a", .denied), motion("b", .readable)])).motion.status == .allowed)
    }

    @Test func `one unclear sensor leaves motion indeterminate`() {
        let sensors = [motion("a", .denied), motion("b", .unknown)]
        #expect(Authorizations(access: inventory(sensors)).motion.status == .indeterminate)
    }

    @Test func `a denial has its own remedy`() {
        var sensor = motion("a", .denied)
        sensor.remedies = [.advice("mend the chip")]
        sensor.accessRemedies = [.advice("mend the node")]
        #expect(Authorizations(access: inventory([sensor])).motion.remedy == "mend the node")
    }

    @Test func `a denial has its evidence`() {
        let motion = Authorizations(access: inventory([motion("a", .denied)])).motion
        #expect(motion.evidence == "/dev/iio:device0: rw-------")
        #expect(motion.from == .access)
    }

    @Test func `the driver of a kind decides its authorization`() {
        func driver(_ kind: SensorKind, _ access: Access) -> DriverReport {
            DriverReport(
                name: "d", kinds: [kind], state: .ok, access: access, accessEvidence: Evidence(path: "p", said: "no"))
        }
        let denied = Authorizations(
            access: inventory([], [driver(.locationReceiver, .denied), driver(.bluetoothAdapter, .denied)]))
        #expect(denied.location.status == .denied)
        #expect(denied.bluetooth.status == .denied)
        #expect(denied.location.evidence == "p: no")
        let open = Authorizations(access: inventory([], [driver(.locationReceiver, .readable)]))
        #expect(open.location.status == .authorizedAlways)
    }

    @Test func `a position that is not allowed is not shown`() throws {
        let receiver = Sensor(
            key: "r", kind: .locationReceiver, name: "r", driver: "gpsd",
            reading: .position(
                PositionReading(fix: .threeDimensional, latitude: 48.12345, longitude: -11.98765, altitude: 500)))
        func shown(_ status: LocationStatus, _ accuracy: LocationAccuracy) throws -> PositionReading {
            var authorizations = Authorizations(access: inventory())
            authorizations.location.status = status
            authorizations.accuracy.status = accuracy
            let sensor = try #require(inventory([receiver]).narrowed(to: authorizations).sensors.first)
            guard case .position(let position) = sensor.reading else { throw Missing() }
            return position
        }
        #expect(try shown(.authorizedAlways, .fullAccuracy).latitude == 48.12345)
        #expect(try shown(.authorizedWhenInUse, .reducedAccuracy).latitude == 48.1)
        #expect(try shown(.authorizedAlways, .reducedAccuracy).longitude == -12.0)
        for status in [LocationStatus.denied, .restricted, .notDetermined] {
            let position = try shown(status, .fullAccuracy)
            #expect(position.latitude == nil && position.longitude == nil && position.altitude == nil)
            #expect(position.fix == .threeDimensional)
        }
    }

    private struct Missing: Error {}
}
