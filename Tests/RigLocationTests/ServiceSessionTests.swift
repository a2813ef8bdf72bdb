import DriverKit
import LocalRig
import Readiness
import PhoneKit
import RigLocation
import PhoneSupport
import Testing

/// How the status differs from a declared goal.
@Suite(.timeLimit(.minutes(10)))
struct ServiceSessionTests {
    typealias Diagnostic = CLServiceSession.Diagnostic

    /// Reads diagnostics up to an expected one; returns those read.
    ///
    /// Ends with the test's time limit.
    private func read(
        _ session: CLServiceSession, until isExpected: (Diagnostic) -> Bool
    ) async throws -> [Diagnostic] {
        var read: [Diagnostic] = []
        for try await diagnostic in session.diagnostics {
            read.append(diagnostic)
            if isExpected(diagnostic) { break }
        }
        return read
    }

    @Test func `the user is asked for the goal`() async throws {
        let person = Person(.allow)
        let test = try TestRig(grants: "location: not-determined\n", prompter: person)
        let session = test.run { CLServiceSession(authorization: .whenInUse) }
        _ = try await read(session) { $0.isClear && person.asked == [.locationWhenInUse] }
        #expect(await soon { test.state.authorizations.location.status == .authorizedWhenInUse })
    }

    @Test func `a session alone listens to no receiver`() async throws {
        let gpsd = ScriptedGPSD()
        let test = try TestRig(grants: "location: always\n", world: gpsd, gpsd: ScriptedGPSD.endpoint)
        let session = test.run { CLServiceSession(authorization: .always) }
        for _ in 1...2 {
            _ = try await read(session) { $0.isClear }
            try test.write("location: denied\n", to: "permissions.yaml")
            _ = try await read(session) { $0.authorizationDenied }
            try test.write("location: always\n", to: "permissions.yaml")
        }
        #expect(gpsd.connections == 0)
    }

    @Test func `a refusal and its kinds are reported`() async throws {
        let refused = try TestRig(grants: "location: not-determined\n", prompter: Person(.deny))
        let session = refused.run { CLServiceSession(authorization: .whenInUse) }
        let told = try await read(session) { $0.authorizationDenied }
        #expect(told.last?.authorizationDeniedGlobally == false && told.last?.authorizationRestricted == false)

        let restricted = try TestRig(policy: "location: restricted\n")
        let second = restricted.run { CLServiceSession(authorization: .whenInUse) }
        #expect(try await read(second) { $0.authorizationRestricted }.last?.authorizationDenied == false)

        let locked = StagedDriver(
            "gpsd", [.locationReceiver],
            Enumeration(access: .denied, accessEvidence: Evidence(path: "gpsd", errno: "EACCES", said: "not allowed")))
        let third = try TestRig(drivers: [locked]).session(.always)
        #expect(try await read(third.session) { $0.authorizationDeniedGlobally }.last?.authorizationDenied == true)
    }

    @Test func `Always is requested once and then denied`() async throws {
        let person = Person(.deny)
        let test = try TestRig(grants: "location: when-in-use\n", prompter: person)
        let session = test.run { CLServiceSession(authorization: .always) }
        _ = try await read(session) { $0.alwaysAuthorizationDenied && !person.asked.isEmpty }
        #expect(await soon { test.text(of: "permissions.yaml").contains("askedForAlways") })
        let again = test.run { CLServiceSession(authorization: .always) }
        #expect(try await read(again) { $0.alwaysAuthorizationDenied }.last?.authorizationDenied == false)
        #expect(person.asked == [.locationAlways])
    }

    @Test func `refused full accuracy is reported`() async throws {
        let person = Person(.deny)
        let test = try TestRig(grants: "location: {status: always, accuracy: reduced}\n", prompter: person)
        let session = test.run { CLServiceSession(authorization: .always, fullAccuracyPurposeKey: "directions") }
        _ = try await read(session) { $0.fullAccuracyDenied && !person.asked.isEmpty }
        #expect(person.asked == [.fullAccuracy])
        let content = test.run { CLServiceSession(authorization: .always) }
        #expect(try await read(content) { _ in true }.map(\.isClear) == [true])
    }

    @Test func `a refused Always leaves the question of accuracy, which is asked once`() async throws {
        let person = Person(.deny, .deny)
        let test = try TestRig(grants: "location: {status: when-in-use, accuracy: reduced}\n", prompter: person)
        let session = test.run { CLServiceSession(authorization: .always, fullAccuracyPurposeKey: "directions") }
        _ = try await read(session) { $0.alwaysAuthorizationDenied && $0.fullAccuracyDenied && person.asked.count > 1 }
        #expect(person.asked == [.locationAlways, .fullAccuracy])
    }

    @Test func `the background and an open question are reported`() async throws {
        let test = try TestRig(grants: "location: not-determined\n", sessions: [:])
        let session = test.run { CLServiceSession(authorization: .whenInUse) }
        _ = try await read(session) { $0.insufficientlyInUse }

        let slow = SlowPerson()
        let asking = try TestRig(grants: "location: not-determined\n", prompter: slow)
        let second = asking.run { CLServiceSession(authorization: .whenInUse) }
        let told = try await read(second) { $0.authorizationRequestInProgress }
        #expect(told.last?.authorizationDenied == false)
        slow.answer()
        _ = try await read(second) { $0.isClear }
    }

    @Test func `where nobody can be asked, the request is in progress and then the truth is told`() async throws {
        for configuration in [TestRig.purposes, "services: [driving]"] {
            let test = try TestRig(
                grants: "location: not-determined\n", configuration: configuration, prompter: Nobody())
            let session = test.run { CLServiceSession(authorization: .always) }
            // The first may precede the reader.
            let told = try await read(session) { $0.insufficientlyInUse }
            #expect(told.dropLast().allSatisfy { $0.authorizationRequestInProgress })
            let last = try #require(told.last)
            #expect(!last.authorizationRequestInProgress && !last.authorizationDenied && !last.isClear)
        }
    }

    @Test func `an undecided goal is never clear`() async throws {
        let slow = SlowPerson()
        let test = try TestRig(grants: "location: not-determined\n", prompter: slow)
        let session = test.run { CLServiceSession(authorization: .whenInUse) }
        let first = try await read(session) { _ in true }
        #expect(first.map(\.authorizationRequestInProgress) == [true])
        slow.answer()
        _ = try await read(session) { $0.isClear }
    }

    @Test func `an app with explicit sessions holds none without a goal`() async throws {
        let test = try TestRig(
            grants: "location: always\n", configuration: TestRig.purposes + "\nexplicitServiceSession: true\n")
        let empty = test.run { CLServiceSession(authorization: .none) }
        _ = try await read(empty) { $0.serviceSessionRequired }
        let held = test.run { CLServiceSession(authorization: .whenInUse) }
        _ = try await read(empty) { !$0.serviceSessionRequired }
        held.invalidate()
        _ = try await read(empty) { $0.serviceSessionRequired }
    }

    @Test func `an expired authorization is requested again`() async throws {
        let person = Person(.once, .allow)
        let test = try TestRig(
            grants: "location: not-determined\n", session: "3", sessions: ["3": "ACTIVE=1\n"], prompter: person)
        let session = test.run { CLServiceSession(authorization: .whenInUse) }
        #expect(await soon { test.state.authorizations.location.status == .authorizedWhenInUse })
        let text = test.text(of: "permissions.yaml")
        #expect(text.contains("once"))
        try test.write(text.replacingOccurrences(of: "\"3\"", with: "\"4\""), to: "permissions.yaml")
        #expect(await soon { person.asked.count == 2 })
        #expect(await soon { test.text(of: "permissions.yaml").contains("location: when-in-use") })
        withExtendedLifetime(session) {}
    }

    @Test func `diagnostics end with their session`() async throws {
        let test = try TestRig(grants: "location: always\n")
        let session = test.run { CLServiceSession(authorization: .always) }
        var count = 0
        for try await _ in session.diagnostics {
            count += 1
            session.invalidate()
        }
        #expect(count == 1)
        for try await _ in session.diagnostics { Issue.record("a session that is over has no diagnostics") }
    }
}

/// Answers on a test's request.
private final class SlowPerson: Prompter, @unchecked Sendable {
    private let turn = DispatchSemaphore(value: 0)
    func answer() { turn.signal() }
    func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        turn.wait()
        return .allow
    }
}

extension TestRig {
    /// A session on this rig, and the rig, which lasts as long.
    fileprivate func session(
        _ authorization: CLServiceSession.AuthorizationRequirement
    ) -> (rig: TestRig, session: CLServiceSession) {
        (self, run { CLServiceSession(authorization: authorization) })
    }
}
