import Readiness
import Testing

@Suite("The exit status")
struct OutcomeTests {
    func outcome(
        _ services: ServiceSet, _ facts: Facts, strict: Bool = false, licence: ServiceSet? = nil
    ) throws -> Int32 {
        try Evaluator(of: services, licence: licence).results(for: facts).outcome(strict: strict).rawValue
    }

    @Test("Zero when every service asked for runs, and for a degraded one without strict only")
    func ready() throws {
        #expect(try outcome(.all, Facts(met: .all)) == 0)
        #expect(try outcome(.all, Facts(met: .all), strict: true) == 0)
        let degraded = Facts(met: .all.subtracting(.bluetooth))
        #expect(try outcome(.of(.deviceDiscovery), degraded) == 0)
        #expect(try outcome(.of(.deviceDiscovery), degraded, strict: true) == 1)
    }

    @Test("One when a service fails, is blocked or is unauthorized, even if another cannot be told")
    func notReady() throws {
        let mixed = Facts(met: .all.subtracting([.gyroscope, .motion]), unknown: .gyroscope)
        #expect(try outcome(.of(.cycling, .drivingBehaviour), mixed) == 1)
        #expect(try outcome(.of(.distractionFreeDriving), Facts(met: .all.subtracting(.location))) == 1)
        #expect(try outcome(.of(.places), Facts(met: .all), licence: []) == 1)
    }

    @Test("Two when nothing fails and something cannot be told")
    func undetermined() throws {
        #expect(try outcome(.of(.cycling), Facts(met: .all.subtracting(.motion), unknown: .motion)) == 2)
    }

    @Test("Strict counts an unknown optional requirement as undetermined, in a parent too")
    func strictUnknown() throws {
        let facts = Facts(met: .all.subtracting(.motion), unknown: .motion)
        #expect(try outcome(.of(.distractionFreeDriving), facts) == 0)
        #expect(try outcome(.of(.distractionFreeDriving), facts, strict: true) == 2)
    }

    @Test("Strict counts a degraded parent, and leaves services alone that nobody asked for")
    func strictParent() throws {
        let facts = Facts(met: .all.subtracting(.motion))
        #expect(try outcome(.of(.distractionFreeDriving), facts) == 0)
        #expect(try outcome(.of(.distractionFreeDriving), facts, strict: true) == 1)
        #expect(try outcome(.of(.places), facts, strict: true) == 0)
    }

    @Test("What nobody looked at does not count, strict or not")
    func unchecked() throws {
        #expect(try outcome(.of(.deviceDiscovery), Facts(met: .all, unchecked: .bluetooth), strict: true) == 0)
    }
}
