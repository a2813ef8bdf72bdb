import DriverKit
import LocalRig
import PhoneKit
import PhoneSupport
import Readiness
import Rendering
import RigBluetooth
import RigHealth
import RigLocation
import RigMotion
import Testing

/// One question, one answer: the report, the phone-named libraries and the system services read one assessment.
@Suite(.timeLimit(.minutes(10)))
struct FacesTests {
    private static func controller(
        _ availability: Availability, _ state: AdapterReading.State, key: String = "00:AA"
    ) -> SensorCandidate {
        SensorCandidate(
            Sensor(
                key: key, kind: .bluetoothAdapter, name: "hci0", driver: "bluetooth", availability: availability,
                access: .readable, reading: .adapter(AdapterReading(state: state))), isOpen: false)
    }

    private static func motionSensor(_ access: Access) -> SensorCandidate {
        SensorCandidate(
            Sensor(
                key: "i2c-1/1-0069", kind: .accelerometer, name: "bmi160", driver: "iio", access: access,
                evidence: [Evidence(path: "/dev/iio:device0", errno: "EACCES", said: "rw-------")]), isOpen: false)
    }

    /// The words of the report for Bluetooth.
    private static func report(_ test: TestRig) -> Report { Report(test.state.assessment) }

    @Test(arguments: [
        (Availability.available, AdapterReading.State.poweredOn),
        (.unavailable(.poweredOff), .poweredOff),
        (.unavailable(.softBlocked), .poweredOff),
        (.unavailable(.hardBlocked), .poweredOff),
        // A controller that waits for configuration.
        (.unavailable(.inactive), .poweredOff),
        (.unavailable(.indeterminate), .resetting),
        (.unavailable(.indeterminate), .unknown),
        (.unavailable(.faulty), .unknown),
    ])
    func `the state of Bluetooth is the same in the report and in CBCentralManager`(
        availability: Availability, state: AdapterReading.State
    ) throws {
        let driver = StagedDriver(
            "bluetooth", [.bluetoothAdapter],
            Enumeration(candidates: [Self.controller(availability, state)], access: .readable))
        let test = try TestRig(drivers: [driver])
        let central = test.run { CBCentralManager(delegate: nil, queue: nil) }
        let expected = Self.report(test).authorizations.bluetooth.state
        #expect(eventually { String(describing: central.state) == expected })
        #expect(expected == (state == .unknown ? "unknown" : state.id))
    }

    @Test(
        arguments: [
            nil, "location: {status: when-in-use}", "location: {status: when-in-use, accuracy: reduced}",
            "location: {status: denied}", "location: {status: not-determined}", "motion: denied",
            "motion: not-determined",
            "bluetooth: denied", "bluetooth: not-determined", "health: denied", "health: not-determined",
        ] as [String?],
        [nil, "location: {maximum: when-in-use}", "motion: restricted", "health: restricted"] as [String?])
    func `authorizations are the same in the report, the phone's classes and the system services`(
        grants: String?, policy: String?
    ) throws {
        let iio = StagedDriver(
            "iio", [.accelerometer, .gyroscope, .stepCounter], Enumeration(candidates: [Self.motionSensor(.readable)]))
        let test = try TestRig(grants: grants, policy: policy, drivers: [iio])
        let report = Self.report(test).authorizations
        // The frameworks have no word for what could not be checked; it is never authorized.
        func named(_ status: String) -> String { status == "indeterminate" ? "notDetermined" : status }
        test.run {
            let location = CLLocationManager()
            #expect(String(describing: location.authorizationStatus) == named(report.location.status))
            #expect(String(describing: location.accuracyAuthorization) == report.location.accuracy)
            #expect(String(describing: CMMotionActivityManager.authorizationStatus()) == named(report.motion.status))
            #expect(String(describing: CBCentralManager.authorization) == named(report.bluetooth.status))
        }
        let state = test.state
        let permissioner = SystemServicePermissioner(
            SystemServiceEnvironment(
                access: { SystemServiceAccess(LocalRig(unread: LocalRig.Options()), state.inventory) },
                decisions: { state.decisions }, grants: nil,
                consent: nil, notifications: { ServiceState(.unknown, evidence: "not asked") },
                microphone: { ServiceState(.unknown, evidence: "not asked") }))
        func status(_ service: SystemService) -> String { permissioner.state(of: service).status.rawValue }
        func word(_ status: String) -> String {
            ["authorized", "allowedAlways"].contains(status)
                ? "granted" : status == "indeterminate" ? "unknown" : status
        }
        #expect(status(.coreMotion) == word(report.motion.status))
        #expect(status(.bluetooth) == word(report.bluetooth.status))
        let inUse = ["authorizedAlways", "authorizedWhenInUse"].contains(report.location.status)
        #expect(status(.geoLocationWhenUsing("")) == (inUse ? "granted" : word(report.location.status)))
        let isOpen = named(report.health.status) == "notDetermined"
        let health = test.run { HKHealthStore().authorizationStatus(for: HKQuantityType(.stepCount)) }
        #expect((health == .notDetermined) == isOpen)
    }

    @Test func `denied motion is denied by every face, with one remedy`() throws {
        let iio = StagedDriver(
            "iio", [.accelerometer, .gyroscope, .stepCounter], Enumeration(candidates: [Self.motionSensor(.denied)]))
        let test = try TestRig(drivers: [iio])
        #expect(Self.report(test).authorizations.motion.status == "denied")
        test.run { #expect(CMMotionActivityManager.authorizationStatus() == .denied) }
        #expect(test.state.assessment.result(of: .motion)?.cause == .denied)
    }

    @Test(arguments: ["demo", "field-kit", "prototype-board"])
    func `the library and the report give the same verdicts`(name: String) throws {
        let assessment = try LocalRig(recording: name).assess()
        let report = Report(assessment)
        #expect(report.services.map(\.verdict) == assessment.services.map(\.verdict.id))
        #expect(report.requirements.map(\.standing) == assessment.requirements.map(\.status.rawValue))
        #expect(report.exitStatus == assessment.exitStatus)
        #expect(report.authorizations.bluetooth.state == assessment.bluetoothState.id)
        #expect(
            report.rootCauses.flatMap(\.unlocks).allSatisfy { id in
                report.services.contains { $0.id == id && $0.verdict != "runs" }
            })
    }
}
