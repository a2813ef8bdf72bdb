import Readiness
import Testing

@Suite("Facts")
struct FactsTests {
    @Test("What is called met and unknown is unknown")
    func contradiction() {
        let facts = Facts(met: .all, unknown: .gyroscope)
        #expect(facts.met == .all.subtracting(.gyroscope))
        #expect(facts.unknown == .gyroscope)
    }

    @Test("Precise location stands no better than location, and steps no better than their store")
    func limits() {
        let unmet = Facts(met: [.preciseLocation, .stepsRead])
        #expect(unmet.met.isEmpty)
        #expect(unmet.unmet == .all)
        let doubtful = Facts(met: [.preciseLocation], unknown: [.location, .healthStore, .stepsRead])
        #expect(doubtful.unknown == [.location, .preciseLocation, .healthStore, .stepsRead])
        #expect(Facts(met: [], unknown: .preciseLocation).unknown.isEmpty)
    }

    @Test("Background location stands on its own: Always is allowed even while there is no fix")
    func background() {
        #expect(Facts(met: .backgroundLocation).met == .backgroundLocation)
    }

    @Test("Only Bluetooth can be unchecked, and then it is nothing else")
    func unchecked() {
        let facts = Facts(met: .all, unknown: .bluetooth, unchecked: .all)
        #expect(facts.unchecked == .bluetooth)
        #expect(facts.unknown.isEmpty)
        #expect(!facts.met.contains(.bluetooth))
        #expect(!facts.unmet.contains(.bluetooth))
    }

    @Test("Only what stands as its root does can be folded under it")
    func folded() {
        #expect(Facts(met: .all, folded: .all).folded.isEmpty)
        let denied = Facts(met: [.motion, .backgroundLocation], folded: .all)
        #expect(denied.folded == [.preciseLocation, .stepsRead])
        let unsure = Facts(met: [], unknown: [.location, .preciseLocation], folded: .all)
        #expect(unsure.folded == [.preciseLocation, .stepsRead])
        let both = Facts(met: [], unknown: [.location, .preciseLocation, .backgroundLocation], folded: .all)
        #expect(both.folded == [.preciseLocation, .backgroundLocation, .stepsRead])
    }
}
