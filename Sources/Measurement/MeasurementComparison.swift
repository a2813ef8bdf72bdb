package import Readiness

/// What got worse or better from one measurement of a rig to another.
///
/// A rate changed if it differs by more than 10 % (Android CTS, `FrequencyVerification.java`), what should be small, such as
/// noise, if it at least doubled or halved, each beyond its uncertainty; what is counted, such as gaps, if there are some
/// where there were none, or twice as many for the number of samples, and the other way round. Signals changed by half,
/// 3 dB. Sensors that one of the two omitted are not compared, nor what holds only at rest if one of the rigs was moved.
package struct MeasurementComparison: Sendable, Equatable {
    /// What differs: by how it differs, then by the sensors' kind and key.
    package private(set) var differences: [Difference] = []

    /// Not ready where something is missing or worse, undetermined where something cannot be determined any more, else ready.
    package var status: ReadinessStatus { differences.status }

    /// Compares two measurements of a rig; sensors are the same if kind and key are.
    package init(from before: RigMeasurement, to after: RigMeasurement) {
        let isAtRest = !before.isMoved && !after.isMoved
        let (olds, news) = (Self.byIdentity(before), Self.byIdentity(after))
        for old in before.sensors where !old.isOmitted {
            guard let new = news[old.identity] else {
                add(.missing, old, before: old.verdict.rawValue, detail: "it was measured before, and is not any more")
                continue
            }
            guard !new.isOmitted else { continue }
            compare(old, new)
            if isAtRest {
                compareNoise(old, new)
                compareRest(old, new)
                compareSize(.scatter, old, new, unit: "m") { $0.receiver?.radius95 }
            }
        }
        for new in after.sensors where !new.isOmitted && olds[new.identity] == nil {
            add(.new, new, after: new.verdict.rawValue)
        }
        differences = differences.inOrder
    }

    private static func byIdentity(_ rig: RigMeasurement) -> [[String]: SensorMeasurement] {
        Dictionary(rig.sensors.map { ($0.identity, $0) }) { first, _ in first }
    }

    private mutating func compare(_ old: SensorMeasurement, _ new: SensorMeasurement) {
        let undetermined = MeasurementVerdict.undetermined
        let id = Difference.ID(from: old.verdict.rank, to: new.verdict.rank, cannotTell: undetermined.rank)
        let worst = id == .better ? nil : new.findings.first
        add(
            id, new, .verdict, before: old.verdict.rawValue, after: new.verdict.rawValue, detail: worst?.detail,
            remedies: worst?.remedies ?? [])
        if let before = old.rate {
            let words = before.words("Hz")
            if let now = new.rate {
                let isWorse = now.value + now.uncertainty < 0.9 * (before.value - before.uncertainty)
                let isBetter = 0.9 * (now.value - now.uncertainty) > before.value + before.uncertainty
                add(isWorse ? .worse : isBetter ? .better : nil, new, .rate, before: words, after: now.words("Hz"))
            } else {
                add(.unknown, new, .rate, before: words, after: undetermined.rawValue, detail: new.method.reason)
            }
        }
        compareCount(.gaps, old, new, { $0.gaps?.count }, "gap", "gaps")
        compareCount(.order, old, new, { $0.outOfOrder?.count }, "sample out of order", "samples out of order")
        // Below 3 % of the period it is good enough (Android CDD 7.3, C-1-4).
        if [old, new].contains(where: { $0.jitter.map { $0.relative.value > 0.03 } ?? false }) {
            compareSize(.jitter, old, new, unit: "s") { $0.jitter?.spread }
        }
        compareCount(.jump, old, new, { $0.receiver?.jumps.count }, "jump", "jumps")
        compareSignal(old, new)
        compareCount(.power, old, new, { $0.controller?.powerChanges.count }, "change", "changes")
        // A busy rig answers some milliseconds later.
        compareSize(.answer, old, new, unit: "s", least: 0.01) { $0.controller?.answer99 }
    }

    /// Compares how often something happened for the number of samples; a list of a hundred may be longer in a document.
    private mutating func compareCount(
        _ property: Difference.Property, _ old: SensorMeasurement, _ new: SensorMeasurement,
        _ count: (SensorMeasurement) -> Int?, _ one: String, _ many: String
    ) {
        let limit = SampleGap.listLimit
        guard let before = count(old), let now = count(new) else { return }
        /// Whether `more` of so many samples is at least twice `fewer` of as many, beyond what chance does to both.
        func isMore(_ more: Int, of samples: Int, than fewer: Int, of others: Int) -> Bool {
            let share = Double(samples) / Double(max(others, 1))
            // None of a few may be as good as three of as many; a list that is cut short is of more.
            guard fewer > 0 else { return more == limit || Double(more) > max(3 * (share - 1), 0) }
            let expected = Double(fewer) * share
            let chance = 1.96 * (Double(more) + expected * share).squareRoot()
            return fewer != limit && Double(more) >= max(2 * expected, expected + chance)
        }
        func words(_ count: Int) -> String { count == limit ? "\(limit) \(many) or more" : counted(count, one, many) }
        let isWorse = isMore(now, of: new.samples, than: before, of: old.samples)
        let isBetter = isMore(before, of: old.samples, than: now, of: new.samples)
        add(isWorse ? .worse : isBetter ? .better : nil, new, property, before: words(before), after: words(now))
    }

    /// Compares a figure that is the worse the greater it is; a change of less than `least` does not count.
    private mutating func compareSize(
        _ property: Difference.Property, _ old: SensorMeasurement, _ new: SensorMeasurement, unit: String,
        least: Double = 0, _ figure: (SensorMeasurement) -> Estimate?
    ) {
        guard let before = figure(old), let now = figure(new), abs(now.value - before.value) >= least else { return }
        let unit = PrefixedUnit(unit, for: [before.value, now.value])
        add(
            now.isTwice(before) ? .worse : before.isTwice(now) ? .better : nil, new, property,
            before: "\(unit.number(before)) \(unit.name)", after: "\(unit.number(now)) \(unit.name)")
    }

    /// Compares how far the mean at rest is from gravity, or from no rotation, and the axis that points up.
    ///
    /// The mean changed by what two chips of a rig may differ by, 0.7 m/s² (PX4, `COM_ARM_IMU_ACC`), and 0.01 rad/s
    /// (Android CDD 7.3.4).
    private mutating func compareRest(_ old: SensorMeasurement, _ new: SensorMeasurement) {
        guard let before = old.motion, let now = new.motion, before.isMoving != true, now.isMoving != true else {
            return
        }
        let isAccelerometer = new.kind == .accelerometer
        compareSize(.bias, old, new, unit: new.kind.unit, least: isAccelerometer ? 0.7 : 0.01) { sensor in
            sensor.motion?.magnitude.map {
                Estimate(abs($0.value - (isAccelerometer ? standardGravity : 0)), uncertainty: $0.uncertainty)
            }
        }
        if let up = before.up, let other = now.up, up != other {
            add(.changed, new, .axes, before: "\(up) is up", after: "\(other) is up")
        }
    }

    /// Compares with what carrier to noise density a receiver receives.
    private mutating func compareSignal(_ old: SensorMeasurement, _ new: SensorMeasurement) {
        guard let before = old.receiver?.signal, let now = new.receiver?.signal else { return }
        let change = abs(now.value - before.value)
        guard change >= 3, change > now.uncertainty + before.uncertainty else { return }
        add(
            now.value < before.value ? .worse : .better, new, .signal, before: before.words("dB-Hz"),
            after: now.words("dB-Hz"))
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
        func report(_ id: Difference.ID, _ axis: AxisNoise?) {
            guard let axis else { return }
            let unit = PrefixedUnit(axis.unit, for: [axis.before.value, axis.after.value])
            add(
                id, new, .noise, before: "\(axis.name) \(unit.number(axis.before)) \(unit.name)",
                after: "\(unit.number(axis.after)) \(unit.name)")
        }
        let louder = axes.filter { $0.after.isTwice($0.before) }
        let quieter = axes.filter { $0.before.isTwice($0.after) }
        report(.worse, louder.max { $0.after.value * $1.before.value < $1.after.value * $0.before.value })
        report(.better, quieter.max { $0.before.value * $1.after.value < $1.before.value * $0.after.value })
    }

    /// Adds a difference if there is one.
    private mutating func add(
        _ id: Difference.ID?, _ sensor: SensorMeasurement, _ property: Difference.Property? = nil,
        before: String? = nil, after: String? = nil, detail: String? = nil, remedies: [Remedy] = []
    ) {
        guard let id else { return }
        differences.append(
            Difference(
                id: id, subject: .sensor(sensor.kind, key: sensor.key, name: sensor.name), property: property,
                before: before, after: after, detail: detail, remedies: remedies))
    }
}

extension SensorMeasurement {
    /// What makes it the same sensor in another measurement.
    fileprivate var identity: [String] { [kind.id, key] }
}

extension MeasurementVerdict {
    /// The lower the better.
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Estimate {
    /// Whether it is at least twice another one, and greater beyond both uncertainties.
    fileprivate func isTwice(_ other: Estimate) -> Bool {
        value >= 2 * other.value && value - uncertainty > other.value + other.uncertainty
    }
}
