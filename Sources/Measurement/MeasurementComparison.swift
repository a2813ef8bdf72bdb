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

    /// Creates a change.
    public init(key: String, kind: SensorKind, aspect: Aspect, isWorse: Bool, detail: String) {
        self.key = key
        self.kind = kind
        self.aspect = aspect
        self.isWorse = isWorse
        self.detail = detail
    }
}

/// What got worse or better from one measurement of a rig to another.
///
/// A rate changed if it differs by more than 10 % (Android CTS, `FrequencyVerification.java`), noise if it doubled or
/// halved, each beyond its uncertainty. Gaps changed if there are some where there were none, or the other way round.
public struct MeasurementComparison: Sendable, Hashable {
    /// The changes, in the order of the sensors before, then of those that are new.
    public var changes: [MeasurementChange]

    /// Whether anything is worse.
    public var isWorse: Bool { changes.contains(where: \.isWorse) }

    /// Compares two measurements of a rig; sensors are the same if kind and key are.
    public init(from before: RigMeasurement, to after: RigMeasurement) {
        changes = []
        for old in before.sensors {
            if let new = after.sensors.first(where: { $0.kind == old.kind && $0.key == old.key }) {
                compare(old, new)
            } else {
                add(old, .missing, isWorse: true, "it was measured before, and is not any more")
            }
        }
        for new in after.sensors where !before.sensors.contains(where: { $0.kind == new.kind && $0.key == new.key }) {
            add(new, .added, isWorse: false, "it was not measured before")
        }
    }

    private mutating func compare(_ old: SensorMeasurement, _ new: SensorMeasurement) {
        if old.verdict != new.verdict {
            let order = [MeasurementVerdict.good, .warning, .undetermined, .bad]
            let isWorse = (order.firstIndex(of: new.verdict) ?? 0) > (order.firstIndex(of: old.verdict) ?? 0)
            add(new, .verdict, isWorse: isWorse, "\(old.verdict.rawValue) before, \(new.verdict.rawValue) now")
        }
        if let before = old.rate, let now = new.rate {
            let words = "\(before.words) Hz before, \(now.words) Hz now"
            if now.value + now.uncertainty < 0.9 * (before.value - before.uncertainty) {
                add(new, .rate, isWorse: true, words)
            } else if 0.9 * (now.value - now.uncertainty) > before.value + before.uncertainty {
                add(new, .rate, isWorse: false, words)
            }
        }
        if let before = old.gaps, let now = new.gaps, before.isEmpty != now.isEmpty {
            add(
                new, .gaps, isWorse: before.isEmpty,
                "\(counted(before.count, "gap", "gaps")) before, \(counted(now.count, "gap", "gaps")) now")
        }
        compareNoise(old, new)
    }

    /// Compares the noise densities, or the standard deviations where there are no densities; a moving rig has no noise.
    private mutating func compareNoise(_ old: SensorMeasurement, _ new: SensorMeasurement) {
        guard let before = old.motion, let now = new.motion, before.isMoving != true, now.isMoving != true else {
            return
        }
        for (axis, name) in ["x", "y", "z"].enumerated() {
            let (a, b, what): (Estimate, Estimate, String)
            if let old = before.noiseDensity[axis], let new = now.noiseDensity[axis] {
                (a, b, what) = (old, new, "noise density")
            } else if let old = before.standardDeviation[axis], let new = now.standardDeviation[axis] {
                (a, b, what) = (old, new, "standard deviation")
            } else {
                continue
            }
            let words = "the \(what) of axis \(name) was \(a.words), and is \(b.words)"
            if b.value - b.uncertainty > 2 * (a.value + a.uncertainty) { add(new, .noise, isWorse: true, words) }
            if 2 * (b.value + b.uncertainty) < a.value - a.uncertainty { add(new, .noise, isWorse: false, words) }
        }
    }

    private mutating func add(
        _ sensor: SensorMeasurement, _ aspect: MeasurementChange.Aspect, isWorse: Bool, _ detail: String
    ) {
        changes.append(
            MeasurementChange(key: sensor.key, kind: sensor.kind, aspect: aspect, isWorse: isWorse, detail: detail))
    }
}
