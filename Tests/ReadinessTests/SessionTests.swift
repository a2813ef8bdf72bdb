import Testing

@testable import Readiness

/// Session states: each transition, and each that is refused.
@Suite struct SessionTests {
    private let everything = RequirementStatuses(met: .all)
    private let noLocation = RequirementStatuses(
        met: .all.subtracting([.location, .preciseLocation, .backgroundLocation]))

    private func session(_ statuses: RequirementStatuses? = nil, rules: Rules = .newest, start: Bool = false) throws
        -> ServiceSession
    {
        var session = ServiceSession(rules: rules)
        _ = session.observe(statuses ?? everything)
        #expect(try session.setUp(.init(), start: start) == .success)
        return session
    }

    @Test func `a new session does nothing`() throws {
        var session = ServiceSession()
        #expect(session.state == .uninitialized)
        #expect(session.startAutomaticDetection() == false)
        #expect(session.stopAutomaticDetection() == false)
        #expect(session.startTrip() == false)
        #expect(session.finishTrip() == false)
        #expect(try session.update(.init()) == false)
        #expect(session.shutDown(force: true, isHandedOver: true) == .uninitialized)
        #expect(session.observe(noLocation).isEmpty)
        #expect(session.failures.isEmpty && session.current.isEmpty)
        #expect(session.reach == .off && !session.isRecording)
    }

    @Test func `a session passes through all states`() throws {
        var session = try session()
        #expect(session.state == .ready)
        #expect(try session.setUp(.init()) == .alreadySetUp)
        #expect(session.stopAutomaticDetection() == false)
        #expect(session.startAutomaticDetection() == true)
        #expect(session.state == .running)
        #expect(session.startAutomaticDetection() == false)
        #expect(session.stopAutomaticDetection() == true)
        #expect(session.state == .ready)
        #expect(session.shutDown(force: false, isHandedOver: false) == .networkError)
        #expect(session.state == .ready)
        #expect(session.shutDown(force: true, isHandedOver: false) == .success)
        #expect(session.state == .uninitialized)
        #expect(try session.setUp(.init(), start: true) == .success)
        #expect(session.state == .running)
        #expect(session.shutDown(force: false, isHandedOver: true) == .success)
    }

    @Test func `a running session keeps running whatever fails`() throws {
        var session = try session(start: true)
        #expect(session.isRecording && session.reach == .full)
        let delivery = session.observe(RequirementStatuses(met: []))
        #expect(session.state == .running)
        #expect(delivery.state == nil)
        #expect(delivery.failures == session.failures)
        #expect(session.running == ServiceSet(.assistanceCall) && !session.isRecording)
        #expect(session.observe(everything).failures == [])
        #expect(session.isRecording)
    }

    @Test func `lists are delivered whole and only when they change`() throws {
        var session = try session(start: true)
        let first = session.observe(noLocation)
        #expect(first.failures?.contains(.init(of: .driving, missing: [.location, .preciseLocation])) == true)
        #expect(first.warnings?.first { $0.service == .walking }?.reason == .missing(.backgroundLocation))
        #expect(session.observe(noLocation).isEmpty)
        let mended = session.observe(everything)
        #expect(mended.failures == [] && mended.warnings == [])
        #expect(session.observe(everything).isEmpty)
    }

    @Test func `a warning without a service concerns the rig`() throws {
        var session = try session()
        let notice = Notice(.simulated, detail: "simulated")
        let delivery = session.observe(everything, notices: [notice])
        #expect(delivery.warnings?.map(\.service) == [nil])
        #expect(delivery.warnings?.first?.reason == .notice(notice))
        #expect(delivery.failures == nil)
        #expect(session.observe(everything).warnings == [])
    }

    @Test func `detection reaches as far as location is allowed`() throws {
        var session = try session(start: true)
        #expect(session.reach == .full)
        _ = session.observe(RequirementStatuses(met: .all.subtracting(.backgroundLocation)))
        #expect(session.reach == .foregroundOnly)
        _ = session.stopAutomaticDetection()
        #expect(session.reach == .off)
    }

    @Test func `another configuration is evaluated at once`() throws {
        var session = try session(noLocation, start: true)
        #expect(!session.failures.isEmpty)
        #expect(try session.update(.init(services: ServiceSet(.walking))) == true)
        #expect(session.state == .running)
        #expect(session.failures.isEmpty)
        #expect(session.warnings.map(\.service) == [.walking])
        #expect(
            try session.update(.init(services: ServiceSet(.walking), flags: .backgroundLocationPermissionMandatory)))
        #expect(session.failures.map(\.service) == [.walking])
        #expect(throws: RulesError.self) {
            var old = ServiceSession(rules: Rules(try #require(RulesVersion("2.0"))))
            _ = try old.setUp(.init(services: ServiceSet(.health)))
        }
    }

    @Test func `what the licence lacks fails alone`() throws {
        var session = ServiceSession()
        _ = session.observe(everything)
        let wanted = ServiceSet(.walking).union(ServiceSet(.places))
        #expect(try session.setUp(.init(services: wanted, licence: ServiceSet(.places)), start: true) == .success)
        #expect(session.failures.map(\.service) == [.walking])
        #expect(session.failures.first?.reason == .unauthorized)
        #expect(session.running == ServiceSet(.places))
    }

    @Test func `a trip by hand ignores the mandatory flags`() throws {
        let noMotion = RequirementStatuses(met: .all.subtracting([.motion, .backgroundLocation]))
        var session = ServiceSession()
        _ = session.observe(noMotion)
        _ = try session.setUp(.init(flags: .all))
        #expect(session.failures.contains { $0.service == .driving })
        #expect(session.startTrip() == true)
        #expect(session.isRecording)
        #expect(session.startTrip() == false)
        #expect(session.finishTrip() == true)
        #expect(session.finishTrip() == false)
        #expect(session.startAutomaticDetection() == true)
        #expect(session.startTrip() == false)
    }

    @Test func `no trip without location`() throws {
        var session = try session(noLocation)
        #expect(session.startTrip() == false)
        var walking = ServiceSession()
        _ = walking.observe(everything)
        _ = try walking.setUp(.init(services: ServiceSet(.walking)))
        #expect(walking.startTrip() == false)
    }

    // MARK: The whole-session rule of 1.x

    @Test func `one missing requirement stops a whole session`() throws {
        var session = try session(rules: Rules(.version1), start: true)
        #expect(session.state == .running)
        let delivery = session.observe(RequirementStatuses(met: .all.subtracting(.gyroscope)))
        #expect(delivery.state == .error(.gyroscope))
        #expect(session.running.isEmpty && session.reach == .off && !session.isRecording)
        #expect(session.startAutomaticDetection() == false)
        #expect(session.stopAutomaticDetection() == false)
        // After the fix, it waits for a start.
        #expect(session.observe(everything).state == .ready)
        #expect(session.startAutomaticDetection() == true)
    }

    @Test func `a whole session can be set up in its error state`() throws {
        var session = ServiceSession(rules: Rules(.version1))
        _ = session.observe(RequirementStatuses(met: .all.subtracting([.location, .preciseLocation])))
        #expect(try session.setUp(.init(services: ServiceSet(.driving)), start: true) == .success)
        #expect(session.state == .error([.location, .preciseLocation]))
        #expect(session.shutDown(force: true, isHandedOver: true) == .success)
    }

    @Test func `a whole session ignores optional requirements`() throws {
        var session = try session(rules: Rules(.version1), start: true)
        #expect(session.observe(RequirementStatuses(met: .all.subtracting(.backgroundLocation))).isEmpty)
        #expect(session.state == .running)
    }

    @Test func `a whole session is not set up beyond its licence`() throws {
        var session = ServiceSession(rules: Rules(.version1))
        _ = session.observe(everything)
        let result = try session.setUp(.init(services: ServiceSet(.walking), licence: ServiceSet(.driving)))
        #expect(result == .configMismatch(ServiceSet(.walking)))
        #expect(session.state == .uninitialized)
    }
}

extension ServiceFailure {
    fileprivate init(of service: Service, missing: RequirementSet) {
        self.init(service: service, reason: .missing(missing))
    }
}
