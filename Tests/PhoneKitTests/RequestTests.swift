import LocalRig
import Readiness
import Glibc
import PhoneKit
import PhoneSupport
import Synchronization
import Testing

/// Requests to the user, and their effect on the records and the app.
@Suite(.timeLimit(.minutes(10)))
struct RequestTests {
    /// Asks, and waits for the outcome; returns the state at that time.
    private func ask(
        _ test: TestRig, _ request: PermissionRequest
    ) throws -> (answered: PhoneRig.Answered, state: PhoneState) {
        let result = Mutex<(PhoneRig.Answered, PhoneState)?>(nil)
        let box = Box(result)
        _ = test.state
        test.rig.request(request) { answered in box.result.withLock { $0 = (answered, test.state) } }
        #expect(eventually { box.result.withLock { $0 != nil } })
        return try #require(box.result.withLock { $0 })
    }

    private final class Box: Sendable {
        let result: Mutex<(PhoneRig.Answered, PhoneState)?>
        init(_ result: consuming Mutex<(PhoneRig.Answered, PhoneState)?>) { self.result = result }
    }

    @Test func `the answer is on record before the request ends`() throws {
        let person = Person(.allow)
        let test = try TestRig(grants: "location: not-determined\n", prompter: person)
        let (answered, state) = try ask(test, .location(always: false))
        #expect(answered == .asked(.granted))
        #expect(state.authorizations.location.status == .authorizedWhenInUse && state.question == nil)
        #expect(test.text(of: "permissions.yaml").contains("location: when-in-use"))
        #expect(person.asked == [.locationWhenInUse])
    }

    @Test func `Always is provisional until it was used from the background`() throws {
        let person = Person(.allow, .deny)
        let test = try TestRig(
            grants: "location: not-determined\n", session: "3", sessions: ["3": "ACTIVE=1\n"], prompter: person)
        let (_, state) = try ask(test, .location(always: true))
        #expect(state.authorizations.location.status == .authorizedAlways && state.authorizations.provisional)
        test.rig.locationWasUsed()
        try test.write("ACTIVE=0\n", to: "sessions/3")
        #expect(eventually { !test.state.isInForeground })
        #expect(person.asked == [.locationWhenInUse])
        test.rig.locationWasUsed()
        #expect(eventually { test.state.authorizations.location.status == .authorizedWhenInUse })
        #expect(person.asked == [.locationWhenInUse, .locationConfirmation])
    }

    @Test func `an unanswered question leaves no record`() throws {
        let test = try TestRig(grants: "bluetooth: not-determined\n", prompter: Person(nil))
        let (answered, state) = try ask(test, .bluetooth)
        #expect(answered == .asked(.deferred))
        #expect(state.authorizations.bluetooth.status == .notDetermined)
        #expect(test.text(of: "permissions.yaml") == "bluetooth: not-determined\n")
    }

    /// Answers nothing, once it is let.
    private final class Undecided: Prompter {
        let isLet = Mutex(false)
        func answer(to question: PermissionQuestion) -> PermissionAnswer? {
            while !isLet.withLock(\.self) { usleep(1000) }
            return nil
        }
    }

    @Test func `a question is told while it is open, and not afterwards`() throws {
        let person = Undecided()
        defer { person.isLet.withLock { $0 = true } }
        let test = try TestRig(grants: "bluetooth: not-determined\n", prompter: person)
        let told = Box(Mutex(nil))
        let kinds = ToldKinds()
        let observation = test.rig.observe { state in kinds.all.withLock { $0.append(state.question?.kind) } }
        #expect(test.state.question == nil)
        test.rig.request(.bluetooth) { answered in told.result.withLock { $0 = (answered, test.state) } }
        #expect(eventually { test.state.question?.kind == .bluetooth })
        person.isLet.withLock { $0 = true }
        #expect(eventually { told.result.withLock { $0 != nil } })
        #expect(told.result.withLock { $0?.1.question } == nil && test.state.question == nil)
        #expect(kinds.all.withLock { $0.contains(.bluetooth) && $0.last == .some(nil) })
        withExtendedLifetime(observation) {}
    }

    private final class ToldKinds: Sendable {
        let all = Mutex<[PermissionQuestionKind?]>([])
    }

    @Test func `without a purpose nothing is asked`() throws {
        let person = Person(.allow)
        let test = try TestRig(grants: "motion: not-determined\n", configuration: nil, prompter: person)
        let (answered, _) = try ask(test, .motion)
        guard case .ignored(let reason) = answered else { Issue.record("\(answered)"); return }
        #expect(reason.contains("NSMotionUsageDescription") && person.asked.isEmpty)
        #expect(test.complaints.contains { $0.contains("NSMotionUsageDescription") })
    }

    @Test func `from the background nothing is asked`() throws {
        let person = Person(.allow)
        let test = try TestRig(grants: "motion: not-determined\n", sessions: [:], prompter: person)
        #expect(try ask(test, .motion).answered == .ignored("this process is in the background"))
        #expect(person.asked.isEmpty)
    }

    @Test func `a decided permission is not asked`() throws {
        let person = Person(.allow)
        let test = try TestRig(grants: "motion: denied\n", prompter: person)
        guard case .settled(.refused) = try ask(test, .motion).answered else { Issue.record("asked"); return }
        #expect(person.asked.isEmpty)
    }
}
