import Readiness
import Testing

@Suite("Facts")
struct FactsTests {
    @Test func `a requirement set as met and unknown is unknown`() {
        let statuses = RequirementStatuses(met: .all, unknown: .gyroscope)
        #expect(statuses.met == .all.subtracting(.gyroscope))
        #expect(statuses.unknown == .gyroscope)
    }

    @Test func `precise location is no better than location, and steps no better than their store`() {
        let unmet = RequirementStatuses(met: [.preciseLocation, .stepsRead])
        #expect(unmet.met.isEmpty)
        #expect(unmet.unmet == .all)
        let doubtful = RequirementStatuses(met: [.preciseLocation], unknown: [.location, .healthStore, .stepsRead])
        #expect(doubtful.unknown == [.location, .preciseLocation, .healthStore, .stepsRead])
        #expect(RequirementStatuses(met: [], unknown: .preciseLocation).unknown.isEmpty)
    }

    @Test func `background location is independent, since Always is allowed even without a fix`() {
        #expect(RequirementStatuses(met: .backgroundLocation).met == .backgroundLocation)
    }

    @Test func `only Bluetooth can be unchecked, and then it is nothing else`() {
        let statuses = RequirementStatuses(met: .all, unknown: .bluetooth, unchecked: .all)
        #expect(statuses.unchecked == .bluetooth)
        #expect(statuses.unknown.isEmpty)
        #expect(!statuses.met.contains(.bluetooth))
        #expect(!statuses.unmet.contains(.bluetooth))
    }

    @Test func `only a requirement of the same status can be folded under its root`() {
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
