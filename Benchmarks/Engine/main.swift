import AllocationCount
import Readiness

/// Every consistent way in which nine requirements can stand: met, unknown or unmet each.
func allFacts() -> [RequirementStatuses] {
    var all: [RequirementStatuses] = []
    var standings = [Int](repeating: 0, count: Requirement.allCases.count)
    for _ in 0..<19_683 {
        var met: UInt16 = 0
        var unknown: UInt16 = 0
        for (bit, standing) in standings.enumerated() {
            if standing == 1 { met |= 1 << UInt16(bit) }
            if standing == 2 { unknown |= 1 << UInt16(bit) }
        }
        all.append(RequirementStatuses(met: RequirementSet(rawValue: met), unknown: RequirementSet(rawValue: unknown)))
        for bit in standings.indices {
            standings[bit] = (standings[bit] + 1) % 3
            if standings[bit] != 0 { break }
        }
    }
    return all
}

/// Evaluates each of `rigs` and stores the verdicts.
@inline(never)
func evaluate(_ rigs: [RequirementStatuses], with evaluator: Evaluator, into verdicts: inout [Verdicts]) {
    for rig in rigs.indices { verdicts[rig] = evaluator.verdicts(for: rigs[rig]) }
}

/// Runs `work` and prints its name with the nanoseconds that one of its `count` steps took, and its allocations.
func report(_ name: String, of count: Int, _ work: () -> Void) {
    let clock = ContinuousClock()
    for _ in 0..<15 {
        let before = allocations_of_this_thread()
        let time = clock.measure(work)
        let allocations = allocations_of_this_thread() - before
        let nanoseconds = Double(time.components.attoseconds) / 1e9 + Double(time.components.seconds) * 1e9
        print(name, nanoseconds / Double(count), allocations)
    }
}

let flags: OptionFlags = [.motionPermissionMandatory, .backgroundLocationPermissionMandatory]
let evaluator = try Evaluator(flags: flags, licence: .all)
let facts = allFacts()
var verdicts = [Verdicts](repeating: evaluator.verdicts(for: facts[0]), count: facts.count)
report("evaluation", of: facts.count * 100) {
    for _ in 0..<100 { evaluate(facts, with: evaluator, into: &verdicts) }
}

let rigs = (0..<1_000_000).map { facts[$0 &* 7919 % facts.count] }
var judged = [Verdicts](repeating: verdicts[0], count: rigs.count)
report("rig", of: rigs.count) { evaluate(rigs, with: evaluator, into: &judged) }

// The verdicts are printed, so that the optimizer cannot remove their evaluation.
print("running", judged.reduce(0) { $0 + $1.runs.rawValue.nonzeroBitCount })
