/// What a probe found against what was expected; equal things are not told.
public struct Comparison: Sendable, Equatable {
    /// What differs: by how it differs, then sensors by kind and key, requirements and services in table order.
    public let differences: [Difference]

    /// Compares what a probe found.
    ///
    /// Under `strict` a degraded service is not what a manifest means by one that runs.
    public init(_ expected: Baseline, with assessment: Assessment) {
        var sensors = SensorComparison(expected, assessment.inventory)
        let ofSensors = sensors.differences()
        let verdicts = VerdictComparison(expected: expected, assessment: assessment, told: ofSensors)
        let all = ofSensors + verdicts.ofRequirements + verdicts.ofServices
        differences = Difference.ID.allCases.flatMap { id in all.filter { $0.id == id } }
    }

    /// Not ready where something is missing or worse, undetermined where something expected cannot be told, else ready.
    public var status: ReadinessStatus {
        if differences.contains(where: { $0.id == .missing || $0.id == .worse }) { return .notReady }
        return differences.contains { $0.id == .unknown } ? .undetermined : .ready
    }
}

/// How good something is: what cannot be told stands between good and bad.
enum DifferenceRanking {
    /// How a change is told; nil where neither is better.
    static func id(from before: Int, to after: Int, cannotTell: Int) -> Difference.ID? {
        if before == after { return nil }
        if after == cannotTell { return .unknown }
        return before < after ? .worse : .better
    }
}
