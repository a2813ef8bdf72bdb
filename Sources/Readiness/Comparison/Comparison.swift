/// What a probe found against what was expected, or against the probe before it; equal things are not told.
public struct Comparison: Sendable, Equatable {
    /// What differs: by how it differs, then sensors by kind and key, requirements and services in table order, the rest.
    public let differences: [Difference]

    /// Compares a probe with a baseline.
    ///
    /// Under `strict` a degraded service is not one that runs, as a manifest requires.
    public init(_ expected: Baseline, with assessment: Assessment) {
        self.init(expected, assessment, isComplete: false)
    }

    /// Compares two assessments of one rig, and tells every change.
    ///
    /// What each probe has anew is no change: samples, times, durations, details and evidence.
    public init(before: Assessment, after: Assessment) {
        self.init(Baseline(before), after, isComplete: true)
    }

    private init(_ expected: Baseline, _ assessment: Assessment, isComplete: Bool) {
        var sensors = SensorComparison(expected, assessment.inventory, isComplete: isComplete)
        let ofSensors = sensors.differences()
        let verdicts = VerdictComparison(
            expected: expected, assessment: assessment, told: ofSensors, isComplete: isComplete)
        let (before, after) = isComplete ? (expected.facts, assessment.facts) : ([:], [:])
        let ofFacts = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            .map { Difference(id: .changed, subject: $0, before: before[$0], after: after[$0]) }
        let all = (ofSensors + verdicts.ofRequirements + verdicts.ofServices + ofFacts).sorted { $0.place < $1.place }
        differences = Difference.ID.allCases.flatMap { id in all.filter { $0.id == id } }
    }

    /// Whether nothing differs.
    public var isEmpty: Bool { differences.isEmpty }

    /// Not ready where something is missing or worse, undetermined where something expected cannot be told, else ready.
    public var status: ReadinessStatus {
        if differences.contains(where: { $0.id == .missing || $0.id == .worse }) { return .notReady }
        return differences.contains { $0.id == .unknown } ? .undetermined : .ready
    }
}

extension Difference.ID {
    /// Compares two ranks, of which the lower is better and unknown lies between; nil if they are equal.
    init?(from before: Int, to after: Int, cannotTell: Int) {
        if before == after { return nil }
        self = after == cannotTell ? .unknown : before < after ? .worse : .better
    }
}
