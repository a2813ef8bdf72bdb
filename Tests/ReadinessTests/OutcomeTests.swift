import Readiness
import Testing

@Suite("The exit status")
struct OutcomeTests {
    func outcome(
        _ services: ServiceSet, _ statuses: RequirementStatuses, strict: Bool = false, licence: ServiceSet? = nil
    ) throws -> Int32 {
        try Evaluator(of: services, licence: licence).results(for: statuses).status(strict: strict).rawValue
    }

    @Test("Zero when every service asked for runs, and for a degraded one without strict only")
    func ready() throws {
        #expect(try outcome(.all, RequirementStatuses(met: .all)) == 0)
        #expect(try outcome(.all, RequirementStatuses(met: .all), strict: true) == 0)
        let degraded = RequirementStatuses(met: .all.subtracting(.bluetooth))
        #expect(try outcome(.of(.deviceDiscovery), degraded) == 0)
        #expect(try outcome(.of(.deviceDiscovery), degraded, strict: true) == 1)
    }

    @Test("One when a service fails, is blocked or is unauthorized, even if another cannot be told")
    func notReady() throws {
        let mixed = RequirementStatuses(met: .all.subtracting([.gyroscope, .motion]), unknown: .gyroscope)
        #expect(try outcome(.of(.cycling, .drivingBehaviour), mixed) == 1)
        #expect(try outcome(.of(.distractionFreeDriving), RequirementStatuses(met: .all.subtracting(.location))) == 1)
        #expect(try outcome(.of(.places), RequirementStatuses(met: .all), licence: []) == 1)
    }

    @Test("Two when nothing fails and something cannot be told")
    func undetermined() throws {
        #expect(try outcome(.of(.cycling), RequirementStatuses(met: .all.subtracting(.motion), unknown: .motion)) == 2)
    }

    @Test("Strict counts an unknown optional requirement as undetermined, in a parent too")
    func strictUnknown() throws {
        let statuses = RequirementStatuses(met: .all.subtracting(.motion), unknown: .motion)
        #expect(try outcome(.of(.distractionFreeDriving), statuses) == 0)
        #expect(try outcome(.of(.distractionFreeDriving), statuses, strict: true) == 2)
    }

    @Test("Strict counts a degraded parent, and leaves services alone that nobody asked for")
    func strictParent() throws {
        let statuses = RequirementStatuses(met: .all.subtracting(.motion))
        #expect(try outcome(.of(.distractionFreeDriving), statuses) == 0)
        #expect(try outcome(.of(.distractionFreeDriving), statuses, strict: true) == 1)
        #expect(try outcome(.of(.places), statuses, strict: true) == 0)
    }

    @Test("What nobody looked at does not count, strict or not")
    func unchecked() throws {
        #expect(
            try outcome(.of(.deviceDiscovery), RequirementStatuses(met: .all, unchecked: .bluetooth), strict: true) == 0
        )
    }
}
