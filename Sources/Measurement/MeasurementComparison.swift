public import Readiness

/// What got worse or better from one measurement of a rig to another.
///
/// A rate changed if it differs by more than 10 % (Android CTS, `FrequencyVerification.java`), noise if it at least doubled
/// or halved, each beyond its uncertainty. Gaps changed if there are some where there were none, or the other way round.
public struct MeasurementComparison: Sendable, Equatable {
    /// What differs: by how it differs, then by the sensors' kind and key.
    public private(set) var differences: [Difference] = []

    /// Not ready where something is missing or worse, undetermined where something cannot be told any more, else ready.
    public var status: ReadinessStatus { differences.status }

    /// Compares two measurements of a rig; sensors are the same if kind and key are.
    public init(from before: RigMeasurement, to after: RigMeasurement) {
        for old in before.sensors {
            if let new = after.sensors.first(where: { $0.isSame(as: old) }) {
                compare(old, new)
            } else {
                add(.missing, old, before: old.verdict.rawValue, detail: "it was measured before, and is not any more")
            }
        }
        for new in after.sensors where !before.sensors.contains(where: new.isSame) {
            add(.new, new, after: new.verdict.rawValue)
        }
        differences = differences.inOrder
    }

    private mutating func compare(_ old: SensorMeasurement, _ new: SensorMeasurement) {
        let undetermined = MeasurementVerdict.undetermined
        if let id = Difference.ID(from: old.verdict.rank, to: new.verdict.rank, cannotTell: undetermined.rank) {
            let worst = new.findings.first
            add(
                id, new, .verdict, before: old.verdict.rawValue, after: new.verdict.rawValue,
                detail: id == .better ? nil : worst?.detail, remedies: id == .better ? [] : worst?.remedies ?? [])
        }
        if let before = old.rate {
            let words = "\(before.words) Hz"
            if let now = new.rate {
                if now.value + now.uncertainty < 0.9 * (before.value - before.uncertainty) {
                    add(.worse, new, .rate, before: words, after: "\(now.words) Hz")
                } else if 0.9 * (now.value - now.uncertainty) > before.value + before.uncertainty {
                    add(.better, new, .rate, before: words, after: "\(now.words) Hz")
                }
            } else {
                add(.unknown, new, .rate, before: words, after: undetermined.rawValue, detail: new.way.reason)
            }
        }
        if let before = old.gaps, let now = new.gaps, before.isEmpty != now.isEmpty {
            add(
                before.isEmpty ? .worse : .better, new, .gaps, before: Self.words(before), after: Self.words(now))
        }
        compareNoise(old, new)
    }

    /// The number of gaps, as far as a document lists them.
    private static func words(_ gaps: [SampleGap]) -> String {
        let limit = SampleGap.listLimit
        return gaps.count < limit ? counted(gaps.count, "gap", "gaps") : "\(limit) gaps or more"
    }

    /// Compares the noise densities, or the standard deviations where there are no densities; a moving rig has no noise.
    ///
    /// Of several axes the one is told whose noise changed most.
    private mutating func compareNoise(_ old: SensorMeasurement, _ new: SensorMeasurement) {
        guard let before = old.motion, let now = new.motion, before.isMoving != true, now.isMoving != true else {
            return
        }
        let unit = new.kind.unit
        typealias AxisNoise = (name: String, before: Estimate, after: Estimate, unit: String)
        let axes = ["x", "y", "z"].enumerated().compactMap { axis, name -> AxisNoise? in
            if let old = before.noiseDensity.all[axis], let new = now.noiseDensity.all[axis] {
                return (name, old, new, "\(unit)/√Hz")
            }
            guard let old = before.standardDeviation.all[axis], let new = now.standardDeviation.all[axis] else {
                return nil
            }
            return (name, old, new, unit)
        }
        func tell(_ id: Difference.ID, _ axis: AxisNoise?) {
            guard let axis else { return }
            add(
                id, new, .noise, before: "\(axis.name) \(axis.before.words) \(axis.unit)",
                after: "\(axis.after.words) \(axis.unit)")
        }
        let louder = axes.filter { $0.after.isTwice($0.before) }
        let quieter = axes.filter { $0.before.isTwice($0.after) }
        tell(.worse, louder.max { $0.after.value * $1.before.value < $1.after.value * $0.before.value })
        tell(.better, quieter.max { $0.before.value * $1.after.value < $1.before.value * $0.after.value })
    }

    private mutating func add(
        _ id: Difference.ID, _ sensor: SensorMeasurement, _ property: Difference.Property? = nil,
        before: String? = nil, after: String? = nil, detail: String? = nil, remedies: [Remedy] = []
    ) {
        differences.append(
            Difference(
                id: id, subject: .sensor(sensor.kind, key: sensor.key, name: sensor.name), property: property,
                before: before, after: after, detail: detail, remedies: remedies))
    }
}

extension SensorMeasurement {
    fileprivate func isSame(as other: SensorMeasurement) -> Bool { kind == other.kind && key == other.key }
}

extension MeasurementVerdict {
    /// The lower the better.
    fileprivate var rank: Int {
        switch self {
        case .good: 0
        case .warning: 1
        case .undetermined: 2
        case .bad: 3
        }
    }
}

extension Estimate {
    /// Whether it is at least twice another one, and greater beyond both uncertainties.
    fileprivate func isTwice(_ other: Estimate) -> Bool {
        value >= 2 * other.value && value - uncertainty > other.value + other.uncertainty
    }
}
