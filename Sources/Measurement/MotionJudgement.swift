internal import Readiness

extension SensorMeasurement {
    /// Measures an accelerometer or gyroscope, and judges it.
    mutating func measure(_ series: MotionSeries, limits: QualityLimits, isMoved: Bool) {
        let motion = kind == .gyroscope ? limits.gyroscope : limits.accelerometer
        samples = series.times.count
        if case .buffer = method { clock = series.clock }
        let analysis = MotionAnalysis(series, limits: limits, motion: motion, isMoved: isMoved)
        let figures = analysis.figures()
        self.figures = .motion(figures)
        seconds = series.span ?? 0
        guard samples > 0 else {
            findings.append(.silent, .bad, "no sample came", source: limits.timing.firstSample.source)
            return
        }
        judgeTiming(series, analysis.timing, limits.timing, gaps: motion.gaps)
        judgeCounts(series, analysis, limits, isMoved: isMoved)
        judgeFormat(series, figures, motion)
        judgeWantedRate(series, motion)
        if isMoved {
            if figures.isMoving == false {
                findings.append(
                    .still, .undetermined, "the rig was to be moved, but this sensor shows no motion",
                    source: motion.still.source,
                    remedies: [.advice("turn the rig by a quarter turn about each axis while it measures")])
            }
        } else if figures.isMoving == true {
            findings.append(
                .moving, .undetermined, "the rig moves: magnitude, bias and noise not measured",
                source: motion.still.source, remedies: [.advice("lay the rig still and measure again")])
        } else {
            judgeRest(figures, motion)
            if let needed = analysis.secondsForBiasInstability(figures), samples >= 3 {
                findings.append(
                    .biasInstability, .information,
                    "\(seconds.stated("s")) is too short for the bias instability, which needs at least "
                        + "\(needed.stated("s", digits: 2)) at rest",
                    source: "IEEE Std 952, C.1")
            }
        }
        reportTruncation(kept: "\(samples) samples", dropped: series.dropped)
    }

    /// Tells that a series was full, so that what came later was dropped.
    mutating func reportTruncation(kept: String, dropped: Int) {
        if dropped > 0 {
            findings.append(.truncated, .information, "only the first \(kept) were kept, \(dropped) more came")
        }
    }

    // MARK: Times

    private mutating func judgeTiming(
        _ series: MotionSeries, _ timing: SampleTiming?, _ limits: TimingLimits, gaps allowedGaps: QualityLimit?
    ) {
        guard var timing else {
            guard case .attributes(let reason, let remedies) = series.method else { return }
            let words = "rate, gaps, order and jitter not measured: \(reason)"
            for check in [MeasurementFinding.Check.rate, .gaps, .order, .jitter] {
                findings.append(check, .undetermined, words, remedies: remedies)
            }
            return
        }
        let period = timing.period ?? 0
        if let ended = series.ended, let last = series.times.max(), ended > last {
            let silence = Double(UInt64(bitPattern: ended &- last)) * 1e-9
            // A sample may be late by 100 ms and two sample times.
            if silence > 0.1 + 2.5 * period {
                timing.addSilence(of: silence)
                findings.append(
                    .silent, .bad, "no sample came in the last \(silence.stated("s"))", source: "Android CDD 7.3, C-1-2"
                )
            }
        }
        rate = timing.rate
        gaps = timing.gaps
        outOfOrder = timing.outOfOrder
        jitter = timing.jitter
        judgeGaps(limits, of: samples, allowed: allowedGaps)
        judgeOrder(limits.order, of: "sample")
        judgeClock(series)
        judgeRate(series.nominalRate, limits)
        if series.hasCoarseClock {
            findings.append(
                .jitter, .undetermined, "the clock \(series.clock ?? "") is too coarse to measure the jitter",
                remedies: [.advice("set current_timestamp_clock to monotonic")])
        } else if let jitter, jitter.relative.isAbove(limits.jitter.value) == true {
            findings.append(
                .jitter, breaking: limits.jitter,
                "the intervals have a standard deviation of \(jitter.relative.percent) of the period, more than "
                    + (limits.jitter.value * 100).stated("%"))
        }
        if let delay = series.firstSampleDelay, delay > limits.firstSample.value + 2 * period {
            findings.append(
                .late, breaking: limits.firstSample,
                "the first sample came \(delay.stated("s")) after the start, later than "
                    + (limits.firstSample.value + 2 * period).stated("s"))
        }
    }

    /// Judges the gaps between samples, but not the silence after the last; a demand replaces what is usually allowed.
    mutating func judgeGaps(_ limits: TimingLimits, of samples: Int, allowed demand: QualityLimit?) {
        let inside = (gaps ?? []).filter { $0.index != nil }
        guard let longest = inside.max(by: { $0.seconds < $1.seconds }) else { return }
        let allowed = demand?.value ?? min(limits.gapsAllowed, Double(samples) * limits.gapShare).rounded(.up)
        let limit = demand ?? limits.gapPeriods
        let missing = inside.reduce(0) { $0 + min($1.missing, 1 << 40) }
        findings.append(
            .gaps, Double(inside.count) > allowed ? limit.severity : .warning,
            "\(counted(inside.count, "gap", "gaps")) with \(counted(missing, "missing sample", "missing samples")), "
                + "the longest of \(longest.seconds.stated("s")) before sample \(longest.index ?? 0); "
                + "\(allowed.fixed(0)) of \(samples) are allowed",
            source: limit.source)
    }

    /// Judges the order of the samples, which are called `noun`.
    mutating func judgeOrder(_ limit: QualityLimit, of noun: String) {
        guard let outOfOrder, let first = outOfOrder.first else { return }
        findings.append(
            .order, breaking: limit,
            "\(counted(outOfOrder.count, "\(noun) is", "\(noun)s are")) not later than the one before, the first is "
                + "\(noun) \(first)")
    }

    /// Judges the clock of the samples by that of the rig.
    private mutating func judgeClock(_ series: MotionSeries) {
        guard let (own, rig) = series.arrivals.contradiction else { return }
        findings.append(
            .clock, .bad,
            "the timestamps cover \(own.stated("s")), but the capture took \(rig.stated("s")): samples were lost "
                + "without a gap, or the sensor's clock, and with it the rate, is wrong",
            source: "Android CTS, TimestampClockSourceVerification.java",
            remedies: [.advice("see which clock current_timestamp_clock names, and whether the driver makes up times")])
    }

    private mutating func judgeRate(_ nominal: Double?, _ limits: TimingLimits) {
        guard let rate, let nominal, nominal > 0 else { return }
        let least = limits.leastRateShare
        let greatest = limits.greatestRateShare
        let words = "\(rate.words("Hz")); the device reports \(nominal.stated("Hz", digits: 4))"
        if rate.isAbove(least.value * nominal) == false {
            findings.append(.rate, breaking: least, "\(words): below \((least.value * 100).stated("%"))")
        } else if rate.isAbove(greatest.value * nominal) == true {
            findings.append(.rate, breaking: greatest, "\(words): above \((greatest.value * 100).stated("%"))")
        } else if rate.isAbove(least.value * nominal) == nil || rate.isAbove(greatest.value * nominal) == nil {
            findings.append(
                .rate, .undetermined, "\(words): too uncertain to compare with the limit", source: least.source,
                remedies: [.advice("measure longer")])
        }
    }

    /// Judges the rate that is wanted by what the device says, or by what was measured where it says nothing.
    ///
    /// The oscillators of chips are off by some percent: what is measured needs only the least share of what is wanted.
    private mutating func judgeWantedRate(_ series: MotionSeries, _ motion: MotionLimits) {
        let broken = motion.minimumRate.filter { limit in
            if let nominal = series.nominalRate, nominal > 0 { return nominal < limit.value }
            return rate.map { $0.isAbove(0.9 * limit.value) == false } ?? false
        }
        let actual = (series.nominalRate ?? rate?.value ?? 0).stated("Hz", digits: 4)
        let greatest = series.greatestRate ?? 0
        func words(_ limit: QualityLimit) -> String {
            let origin = limit.severity == .bad ? "required" : "recommended"
            return "rate \(actual); \(limit.value.stated("Hz")) is \(origin)"
        }
        if let wanted = broken.filter({ !$0.isOfCapability || greatest < $0.value }).worst {
            findings.append(.slow, breaking: wanted, words(wanted))
        } else if let wanted = broken.worst {
            findings.append(
                .slow, .information,
                "\(words(wanted)), and the chip supports up to \(greatest.stated("Hz", digits: 4))",
                source: wanted.source,
                remedies: [.advice("measure with --rate \(wanted.value.significant(6, trimmed: true))")])
        }
    }

    // MARK: Counts

    private mutating func judgeCounts(
        _ series: MotionSeries, _ analysis: MotionAnalysis, _ limits: QualityLimits, isMoved: Bool
    ) {
        let limit = limits.equalCounts
        for axis in series.axes.map(\.name) {
            let faults = analysis.stuck.filter { $0.axis == axis }
            guard let longest = faults.max(by: { $0.count < $1.count }) else { continue }
            findings.append(
                .stuck, breaking: limit,
                "the chip's axis \(axis) repeats the count \(longest.valueWords) in \(longest.count) samples from "
                    + "sample \(longest.index) on; at most \(limit.value.fixed(0)) are allowed")
        }
        if let first = analysis.coarse.first {
            let others = analysis.coarse.dropFirst().map(\.axis)
            let alike = others.isEmpty ? "" : " (likewise \(others.joined(separator: " and ")))"
            findings.append(
                .coarse, .undetermined,
                "the chip's axis \(first.axis) repeats the count \(first.valueWords) in \(first.count) "
                    + "samples\(alike): the step is coarser than the noise, so a stuck axis cannot be distinguished",
                source: limit.source, remedies: [.advice("measure with --move and turn the rig")])
        }
        if !analysis.unvaried.isEmpty {
            let axes = analysis.unvaried.joined(separator: ", ")
            let needed = series.times.count > 1 ? seconds / Double(samples - 1) * (limit.value + 1) : 0
            findings.append(
                .stuck, .undetermined,
                "all \(samples) samples of the chip's axis \(axes) are equal; detecting a stuck axis needs "
                    + needed.stated("s"),
                source: limit.source, remedies: [.advice("measure for at least \(needed.stated("s"))")])
        }
        for fault in self.motion?.clippedAxes ?? [] {
            findings.append(
                .clipped, isMoved ? .warning : .bad,
                "the chip's axis \(fault.axis) is cut off at \(fault.valueWords), \(fault.count) times from sample "
                    + "\(fault.index) on")
        }
    }

    private mutating func judgeFormat(_ series: MotionSeries, _ figures: MotionFigures, _ motion: MotionLimits) {
        if let range = figures.greatestRange ?? figures.range {
            let words = "the \(figures.greatestRange == nil ? "" : "greatest ")range is ±\(range.stated(kind.unit))"
            if let limit = motion.range.broken(by: { range < $0 * 0.99 }) {
                findings.append(.range, breaking: limit, "\(words); ±\(limit.value.stated(kind.unit)) is required")
            } else if let limit = motion.range.first(where: { $0.severity == .bad }), !series.isRangeOfChip {
                findings.append(
                    .range, .undetermined,
                    "\(words) in the format of the samples; ±\(limit.value.stated(kind.unit)) is required of the chip, "
                        + "whose driver does not report its range",
                    source: limit.source, remedies: [Self.dataSheet])
            }
        }
        let levels = series.axes.compactMap { axis -> Double? in
            guard let least = axis.leastCount, let greatest = axis.greatestCount else { return nil }
            return Double(greatest) - Double(least) + 1
        }.min()
        if let levels,
            let limit = motion.bits.broken(by: { levels < Double(sign: .plus, exponent: Int($0), significand: 1) })
        {
            findings.append(
                .resolution, breaking: limit,
                "the format has \(levels.significant(6, trimmed: true)) steps; \(limit.value.fixed(0)) bits are required"
            )
        } else if levels != nil, !series.isRangeOfChip, let limit = motion.bits.first(where: { $0.severity == .bad }) {
            findings.append(
                .resolution, .undetermined,
                "the format of the samples has the required \(limit.value.fixed(0)) bits; the driver does not report "
                    + "those of the chip",
                source: limit.source, remedies: [Self.dataSheet])
        }
    }

    private static let dataSheet = Remedy.advice("see the data sheet of the chip, or of the hub that it is behind")

    // MARK: Values at rest

    private mutating func judgeRest(_ figures: MotionFigures, _ motion: MotionLimits) {
        guard samples >= 3 else {
            findings.append(
                .short, .undetermined, "\(counted(samples, "sample", "samples")): too few to judge values by",
                remedies: [.advice("measure longer")])
            return
        }
        judgeMagnitude(figures, motion)
        judgeNoise(figures, motion)
        let relative = relativeUncertaintyOfDeviation(freedom: samples - 1)
        if relative > 0.1 {
            let needed = samplesForDeviation(within: 0.1) * seconds / Double(samples - 1)
            findings.append(
                .short, .information,
                "\(samples) samples give the noise to within \((relative * 100).stated("%", digits: 2)); 10 % take "
                    + needed.stated("s", digits: 2))
        }
    }

    private mutating func judgeMagnitude(_ figures: MotionFigures, _ motion: MotionLimits) {
        guard let magnitude = figures.magnitude else { return }
        let unit = kind.unit
        let check: MeasurementFinding.Check = kind == .accelerometer ? .gravity : .bias
        let off = Estimate(abs(magnitude.value - motion.restMagnitude), uncertainty: magnitude.uncertainty)
        let words =
            kind == .accelerometer
            ? "the magnitude at rest is \(magnitude.words(unit)), \(off.value.stated(unit)) off gravity"
            : "the magnitude at rest is \(magnitude.words(unit))"
        judge(off, motion.magnitudeWithin, check) { "\(words); \($0.stated(unit)) is allowed" }
    }

    private mutating func judgeNoise(_ figures: MotionFigures, _ motion: MotionLimits) {
        let unit = kind.unit
        // Where a step is coarser than the limit, the flicker between two counts is not the chip's noise.
        let step = figures.step ?? 0
        let deviations = figures.standardDeviation.all.compactMap { $0 }.filter { $0.value > 0.6 * step }
        if let worst = deviations.max(by: { $0.value < $1.value }) {
            judge(worst, motion.noise, .noise) {
                "the standard deviation of an axis is \(worst.words(unit)); \($0.stated(unit)) is allowed"
            }
        }
        let densities = figures.noiseDensity.all.compactMap { $0 }
        if let worst = densities.max(by: { $0.value < $1.value }) {
            judge(worst, motion.noiseDensity, .noise) {
                "the noise density of an axis is \(worst.words("\(unit)/√Hz")); \($0.stated("\(unit)/√Hz")) is allowed"
            }
        }
    }

    /// Adds a finding for the worst limit that a figure breaks, or may break.
    ///
    /// A limit is broken only if the whole interval is beyond it. Where the interval holds a limit whose breaking is bad,
    /// that cannot be determined; a limit that only warns is then passed over.
    private mutating func judge(
        _ figure: Estimate, _ limits: [QualityLimit], _ check: MeasurementFinding.Check, words: (Double) -> String
    ) {
        if let limit = limits.first(where: { $0.severity == .bad && figure.isAbove($0.value) == true }) {
            findings.append(check, breaking: limit, words(limit.value))
        } else if let limit = limits.first(where: { $0.severity == .bad && figure.isAbove($0.value) == nil }) {
            findings.append(
                check, .undetermined, words(limit.value) + ": too uncertain to compare with the limit",
                source: limit.source,
                remedies: [.advice("measure longer")])
        } else if let limit = limits.first(where: { $0.severity == .warning && figure.isAbove($0.value) == true }) {
            findings.append(check, breaking: limit, words(limit.value))
        }
    }
}

extension [QualityLimit] {
    /// The limit whose breaking is worst; nil for none.
    var worst: QualityLimit? { first { $0.severity == .bad } ?? first }

    /// The worst limit that is broken; nil if none is.
    func broken(by isBroken: (Double) -> Bool) -> QualityLimit? { filter { isBroken($0.value) }.worst }
}

extension [MeasurementFinding] {
    mutating func append(
        _ check: MeasurementFinding.Check, _ severity: FindingSeverity, _ detail: String, source: String? = nil,
        remedies: [Remedy] = []
    ) {
        append(MeasurementFinding(check, severity, detail, source: source, remedies: remedies))
    }

    /// Appends that a limit is broken.
    mutating func append(
        _ check: MeasurementFinding.Check, breaking limit: QualityLimit, _ detail: String, remedies: [Remedy] = []
    ) {
        append(check, limit.severity, detail, source: limit.source, remedies: remedies)
    }

    /// The findings, worst first, and else in the order in which they were found.
    var worstFirst: [MeasurementFinding] {
        [FindingSeverity.bad, .undetermined, .warning, .information].flatMap { severity in
            filter { $0.severity == severity }
        }
    }
}

extension AxisFault {
    fileprivate var valueWords: String { Double(value).fixed(0) }
}

extension SensorKind {
    /// The SI unit of its values.
    package var unit: String { self == .gyroscope ? "rad/s" : "m/s²" }
}

/// A number with its noun, such as "1 gap" and "2 gaps".
func counted(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
