import DriverKit
import Foundation
import LocalRig
import Readiness
import SystemPackage
import Testing
@testable import PhoneKit

/// The states of services, before any request.
@Suite struct StateTests {
    @Test(
        arguments: [
            (.notDetermined, .notDetermined, .notDetermined), (.restricted, .restricted, .restricted),
            (.denied, .denied, .denied), (.authorizedWhenInUse, .granted, .denied),
            (.authorizedAlways, .granted, .granted),
        ] as [(LocationStatus, ServiceState.SystemServiceStatus, ServiceState.SystemServiceStatus)])
    func `location has two levels`(
        status: LocationStatus, inUse: ServiceState.SystemServiceStatus, always: ServiceState.SystemServiceStatus
    ) {
        let permissioner = Bench(location: status).permissioner
        #expect(permissioner.state(of: .geoLocationWhenUsing("")).status == inUse)
        #expect(permissioner.state(of: .geoLocationAlways("")).status == always)
        #expect(permissioner.hasGeoLocationPermissions(always: false) == (inUse == .granted))
        #expect(permissioner.hasGeoLocationPermissions(always: true) == (always == .granted))
    }

    @Test func `Always that may still be asked for is not denied`() throws {
        try Bench.withFolder { bench in
            let grants = try #require(bench.grants)
            func state() -> ServiceState.SystemServiceStatus {
                bench.permissioner.state(of: .geoLocationAlways("To recognise trips.")).status
            }
            try grants.update { $0.location = LocationGrant(.whenInUse) }
            #expect(state() == .notDetermined)
            #expect(try bench.permissioner.isOpen(.geoLocationAlways("To recognise trips.")))
            // Granted once, or refused, it is not asked.
            try grants.update { $0.location = LocationGrant(.whenInUse, once: .once(.live)) }
            #expect(state() == .denied)
            try grants.update { grants in
                grants.location = LocationGrant(.whenInUse)
                grants.location?.wasAskedForAlways = true
            }
            #expect(state() == .denied)
            var limited = bench
            limited.policy = Policy(isWhenInUseAtMost: true)
            try grants.update { $0.location = LocationGrant(.whenInUse) }
            #expect(limited.permissioner.state(of: .geoLocationAlways("")).status == .restricted)
        }
    }

    @Test(
        arguments: [
            (.geoLocationWhenUsing("Why."), .location), (.geoLocationAlways("Why."), .location), (.coreMotion, .motion),
            (.bluetooth, .bluetooth), (.healthKit(.steps), .health),
        ] as [(SystemService, Permission)])
    func `what is not there is absent, beside the answer`(service: SystemService, permission: Permission) throws {
        try Bench.withFolder { bench in
            var bench = bench
            bench.absent = [permission]
            #expect(bench.permissioner.state(of: service).status == .absent)
            for (answer, recorded) in [(PermissionAnswer.allow, ConsentAnswer.accepted), (.deny, .refused)] {
                try bench.permissioner.forget(service)
                _ = try bench.permissioner.requestPermission(for: service, evenIfAllowed: true) { _ in answer }
                #expect(bench.permissioner.state(of: service).status == .absent)
                #expect(try bench.permissioner.answer(about: service) == recorded)
            }
            // What nobody can change is told first.
            bench.policy = Policy(restricted: [permission])
            #expect(bench.permissioner.state(of: service).status == .restricted)
        }
    }

    @Test func `a policy of when in use restricts Always`() {
        let permissioner = Bench(policy: Policy(isWhenInUseAtMost: true)).permissioner
        #expect(permissioner.state(of: .geoLocationAlways("")).status == .restricted)
        #expect(permissioner.state(of: .geoLocationWhenUsing("")).status == .granted)
    }

    @Test(
        arguments: [
            (.notDetermined, .notDetermined), (.restricted, .restricted), (.denied, .denied), (.allowed, .granted),
        ] as [(AuthorizationStatus, ServiceState.SystemServiceStatus)])
    func `motion is the access to its sensors`(status: AuthorizationStatus, expected: ServiceState.SystemServiceStatus)
    {
        let permissioner = Bench(motion: status).permissioner
        #expect(permissioner.state(of: .coreMotion).status == expected)
        #expect(permissioner.hasCoreMotionPermissions() == (expected == .granted))
    }

    @Test func `health beyond steps is reported as unsupported`() {
        let permissioner = Bench().permissioner
        let height = HealthKitTypes(readQuantities: [.height], writeQuantities: [.stepCount])
        let none = permissioner.state(of: .healthKit(height))
        #expect(none.status == .unsupported)
        #expect(
            none.unsupported == ["HKQuantityTypeIdentifierHeight", "writing HKQuantityTypeIdentifierStepCount"])
        let some = permissioner.state(
            of: .healthKit(HealthKitTypes(readCharacteristics: [.dateOfBirth], readQuantities: [.stepCount])))
        #expect(some.status == .granted && !some.isGranted)
        #expect(some.unsupported == ["HKCharacteristicTypeIdentifierDateOfBirth"])
        #expect(permissioner.state(of: .healthKit(.steps)).isGranted)
        #expect(HealthKitTypes().isEmpty && !HealthKitTypes.steps.isEmpty)
        #expect(permissioner.state(of: .healthKit(HealthKitTypes())).isGranted)
    }

    @Test func `a union of types has those of both`() {
        var types = HealthKitTypes(
            readCharacteristics: [.dateOfBirth], readQuantities: [.height], writeQuantities: [.stepCount])
        types.formUnion(.steps)
        types.formUnion(
            HealthKitTypes(
                readCharacteristics: [.biologicalSex], readQuantities: [.bodyMass], writeQuantities: [.height]))
        let expected = HealthKitTypes(
            readCharacteristics: [.dateOfBirth, .biologicalSex], readQuantities: [.height, .stepCount, .bodyMass],
            writeQuantities: [.stepCount, .height])
        #expect(types == expected)
    }

    @Test func `the listing of the bus decides`() {
        func state(_ owned: Set<String>, _ activatable: Set<String>) -> ServiceState {
            .notifications(owned: owned, activatable: activatable)
        }
        let name = "org.freedesktop.Notifications"
        #expect(state([name, ":1.0"], []) == ServiceState(.granted, evidence: "\(name) is on the session bus"))
        let startable = ServiceState(.granted, evidence: "the session bus starts \(name) on request")
        #expect(state([":1.0"], [name]) == startable)
        let absent = state([":1.0", "org.freedesktop.DBus"], ["org.freedesktop.systemd1"])
        #expect(absent.status == .absent && !absent.remedies.isEmpty)
        #expect(Bench(notifications: absent).permissioner.state(of: .localNotifications([])) == absent)
    }

    @Test func `the errno of the bus decides`() {
        func status(_ errno: Errno) -> ServiceState.SystemServiceStatus {
            ServiceState.notifications(failed: errno).status
        }
        #expect(status(.permissionDenied) == .denied && status(.notPermitted) == .denied)
        #expect(status(.connectionRefused) == .unreachable && status(.noSuchFileOrDirectory) == .unreachable)
    }

    @Test func `a missing library leaves it unknown`() {
        #expect(throws: DriverError.self) { try SessionBus(library: "libnowhere.so.9") }
    }

    @Test func `a microphone that is not there is absent, whatever was answered`() throws {
        try Bench.withFolder { bench in
            _ = try bench.permissioner.requestPermission(for: .microphone, evenIfAllowed: true) { _ in .deny }
            #expect(bench.permissioner.state(of: .microphone).status == .denied)
            var without = bench
            without.microphone = ServiceState(.absent, evidence: "no card")
            #expect(without.permissioner.state(of: .microphone).status == .absent)
            #expect(try without.permissioner.answer(about: .microphone) == .refused)
        }
    }

    @Test func `an unreadable file leaves it unknown`() throws {
        try Bench.withFolder { bench in
            let grants = try #require(bench.grants)
            try grants.update { $0.motion = .allowed }
            try "motion: perhaps\n".write(toFile: grants.path.string, atomically: true, encoding: .utf8)
            let state = bench.permissioner.state(of: .coreMotion)
            #expect(state.status == .unknown)
            #expect(state.evidence.contains("permissions.yaml:1:9: expected"))
        }
    }
}
