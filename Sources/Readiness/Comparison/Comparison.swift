/// The differences between a probe and a baseline.
public struct Comparison: Sendable, Equatable {
    /// The differences, ordered by kind of difference, then sensors by kind and key, then requirements and services in
    /// table order.
    public let differences: [Difference]

    /// Compares a probe with a baseline.
    ///
    /// Under `strict` a degraded service is not one that runs, as a manifest requires.
    public init(_ expected: Baseline, with assessment: Assessment) {
        var sensors = SensorComparison(expected, assessment.inventory)
        let ofSensors = sensors.differences()
        let verdicts = VerdictComparison(expected: expected, assessment: assessment, told: ofSensors)
        let all = ofSensors + verdicts.ofRequirements + verdicts.ofServices
        differences = Difference.ID.allCases.flatMap { id in all.filter { $0.id == id } }
    }

    /// Not ready if something is missing or worse, undetermined if something expected is unknown, otherwise ready.
    public var status: ReadinessStatus {
        if differences.contains(where: { $0.id == .missing || $0.id == .worse }) { return .notReady }
        return differences.contains { $0.id == .unknown } ? .undetermined : .ready
    }
}

/// Compares ranks: unknown lies between good and bad.
enum DifferenceRanking {
    /// Returns the kind of difference between two ranks; nil if they are equal.
    static func id(from before: Int, to after: Int, cannotTell: Int) -> Difference.ID? {
        if before == after { return nil }
        if after == cannotTell { return .unknown }
        return before < after ? .worse : .better
    }
}
