internal import Glibc
internal import Readiness

/// What the samples of a motion sensor tell before they are judged.
struct MotionAnalysis {
    let series: MotionSeries
    /// What the times tell; nil where they are only those of the reads.
    let timing: SampleTiming?
    /// The sampling frequency, in Hz; nil where only reads have a time.
    let frequency: Double?
    /// For each axis of the chip; empty without samples.
    let columns: [ColumnStatistics]
    /// For each axis of the chip, how many counts its step has, since a hub may pass on only multiples of some; empty
    /// without samples.
    private let steps: [Int64]
    /// Whether the rig moved; nil with fewer than four samples.
    private(set) var isMoving: Bool?
    /// Whether it was asked to be moved.
    private let isMoved: Bool
    /// Either.
    private var isInMotion: Bool { isMoved || isMoving == true }
    /// The noise density of a quiet chip of the kind, as `MotionFigures` has it.
    private let quietDensity: Double
    /// The axes of the chip that must vary and do not.
    private(set) var stuck: [AxisFault] = []
    /// The axes of the chip that may or may not be stuck, with the longest run of each.
    private(set) var coarse: [AxisFault] = []
    /// Axes that did not vary in too few samples to be called stuck.
    private(set) var unvaried: [String] = []

    init(_ series: MotionSeries, limits: QualityLimits, motion: MotionLimits, isMoved: Bool) {
        self.series = series
        self.isMoved = isMoved
        // A data sheet counts positive frequencies alone.
        quietDensity = motion.quietDensity.value / 2.0.squareRoot()
        if case .buffer = series.method {
            timing = SampleTiming(
                series.times, gapPeriods: limits.timing.gapPeriods.value, isCoarse: series.hasCoarseClock)
            frequency = timing?.period.map { 1 / $0 }
        } else {
            timing = nil
            frequency = nil
        }
        let longestRun = Int(limits.equalCounts.value)
        columns =
            series.times.isEmpty
            ? [] : zip(series.counts, series.axes).map { ColumnStatistics($0, of: $1, longestRun: longestRun) }
        steps = columns.isEmpty ? [] : Self.steps(columns, series.axes)
        isMoving = motionAtLowFrequency(still: motion.still.value)
        findStuck()
    }

    private var count: Int { series.times.count }

    /// Samples a second, from the times of the reads where there are no others.
    private var samplesPerSecond: Double? {
        guard count > 1, let seconds = series.span else { return nil }
        return frequency ?? (seconds > 0 ? Double(count - 1) / seconds : nil)
    }

    /// The SI value of a step of an axis.
    private func stepSize(_ axis: Int) -> Double { abs(series.axes[axis].scale) * Double(steps[axis]) }

    /// The noise of an axis in its steps; nil if all samples are in runs.
    private func noise(_ axis: Int) -> Double? { columns[axis].noise(inStepsOf: steps[axis]) }

    /// The steps of the axes: what divides the differences of all with the same scale.
    ///
    /// One count unless an axis has several or two vary: of two counts, one may be a single wrong one.
    private static func steps(_ columns: [ColumnStatistics], _ axes: [ChipAxis]) -> [Int64] {
        axes.indices.map { axis in
            let alike = columns.indices.filter { abs(axes[$0].scale) == abs(axes[axis].scale) }
            let varying = alike.filter { columns[$0].divisor > 0 }
            guard varying.count > 1 || varying.contains(where: { columns[$0].isVaried }) else { return 1 }
            return varying.reduce(0) { greatestCommonDivisor($0, columns[$1].divisor) }
        }
    }

    /// The noise that a quiet chip has at this rate, in steps of an axis.
    private func quietNoise(_ axis: Int) -> Double {
        quietDensity * (samplesPerSecond ?? 1).squareRoot() / stepSize(axis)
    }

    // MARK: Motion

    /// Whether the mean of a quarter of a second is ever far from the median of these means.
    ///
    /// Far is more than `still`, more than eight standard deviations of such a mean by the noise alone, and more than
    /// one and a half steps of the format: noise and the flicker of a coarse format never reach that.
    private func motionAtLowFrequency(still: Double) -> Bool? {
        guard count >= 4, let rate = samplesPerSecond else { return nil }
        let size = min(max(Int(0.25 * rate), 2), count / 2)
        let blocks = count / size
        for (axis, column) in series.counts.enumerated() {
            let scale = abs(series.axes[axis].scale)
            var means: [Double] = []
            means.reserveCapacity(blocks)
            for block in 0..<blocks {
                var sum: Int64 = 0
                for index in block * size..<(block + 1) * size { sum += Int64(column[index]) }
                means.append(Double(sum) / Double(size))
            }
            means.sort()
            guard let middle = percentile(0.5, of: means), let first = means.first, let last = means.last else {
                continue
            }
            // Half of the blocks alone would be moved by their own noise.
            let noise = noise(axis) ?? 0
            let byNoise = 8 * noise / Double(size).squareRoot() * stepSize(axis)
            let far = max(still, byNoise, 1.5 * stepSize(axis))
            if max(middle - first, last - middle) * scale > far { return true }
        }
        return false
    }

    // MARK: Stuck

    /// Finds axes with long runs of equal counts, and tells those that must vary from those that are too coarse to.
    ///
    /// A format whose step is at least 2 σ of the noise delivers equal counts while all is well.
    private mutating func findStuck() {
        let varying = columns.indices.filter { columns[$0].runs.isEmpty && columns[$0].least < columns[$0].greatest }
        // The noise of the quietest axis that varies, in SI units.
        let ofOthers = varying.compactMap { axis in noise(axis).map { $0 * stepSize(axis) } }
            .min()
        for (axis, column) in columns.enumerated() {
            let scale = stepSize(axis)
            let isConstant = column.least == column.greatest
            guard !column.runs.isEmpty || isConstant, scale > 0 else { continue }
            var expected = quietNoise(axis)
            if isInMotion {
                // What varies may be the motion alone, and a coarse axis delivers equal counts between two motions.
            } else if !isConstant, let own = noise(axis) {
                expected = own
            } else if let ofOthers {
                expected = ofOthers / scale
            }
            let mustVary = expected > 0.5
            guard let longest = column.runs.max(by: { $0.count < $1.count }) else {
                if mustVary, count > 1 { unvaried.append(series.axes[axis].name) }
                continue
            }
            if mustVary || (isMoved && isConstant) {
                stuck += column.runs
            } else if !isMoved {
                coarse.append(longest)
            }
        }
    }

    /// The extremes that axes deliver, unless they are stuck there.
    private func clipped() -> [AxisFault] {
        columns.indices.compactMap { axis in
            let own = noise(axis) ?? 0
            return clippedCount(
                series.counts[axis], of: series.axes[axis], columns[axis],
                noise: (isInMotion ? min(own, quietNoise(axis)) : own) * Double(steps[axis]), isMoved: isMoved)
        }
    }

    // MARK: Values on the rig's axes

    /// A minute, of which a capture lacks what passes until its first sample and after its last one.
    private static let minimumSecondsForAllan = 59.0

    /// The figures; of a moving rig none that hold only at rest.
    func figures() -> MotionFigures {
        var figures = MotionFigures()
        let scales = series.axes.map { abs($0.scale) }
        figures.step = columns.isEmpty ? scales.max() : columns.indices.map(stepSize).max()
        let ranges = series.axes.map { axis -> Double? in
            guard let least = axis.leastCount, let greatest = axis.greatestCount else { return nil }
            return min(abs(axis.value(Double(least))), abs(axis.value(Double(greatest))))
        }
        if !ranges.contains(nil) { figures.range = ranges.compactMap(\.self).filter(\.isFinite).min() }
        figures.isRangeOfChip = series.isRangeOfChip
        if let range = figures.range, let scale = scales.max(), scale > 0, let greatest = series.greatestScale {
            figures.greatestRange = range * max(greatest / scale, 1)
        }
        figures.greatestRate = series.greatestRate
        figures.mounting = series.mounting
        figures.isMoving = isMoving
        figures.stuckAxes = stuck
        figures.clippedAxes = clipped()
        guard count > 0 else { return figures }
        let isAtRest = !isInMotion
        let covariances = Covariances(series, columns)
        let weights = series.weights
        func onRigAxes(_ figure: ([Double]) -> Estimate?) -> AxisEstimates {
            AxisEstimates(weights.map { $0.flatMap(figure) })
        }
        figures.mean = onRigAxes { mean($0) }
        figures.standardDeviation = onRigAxes { standardDeviation(covariances.all, $0) }
        if isAtRest { figures.noiseDensity = onRigAxes { noiseDensity(covariances.withoutDrift, $0) } }
        if let mean = figures.mean.complete {
            figures.magnitude = Self.magnitude(mean)
            // At rest the mean acceleration points away from the ground.
            if isAtRest, series.kind == .accelerometer { figures.up = Vector(values: mean.map(\.value)).direction }
        }
        let missing = timing?.gaps.reduce(0.0) { $0 + Double($1.missing) } ?? 0
        if isAtRest, let frequency, Double(count) / frequency >= Self.minimumSecondsForAllan,
            missing * 100 <= Double(count)
        {
            let allan = allan(rate: frequency)
            figures.allan = allan
            let instabilities = zip(allan.all, figures.noiseDensity.all).map { points, density -> Estimate? in
                guard density != nil, let floor = allan.floor(of: points) else { return nil }
                return floor.secondsToTell <= seconds ? floor.biasInstability : nil
            }
            figures.biasInstability = AxisEstimates(instabilities)
        }
        return figures
    }

    /// The time from the first sample to the last.
    private var seconds: Double { timing?.seconds ?? 0 }

    /// How long a measurement must at least be to tell the bias instability; nil if this one tells it, and by reads.
    func secondsForBiasInstability(_ figures: MotionFigures) -> Double? {
        guard timing != nil else { return nil }
        let untold = (0..<3).filter { figures.mean.all[$0] != nil && figures.biasInstability.all[$0] == nil }
        return untold.map { axis in
            let points = figures.allan?.all[axis] ?? []
            // Without a curve it may fall up to a quarter of the time, as far as one would reach.
            return figures.allan?.floor(of: points)?.secondsToTell ?? AllanDeviation.spans * seconds / 2
        }.max()
    }

    private func mean(_ weights: [Double]) -> Estimate {
        var value = 0.0
        var steps = 0.0
        for (axis, weight) in weights.enumerated() where weight != 0 {
            value += weight * series.axes[axis].value(columns[axis].mean)
            // The rounding of a mean is at most half a step, and vanishes as the noise reaches half a step; below that,
            // counts that flicker between two values do not tell the noise.
            // Source: Widrow and Kollár, "Quantization Noise", the quantization of normal noise.
            let noise = noise(axis) ?? 0
            let rounding = noise < 0.5 ? 0.5 : 0.5 * exp(-2 * Double.pi * Double.pi * noise * noise)
            steps += abs(weight) * stepSize(axis) * rounding
        }
        let ofBatches = uncertaintyOfMean(count: count) { range in
            var sum = 0.0
            for (axis, weight) in weights.enumerated() where weight != 0 {
                var counts: Int64 = 0
                for index in range { counts += Int64(series.counts[axis][index]) - columns[axis].origin }
                sum += weight * series.axes[axis].scale * Double(counts)
            }
            return sum
        }
        return Estimate(value, uncertainty: (ofBatches * ofBatches + steps * steps).squareRoot())
    }

    private func standardDeviation(_ covariance: [[Double]], _ weights: [Double]) -> Estimate? {
        guard count > 1 else { return nil }
        let value = max(quadratic(covariance, weights), 0).squareRoot()
        // Equal counts do not tell how far below half a step it is.
        guard value > 0 else { return Estimate(0, uncertainty: .infinity) }
        return Estimate(value, relative: relativeUncertaintyOfDeviation(freedom: count - 1))
    }

    private func noiseDensity(_ covariance: [[Double]], _ weights: [Double]) -> Estimate? {
        guard let frequency, count > 3 else { return nil }
        var steps = 0.0
        for (axis, weight) in weights.enumerated() where weight != 0 {
            // Below half a step the counts do not tell the noise.
            guard columns[axis].runs.isEmpty, let noise = noise(axis), noise >= 0.5 else { return nil }
            let step = weight * stepSize(axis)
            steps += step * step / 12
        }
        let total = quadratic(covariance, weights)
        guard total > steps else { return nil }
        let value = ((total - steps) / frequency).squareRoot()
        let relative = relativeUncertaintyOfDeviation(freedom: count - 2) * total / (total - steps)
        return Estimate(value, uncertainty: value * relative)
    }

    private func quadratic(_ covariance: [[Double]], _ weights: [Double]) -> Double {
        var sum = 0.0
        for a in weights.indices where weights[a] != 0 {
            for b in weights.indices where weights[b] != 0 { sum += weights[a] * weights[b] * covariance[a][b] }
        }
        return sum
    }

    private static func magnitude(_ mean: [Estimate]) -> Estimate {
        let value = Vector(values: mean.map(\.value)).length
        let uncertainties = mean.reduce(0.0) { sum, axis in
            let part = value > 0 ? axis.value / value * axis.uncertainty : axis.uncertainty
            return sum + part * part
        }
        return Estimate(value, uncertainty: uncertainties.squareRoot())
    }

    private func allan(rate: Double) -> AllanDeviation {
        var taus: [Double] = []
        let deviations = (0..<3).map { axis -> [Estimate] in
            guard let values = series.values(ofRigAxis: axis) else { return [] }
            let points = AllanDeviation.overlapping(values, rate: rate)
            taus = points.map(\.tau)
            return points.map(\.deviation)
        }
        return AllanDeviation(taus: taus, x: deviations[0], y: deviations[1], z: deviations[2])
    }
}

/// How the columns of a series vary together, in SI units.
private struct Covariances {
    /// The covariances of the axes, and those of what is left after a straight drift.
    let all, withoutDrift: [[Double]]

    init(_ series: MotionSeries, _ columns: [ColumnStatistics]) {
        let axes = columns.indices
        let n = series.times.count
        var all = Array(repeating: Array(repeating: 0.0, count: columns.count), count: columns.count)
        var rest = all
        let spread = ColumnStatistics.spread(n)
        for a in axes {
            for b in axes where b >= a {
                var products = columns[a].squares
                if b > a {
                    products = 0
                    let (meanA, meanB) = (columns[a].mean, columns[b].mean)
                    for index in 0..<n {
                        products +=
                            (Double(series.counts[a][index]) - meanA) * (Double(series.counts[b][index]) - meanB)
                    }
                }
                let scale = series.axes[a].scale * series.axes[b].scale
                let left = products - columns[a].slope * columns[b].slope * spread
                all[a][b] = n > 1 ? products / Double(n - 1) * scale : 0
                rest[a][b] = n > 2 ? left / Double(n - 2) * scale : 0
                all[b][a] = all[a][b]
                rest[b][a] = rest[a][b]
            }
        }
        self.all = all
        withoutDrift = rest
    }
}

extension MotionSeries {
    /// Whether its clock only ticks with the kernel's timer, every 1 to 10 ms.
    ///
    /// Source: kernel ABI `sysfs-bus-iio`, `current_timestamp_clock`.
    var hasCoarseClock: Bool { clock?.hasSuffix("_coarse") == true }
}

extension AxisEstimates {
    /// Creates the estimates of the three axes in order.
    init(_ all: [Estimate?]) { self.init(x: all[0], y: all[1], z: all[2]) }

    /// The three axes in order; nil if one has none.
    var complete: [Estimate]? { all.contains(nil) ? nil : all.compactMap(\.self) }
}
