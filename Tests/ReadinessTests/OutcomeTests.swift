import Readiness
import Testing

@Suite("The exit status")
struct OutcomeTests {
    func outcome(
        _ services: ServiceSet, _ statuses: RequirementStatuses, strict: Bool = false, licence: ServiceSet? = nil
    ) throws -> Int32 {
        try Evaluator(of: services, licence: licence).results(for: statuses).status(strict: strict).rawValue
    }

    @Test func `zero if every requested service runs, or is degraded without strict`() throws {
        #expect(try outcome(.all, RequirementStatuses(met: .all)) == 0)
        #expect(try outcome(.all, RequirementStatuses(met: .all), strict: true) == 0)
        let degraded = RequirementStatuses(met: .all.subtracting(.bluetooth))
        #expect(try outcome(.of(.deviceDiscovery), degraded) == 0)
        #expect(try outcome(.of(.deviceDiscovery), degraded, strict: true) == 1)
    }

    @Test func `one if a service fails, is blocked or is unauthorized, even if another is undetermined`() throws {
        let mixed = RequirementStatuses(met: .all.subtracting([.gyroscope, .motion]), unknown: .gyroscope)
        #expect(try outcome(.of(.cycling, .drivingBehaviour), mixed) == 1)
        #expect(try outcome(.of(.distractionFreeDriving), RequirementStatuses(met: .all.subtracting(.location))) == 1)
        #expect(try outcome(.of(.places), RequirementStatuses(met: .all), licence: []) == 1)
    }

    @Test func `two if nothing fails and something is undetermined`() throws {
        #expect(try outcome(.of(.cycling), RequirementStatuses(met: .all.subtracting(.motion), unknown: .motion)) == 2)
    }

    @Test func `strict counts an unknown optional requirement as undetermined, in a parent too`() throws {
        let statuses = RequirementStatuses(met: .all.subtracting(.motion), unknown: .motion)
        #expect(try outcome(.of(.distractionFreeDriving), statuses) == 0)
        #expect(try outcome(.of(.distractionFreeDriving), statuses, strict: true) == 2)
    }

    @Test func `strict counts a degraded parent, but not services that were not requested`() throws {
        let statuses = RequirementStatuses(met: .all.subtracting(.motion))
        #expect(try outcome(.of(.distractionFreeDriving), statuses) == 0)
        #expect(try outcome(.of(.distractionFreeDriving), statuses, strict: true) == 1)
        #expect(try outcome(.of(.places), statuses, strict: true) == 0)
    }

    @Test func `an unchecked requirement does not count, strict or not`() throws {
        #expect(
            try outcome(.of(.deviceDiscovery), RequirementStatuses(met: .all, unchecked: .bluetooth), strict: true) == 0
        )
    }
}
