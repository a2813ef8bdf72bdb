public import Readiness

/// What changed of one sensor from one measurement to another.
public struct MeasurementChange: Sendable, Hashable {
    /// What can change.
    public enum Aspect: String, CaseIterable, Sendable, Hashable {
        /// The sensor is gone, or new.
        case missing, added
        /// Its figures.
        case rate, noise, gaps
        /// What was said of it.
        case verdict
    }

    /// The sensor.
    public var key: String
    /// The sensor's kind.
    public var kind: SensorKind
    /// What changed.
    public var aspect: Aspect
    /// Whether it is worse than before.
    public var isWorse: Bool
    /// What changed, in one sentence with its figures.
    public var detail: String
}

/// What got worse or better from one measurement of a rig to another.
public struct MeasurementComparison: Sendable, Hashable {
    /// The changes, in the order of the sensors.
    public var changes: [MeasurementChange]

    /// Whether anything is worse.
    public var isWorse: Bool { changes.contains(where: \.isWorse) }

    /// Compares two measurements of a rig.
    public init(from before: RigMeasurement, to after: RigMeasurement) {
        changes = []
    }
}
