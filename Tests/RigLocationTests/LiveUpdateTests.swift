import DriverKit
import LocalRig
import Readiness
import PhoneKit
import RigLocation
import PhoneSupport
import Testing

/// The contents of live updates, and why there is no position.
@Suite(.timeLimit(.minutes(10)))
struct LiveUpdateTests {
    private let gpsd = ScriptedGPSD()

    /// The updates of a loop, which a test reads one by one.
    private func updates(of test: TestRig) -> CLLocationUpdate.Updates.AsyncIterator {
        test.run { CLLocationUpdate.liveUpdates() }.makeAsyncIterator()
    }

    private func rig(
        _ grants: String, policy: String? = nil, configuration: String? = TestRig.purposes,
        session: String? = nil, sessions: [String: String]? = nil, drivers: [any Driver] = TestRig.openDrivers,
        prompter: any Prompter = FixedPrompter(.allow)
    ) throws -> TestRig {
        try TestRig(
            grants: grants, policy: policy, configuration: configuration, session: session, sessions: sessions,
            drivers: drivers, world: gpsd, gpsd: ScriptedGPSD.endpoint, prompter: prompter)
    }

    @Test func `if undecided, it asks once and continues`() async throws {
        let person = Person(.allow)
        let test = try rig("location: not-determined\n", prompter: person)
        var updates = updates(of: test)
        #expect(try await updates.next()?.authorizationRequestInProgress == true)
        #expect(await soon { gpsd.connections == 1 })
        gpsd.noFix()
        let allowed = try await updates.next()
        #expect(allowed?.authorizationRequestInProgress == false && allowed?.location == nil)
        #expect(try await updates.next()?.locationUnavailable == true)
        gpsd.fix()
        let found = try await updates.next()
        #expect(found?.location?.coordinate.latitude == 52.5 && found?.locationUnavailable == false)
        #expect(found?.accuracyLimited == false && found?.stationary == false && found?.isStationary == false)
        try test.write("location: not-determined\n", to: "permissions.yaml")
        #expect(await soon { gpsd.listeners == 0 })
        #expect(person.asked == [.locationWhenInUse])
    }

    @Test func `a refusal is reported`() async throws {
        let test = try rig("location: not-determined\n", prompter: Person(.deny))
        var updates = updates(of: test)
        #expect(try await updates.next()?.authorizationRequestInProgress == true)
        let update = try await updates.next()
        #expect(update?.authorizationDenied == true && update?.authorizationDeniedGlobally == false)
        #expect(update?.location == nil && update?.authorizationRestricted == false)
    }

    @Test(arguments: [true, false])
    func `a request is in progress only while a question is open`(isAnswered: Bool) async throws {
        // Without a purpose, or a person, no question opens.
        let test =
            isAnswered
            ? try rig("location: not-determined\n", configuration: nil)
            : try rig("location: not-determined\n", prompter: Nobody())
        var updates = updates(of: test)
        let update = try await updates.next()
        #expect(update?.authorizationRequestInProgress == false && update?.insufficientlyInUse == true)
        #expect(update?.authorizationDenied == false)
    }

    @Test(arguments: [0.1, 1])
    func `another question that is open delays the own, and does not replace it`(seconds: Double) async throws {
        let person = Person(.deny)
        let test = try rig("location: not-determined\n", prompter: person)
        var claim = try test.rig.settings.files.grants?.claimDialog()
        let isClaimed = claim != nil
        #expect(isClaimed)
        var updates = updates(of: test)
        try await Task.sleep(for: .seconds(seconds))
        #expect(person.asked.isEmpty)
        claim = nil
        #expect(try await updates.next()?.authorizationRequestInProgress == true)
        #expect(try await updates.next()?.authorizationDenied == true)
        #expect(person.asked == [.locationWhenInUse])
    }

    @Test func `a dismissed question is in progress, and then not`() async throws {
        let person = Person(nil)
        let test = try rig("location: not-determined\n", prompter: person)
        var updates = updates(of: test)
        #expect(try await updates.next()?.authorizationRequestInProgress == true)
        let update = try await updates.next()
        #expect(update?.authorizationRequestInProgress == false && update?.insufficientlyInUse == true)
        #expect(person.asked == [.locationWhenInUse])
    }

    @Test func `forbidden by the policy is restricted`() async throws {
        let test = try rig("location: always\n", policy: "location: restricted\n")
        var updates = updates(of: test)
        let update = try await updates.next()
        #expect(update?.authorizationRestricted == true && update?.authorizationDenied == false)
    }

    @Test func `denied by the system is denied globally`() async throws {
        let locked = StagedDriver(
            "gpsd", [.locationReceiver],
            Enumeration(access: .denied, accessEvidence: Evidence(path: "gpsd", errno: "EACCES", said: "not allowed")))
        let test = try rig("location: always\n", drivers: [locked])
        var updates = updates(of: test)
        let update = try await updates.next()
        #expect(update?.authorizationDenied == true && update?.authorizationDeniedGlobally == true)
        #expect(!test.run { CLLocationManager.locationServicesEnabled() })
    }

    @Test func `in the background while in use is not enough`() async throws {
        let test = try rig("location: when-in-use\n", session: "3", sessions: ["3": "ACTIVE=0\n"])
        var updates = updates(of: test)
        let update = try await updates.next()
        #expect(update?.insufficientlyInUse == true && update?.authorizationDenied == false)
        #expect(gpsd.connections == 0)
        try test.write("ACTIVE=1\n", to: "sessions/3")
        #expect(try await updates.next()?.insufficientlyInUse == false)
        #expect(await soon { gpsd.connections == 1 })
        gpsd.fix()
        #expect(try await position(updates: &updates)?.location != nil)
    }

    @Test func `nothing is asked from the background`() async throws {
        let person = Person(.allow)
        let test = try rig("location: not-determined\n", sessions: [:], prompter: person)
        var updates = updates(of: test)
        let update = try await updates.next()
        #expect(update?.insufficientlyInUse == true && update?.authorizationRequestInProgress == false)
        #expect(person.asked.isEmpty)
    }

    /// The next update with a position; on an overloaded machine one may precede it that reports that there is none.
    private func position(
        updates: inout CLLocationUpdate.Updates.AsyncIterator
    ) async throws -> CLLocationUpdate? {
        while let update = try await updates.next() { if update.location != nil { return update } }
        return nil
    }

    @Test func `an app with explicit sessions needs one`() async throws {
        let test = try rig(
            "location: always\n", configuration: TestRig.purposes + "\nexplicitServiceSession: true\n")
        var updates = updates(of: test)
        #expect(try await updates.next()?.serviceSessionRequired == true)
        // A manager needs none, and shows when a position was received.
        let (manager, diary) = test.manager()
        manager.startUpdatingLocation()
        #expect(await soon { gpsd.connections == 1 && diary.statuses == [.authorizedAlways] })
        gpsd.fix(latitude: 1)
        #expect(await soon { diary.locations.count == 1 })
        let session = test.run { CLServiceSession(authorization: .whenInUse) }
        #expect(try await updates.next()?.serviceSessionRequired == false)
        gpsd.fix(latitude: 2)
        #expect(try await position(updates: &updates)?.location?.coordinate.latitude == 2)
        session.invalidate()
        // Meanwhile gpsd may have been silent long enough for a report.
        var last = try await updates.next()
        while let update = last, !update.serviceSessionRequired { last = try await updates.next() }
        #expect(last?.serviceSessionRequired == true)
    }

    @Test func `a reduced location is marked`() async throws {
        let test = try rig("location: {status: always, accuracy: reduced}\n")
        var updates = updates(of: test)
        #expect(await soon { gpsd.connections == 1 })
        gpsd.fix(latitude: 52.5312)
        let update = try await position(updates: &updates)
        #expect(update?.location?.coordinate.latitude == 52.5 && update?.accuracyLimited == true)
    }

    @Test func `the receiver is released when the loop ends`() async throws {
        let test = try rig("location: always\n")
        let gpsd = gpsd
        try await LiveRigScope(test).run {
            for try await update in CLLocationUpdate.liveUpdates() {
                if update.location != nil { break }
                gpsd.fix()
            }
        }
        #expect(await soon { gpsd.listeners == 0 })
        let task = Task {
            try await LiveRigScope(test).run { for try await _ in CLLocationUpdate.liveUpdates() {} }
        }
        #expect(await soon { gpsd.listeners == 1 })
        task.cancel()
        try await task.value
        #expect(await soon { gpsd.listeners == 0 })
    }
}
