import Foundation
import LocalRig
import Readiness
import PhoneKit
import Testing

/// Requests: what is asked, what an answer leaves behind, and the result.
@Suite struct RequestTests {
    private static let why = SystemService.geoLocationWhenUsing("To find the way.")
    private static let always = SystemService.geoLocationAlways("To see trips while the phone sleeps.")

    /// Asks, and returns the questions.
    private func ask(
        _ permissioner: SystemServicePermissioner, _ service: SystemService, _ answer: PermissionAnswer?,
        evenIfAllowed: Bool = true
    ) throws -> (result: RequestResult, question: PermissionQuestion?) {
        var asked: PermissionQuestion?
        let result = try permissioner.requestPermission(for: service, evenIfAllowed: evenIfAllowed) { question in
            asked = question
            return answer
        }
        return (result, asked)
    }

    @Test func `what access allows is granted without a question except in the consent dialog`() throws {
        try Bench.withFolder { bench in
            let permissioner = bench.permissioner
            for service in [Self.why, .coreMotion, .microphone, .localNotifications([])] {
                #expect(try !permissioner.isOpen(service))
                let asked = try ask(permissioner, service, .deny, evenIfAllowed: false)
                #expect(asked.result == .granted && asked.question == nil)
                #expect(try permissioner.isOpen(service, evenIfAllowed: true))
            }
            // Nothing was recorded by any of it.
            let consent = try #require(bench.consent), grants = try #require(bench.grants)
            #expect(try consent.read() == ConsentRecord())
            #expect(try grants.read().isEmpty)
        }
    }

    @Test func `Always is asked in two steps`() throws {
        try Bench.withFolder { bench in
            let permissioner = bench.permissioner
            let first = try ask(permissioner, Self.why, .allow)
            #expect(first.result == .granted)
            #expect(first.question?.purpose == "To find the way.")
            #expect(first.question?.answers == [.allow, .once, .deny])
            #expect(permissioner.state(of: Self.always).status == .notDetermined)
            let second = try ask(permissioner, Self.always, .allow)
            #expect(second.result == .granted)
            #expect(second.question?.purpose == "To see trips while the phone sleeps.")
            #expect(second.question?.answers == [.allow, .deny])
            // Neither is asked again.
            #expect(try !permissioner.isOpen(Self.why, evenIfAllowed: true))
            #expect(try ask(permissioner, Self.always, .deny).question == nil)
            let consent = try #require(bench.consent)
            #expect(try consent.read().answers == ["location": .accepted, "locationAlways": .accepted])
        }
    }

    @Test func `a refusal is a refusal`() throws {
        try Bench.withFolder { bench in
            let permissioner = bench.permissioner
            for service in [
                SystemService.coreMotion, .bluetooth, .healthKit(.steps), .microphone, .localNotifications([]),
            ] {
                let asked = try ask(permissioner, service, .deny)
                guard case .refused(let state) = asked.result else {
                    Issue.record("\(service.id): \(asked.result)")
                    continue
                }
                #expect(state.status == .denied)
                #expect(!permissioner.hasPermission(for: service))
                #expect(try permissioner.answer(about: service) == .refused)
                #expect(try ask(permissioner, service, .allow).question == nil)
                // Asked again on request.
                try permissioner.forget(service)
                #expect(try ask(permissioner, service, .allow).result == .granted)
            }
        }
    }

    @Test func `accepted is not granted`() throws {
        try Bench.withFolder { bench in
            // The operating system refuses: nothing is asked, since no answer would help.
            var denied = bench
            denied.motion = .denied
            let asked = try ask(denied.permissioner, .coreMotion, .allow)
            #expect(asked.question == nil)
            if case .refused = asked.result {} else { Issue.record("\(asked.result)") }
            // What is absent is not a refusal.
            var none = bench
            none.microphone = ServiceState(.absent, evidence: "none")
            let absent = try ask(none.permissioner, .microphone, .allow)
            if case .accepted(let state) = absent.result {
                #expect(state.status == .absent)
            } else {
                Issue.record("\(absent.result)")
            }
            // What was accepted while it was present is still accepted once it is gone, but not granted.
            #expect(try ask(bench.permissioner, .microphone, .allow).result == .granted)
            #expect(try none.permissioner.answer(about: .microphone) == .accepted)
            #expect(none.permissioner.state(of: .microphone).status == .absent)
            // Health: the steps are granted, the rest has no source.
            let types = HealthKitTypes(readQuantities: [.stepCount, .height])
            let part = try ask(bench.permissioner, .healthKit(types), .allow)
            if case .accepted(let state) = part.result {
                #expect(state.status == .granted && state.unsupported == ["HKQuantityTypeIdentifierHeight"])
            } else {
                Issue.record("\(part.result)")
            }
        }
    }

    @Test func `services that Linux lacks are never asked`() throws {
        try Bench.withFolder { bench in
            let asked = try ask(bench.permissioner, .healthKit(HealthKitTypes(readQuantities: [.height])), .allow)
            #expect(asked.question == nil)
            if case .unsupported = asked.result {} else { Issue.record("\(asked.result)") }
        }
    }

    @Test func `a dismissed question leaves nothing`() throws {
        try Bench.withFolder { bench in
            for service in [Self.why, .coreMotion, .microphone] {
                let asked = try ask(bench.permissioner, service, nil)
                #expect(asked.result == .deferred && asked.question != nil)
                // An answer that was not offered is ignored.
                if service != Self.why { #expect(try ask(bench.permissioner, service, .once).result == .deferred) }
                #expect(try bench.permissioner.isOpen(service, evenIfAllowed: true))
            }
            let grants = try #require(bench.grants)
            #expect(try grants.read().isEmpty)
        }
    }

    @Test func `a policy is not asked`() throws {
        try Bench.withFolder { bench in
            var restricted = bench
            restricted.policy = Policy(restricted: [.motion])
            let asked = try ask(restricted.permissioner, .coreMotion, .allow)
            #expect(asked.question == nil)
            if case .refused(let state) = asked.result {
                #expect(state.status == .restricted)
            } else {
                Issue.record("\(asked.result)")
            }
        }
    }

    @Test func `a second question is busy`() throws {
        try Bench.withFolder { bench in
            let permissioner = bench.permissioner
            var inner: RequestResult?
            _ = try permissioner.requestPermission(for: .coreMotion, evenIfAllowed: true) { _ in
                inner = try? permissioner.requestPermission(for: .microphone, evenIfAllowed: true) { _ in .allow }
                return .allow
            }
            #expect(inner == .busy)
        }
    }

    @Test func `grants that change meanwhile make the answer void`() throws {
        try Bench.withFolder { bench in
            let grants = try #require(bench.grants)
            let result = try bench.permissioner.requestPermission(for: Self.always, evenIfAllowed: true) { _ in
                try? grants.update { $0.location = LocationGrant(.whenInUse) }
                return .allow
            }
            #expect(result == .deferred)
            #expect(try grants.read().location == LocationGrant(.whenInUse))
        }
    }

    @Test func `without a place for answers nothing is asked`() {
        #expect(throws: SystemServiceError.self) { try ask(Bench().permissioner, .coreMotion, .allow) }
    }
}
