import AllocationCount
import Readiness
import Testing

/// An evaluation allocates no memory.
@Suite(.enabled(if: allocations_are_counted())) struct AllocationTests {
    @Test func `the count counts`() {
        let before = allocations_of_this_thread()
        let array = [UInt8](repeating: 0, count: Int.random(in: 5_000...6_000))
        #expect(allocations_of_this_thread() > before)
        #expect(array.count >= 5_000)
    }

    @Test func `an evaluation allocates nothing`() throws {
        let evaluator = try Evaluator(
            flags: [.motionPermissionMandatory, .backgroundLocationPermissionMandatory], licence: .all)
        let statuses = AllFacts.shared.statuses
        var verdicts = evaluator.verdicts(for: statuses[0])
        func allocationsOfAll() -> UInt64 {
            let before = allocations_of_this_thread()
            // By index: unoptimized, an iterator allocates at each step.
            for index in statuses.indices { verdicts = evaluator.verdicts(for: statuses[index]) }
            return allocations_of_this_thread() - before
        }
        // The runtime's allocations at first use do not belong to an evaluation.
        _ = allocationsOfAll()
        #expect(allocationsOfAll() == 0)
        #expect(verdicts == evaluator.verdicts(for: statuses[statuses.count - 1]))
    }
}
