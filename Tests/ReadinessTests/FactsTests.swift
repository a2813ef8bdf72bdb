import Readiness
import Testing

@Suite("Facts")
struct FactsTests {
    @Test("What is called met and unknown is unknown")
    func contradiction() {
        let statuses = RequirementStatuses(met: .all, unknown: .gyroscope)
        #expect(statuses.met == .all.subtracting(.gyroscope))
        #expect(statuses.unknown == .gyroscope)
    }

    @Test("Precise location stands no better than location, and steps no better than their store")
    func limits() {
        let unmet = RequirementStatuses(met: [.preciseLocation, .stepsRead])
        #expect(unmet.met.isEmpty)
        #expect(unmet.unmet == .all)
        let doubtful = RequirementStatuses(met: [.preciseLocation], unknown: [.location, .healthStore, .stepsRead])
        #expect(doubtful.unknown == [.location, .preciseLocation, .healthStore, .stepsRead])
        #expect(RequirementStatuses(met: [], unknown: .preciseLocation).unknown.isEmpty)
    }

    @Test("Background location stands on its own: Always is allowed even while there is no fix")
    func background() {
        #expect(RequirementStatuses(met: .backgroundLocation).met == .backgroundLocation)
    }

    @Test("Only Bluetooth can be unchecked, and then it is nothing else")
    func unchecked() {
        let statuses = RequirementStatuses(met: .all, unknown: .bluetooth, unchecked: .all)
        #expect(statuses.unchecked == .bluetooth)
        #expect(statuses.unknown.isEmpty)
        #expect(!statuses.met.contains(.bluetooth))
        #expect(!statuses.unmet.contains(.bluetooth))
    }

    @Test("Only what stands as its root does can be folded under it")
    func folded() {
        #expect(RequirementStatuses(met: .all, folded: .all).folded.isEmpty)
        let denied = RequirementStatuses(met: [.motion, .backgroundLocation], folded: .all)
        #expect(denied.folded == [.preciseLocation, .stepsRead])
        let unsure = RequirementStatuses(met: [], unknown: [.location, .preciseLocation], folded: .all)
        #expect(unsure.folded == [.preciseLocation, .stepsRead])
        let both = RequirementStatuses(
            met: [], unknown: [.location, .preciseLocation, .backgroundLocation], folded: .all)
        #expect(both.folded == [.preciseLocation, .backgroundLocation, .stepsRead])
    }
}
