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
        var session = ServiceSession()
        _ = session.observe(statuses ?? everything)
        #expect(session.setUp(try Evaluator(rules: rules), start: start) == .success)
        return session
    }

    @Test func `a new session does nothing`() throws {
        var session = ServiceSession()
        #expect(session.state == .uninitialized)
        #expect(session.startAutomaticDetection() == false)
        #expect(session.stopAutomaticDetection() == false)
        #expect(session.startTrip() == false)
        #expect(session.finishTrip() == false)
        #expect(session.update(.all) == false)
        #expect(session.shutDown(force: true, isHandedOver: true) == .uninitialized)
        #expect(session.observe(noLocation).isEmpty)
        #expect(session.failures.isEmpty && session.current.isEmpty)
        #expect(session.reach == .off && !session.isRecording)
    }

    @Test func `a session passes through all states`() throws {
        var session = try session()
        #expect(session.state == .ready)
        #expect(session.setUp(.all) == .alreadySetUp)
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
        #expect(session.setUp(.all, start: true) == .success)
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
        #expect(session.update(try Evaluator(of: ServiceSet(.walking))) == true)
        #expect(session.state == .running)
        #expect(session.failures.isEmpty)
        #expect(session.warnings.map(\.service) == [.walking])
        #expect(
            session.update(
                try Evaluator(of: ServiceSet(.walking), flags: .backgroundLocationPermissionMandatory)))
        #expect(session.failures.map(\.service) == [.walking])
    }

    @Test func `what the licence lacks fails alone`() throws {
        var session = ServiceSession()
        _ = session.observe(everything)
        let wanted = ServiceSet(.walking).union(ServiceSet(.places))
        let evaluator = try Evaluator(of: wanted, licence: ServiceSet(.places))
        #expect(session.setUp(evaluator, start: true) == .success)
        #expect(session.failures.map(\.service) == [.walking])
        #expect(session.failures.first?.reason == .unauthorized)
        #expect(session.running == ServiceSet(.places))
    }

    @Test func `a trip by hand ignores the mandatory flags`() throws {
        let noMotion = RequirementStatuses(met: .all.subtracting([.motion, .backgroundLocation]))
        var session = ServiceSession()
        _ = session.observe(noMotion)
        _ = session.setUp(try Evaluator(flags: .all))
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
        _ = walking.setUp(try Evaluator(of: ServiceSet(.walking)))
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
        var session = ServiceSession()
        _ = session.observe(RequirementStatuses(met: .all.subtracting([.location, .preciseLocation])))
        let evaluator = try Evaluator(of: ServiceSet(.driving), rules: Rules(.version1))
        #expect(session.setUp(evaluator, start: true) == .success)
        #expect(session.state == .error([.location, .preciseLocation]))
        #expect(session.shutDown(force: true, isHandedOver: true) == .success)
    }

    @Test func `a whole session ignores optional requirements`() throws {
        var session = try session(rules: Rules(.version1), start: true)
        #expect(session.observe(RequirementStatuses(met: .all.subtracting(.backgroundLocation))).isEmpty)
        #expect(session.state == .running)
    }

    @Test func `a whole session is not set up beyond its licence`() throws {
        var session = ServiceSession()
        _ = session.observe(everything)
        let evaluator = try Evaluator(
            of: ServiceSet(.walking), rules: Rules(.version1), licence: ServiceSet(.driving))
        let result = session.setUp(evaluator)
        #expect(result == .configMismatch(ServiceSet(.walking)))
        #expect(session.state == .uninitialized)
    }
}

extension ServiceFailure {
    fileprivate init(of service: Service, missing: RequirementSet) {
        self.init(service: service, reason: .missing(missing))
    }
}
