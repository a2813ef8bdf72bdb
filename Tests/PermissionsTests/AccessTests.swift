import Support
import Permissions
import Readiness
import Testing

@Suite struct AccessTests {
    private func inventory(_ sensors: [Sensor] = [], _ drivers: [DriverReport] = []) -> Inventory {
        Inventory(depth: .sample, drivers: drivers, sensors: sensors)
    }

    private func motion(_ key: String, _ access: Access) -> Sensor {
        Sensor(
            key: key, kind: .accelerometer, name: "chip", driver: "iio", access: access,
            evidence: [Evidence(path: "/dev/iio:device0", errno: access == .denied ? "EACCES" : nil, said: "rw-------")]
        )
    }

    @Test func `absent hardware denies nothing`() {
        let authorizations = Authorizations(access: inventory())
        #expect(authorizations.location.status == .authorizedAlways)
        #expect(authorizations.motion.status == .allowed)
        #expect(authorizations.bluetooth.status == .allowed)
        #expect(authorizations.health.status == .allowed)
    }

    @Test func `motion is allowed by one readable sensor`() {
        #expect(Authorizations(access: inventory([motion("a", .denied)])).motion.status == .denied)
        #expect(
            Authorizations(access: inventory([motion("a", .denied), motion("b", .readable)])).motion.status == .allowed)
    }

    @Test func `one unclear sensor leaves motion open`() {
        let sensors = [motion("a", .denied), motion("b", .unknown)]
        #expect(Authorizations(access: inventory(sensors)).motion.status == .allowed)
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
