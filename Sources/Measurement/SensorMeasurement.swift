package import Readiness

/// A value with its uncertainty.
///
/// The uncertainty is the half width of an interval that holds the true value in 95 of 100 measurements, as far as the
/// noise of the measurement itself tells: not a constant error of scale, and not one of the clock.
package struct Estimate: Sendable, Hashable {
    /// The value.
    package var value: Double
    /// The half width of the 95 % interval, in the value's unit.
    package var uncertainty: Double

    /// Creates an estimate.
    package init(_ value: Double, uncertainty: Double) {
        self.value = value
        self.uncertainty = uncertainty
    }

    /// Creates an estimate that is uncertain by a share of its value.
    init(_ value: Double, relative: Double) {
        self.init(value, uncertainty: value == 0 ? 0 : abs(value) * relative)
    }
}

/// An estimate for each axis of the rig, nil for an axis that the chip lacks or that cannot be determined.
package struct AxisEstimates: Sendable, Hashable {
    /// The axes of the rig.
    package var x, y, z: Estimate?

    /// Creates the estimates.
    package init(x: Estimate? = nil, y: Estimate? = nil, z: Estimate? = nil) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The three axes in order.
    package var all: [Estimate?] { [x, y, z] }
}

/// Samples that are missing from a series.
package struct SampleGap: Sendable, Hashable {
    /// The most gaps, and the most samples out of order, that a document lists of a sensor; a finding has the number.
    package static let listLimit = 100

    /// The index, in order of arrival, of the sample after it; nil if no sample came until the end.
    package var index: Int?
    /// The time without a sample, in seconds.
    package var seconds: Double
    /// The number of samples that belong there.
    package var missing: Int

    /// Creates a gap.
    package init(index: Int?, seconds: Double, missing: Int) {
        self.index = index
        self.seconds = seconds
        self.missing = missing
    }
}

/// How far the intervals of a series differ from one another; gaps are left out.
package struct IntervalJitter: Sendable, Hashable {
    /// The 97.5th less the 2.5th percentile of the intervals, in seconds.
    ///
    /// Source: Android CTS, `JitterVerification.java`.
    package var spread: Estimate
    /// The standard deviation of the intervals as a share of their median.
    ///
    /// Source: Android CDD 7.3, C-1-4.
    package var relative: Estimate

    /// Creates a jitter.
    package init(spread: Estimate, relative: Estimate) {
        self.spread = spread
        self.relative = relative
    }
}

/// A chip's axis with a fault, which is at some of the samples; documents have it with these keys.
package struct AxisFault: Codable, Sendable, Hashable {
    /// `x`, `y` or `z`, of the chip.
    package var axis: String
    /// The index, in order of arrival, of the first sample with it.
    package var index: Int
    /// The number of samples with it: in a row for a stuck axis, in all for a clipped one.
    package var count: Int
    /// The count that the chip delivered there.
    package var value: Int32
}

/// How far the mean of a sensor is from that of another one of its kind.
package struct MeanAgreement: Sendable, Hashable {
    /// The key of the other sensor, of several the one that is farthest away.
    package var key: String
    /// The length of the difference of the mean vectors.
    package var difference: Estimate
}

/// The overlapping Allan deviation of one or more axes of the rig, over averaging times.
package struct AllanDeviation: Sendable, Hashable {
    /// The averaging times, in seconds.
    package var taus: [Double]
    /// The deviation at each of `taus` by the axis of the rig, in SI units; empty for an axis that the chip lacks.
    package var x, y, z: [Estimate]

    /// The three axes in order.
    package var all: [[Estimate]] { [x, y, z] }
}

/// How good one finding is.
package enum FindingSeverity: String, CaseIterable, Sendable, Hashable {
    /// Said for completeness; it does not count.
    case information
    /// A recommended limit is broken.
    case warning
    /// It cannot be determined whether a limit is kept.
    case undetermined
    /// A limit is broken.
    case bad
}

/// What a measurement says of one sensor, in short: the best first.
package enum MeasurementVerdict: String, CaseIterable, Sendable, Hashable {
    case good, warning, undetermined, bad
}

/// One thing that a measurement found.
package struct MeasurementFinding: Sendable, Hashable {
    /// What was judged, by the name that documents use.
    package enum Check: String, CaseIterable, Sendable, Hashable {
        /// The rate beside the nominal one; the rate that is wanted; the first sample's delay; silence.
        case rate, slow, late, silent
        /// The times of the samples.
        case gaps, order, jitter
        /// The values at rest.
        case gravity, bias, noise, disagreement, biasInstability
        /// The counts.
        case stuck, clipped, coarse, range, resolution
        /// The rig's motion: it moves but should not; it should but does not.
        case moving, still
        /// The axes in a guided motion: their order, their signs, their scales.
        case axes, sign, scale
        /// The measurement itself: too few samples; too many; nothing read; ended by an error.
        case short, truncated, unmeasured, ended
        /// A receiver's; the clock is a motion sensor's too.
        case fix, firstFix, scatter, jump, satellites, dilution, signal, clock, constantPosition
        /// A controller's.
        case power, answer
        /// A step counter's.
        case steps
    }

    /// What was judged.
    package var check: Check
    /// How much it matters.
    package var severity: FindingSeverity
    /// What was found, in one sentence with its figures.
    package var detail: String
    /// Where the limit comes from; nil if no limit was involved.
    package var source: String?
    /// What can be done.
    package var remedies: [Remedy]

    /// The name in documents, such as `gaps`.
    package var id: String { check.rawValue }

    /// Creates a finding.
    package init(
        _ check: Check, _ severity: FindingSeverity, _ detail: String, source: String? = nil,
        remedies: [Remedy] = []
    ) {
        self.check = check
        self.severity = severity
        self.detail = detail
        self.source = source
        self.remedies = remedies
    }
}

/// What is measured of a motion sensor, in SI units and on the rig's axes.
package struct MotionFigures: Sendable, Hashable {
    /// The mean; for a gyroscope at rest this is its bias.
    package var mean = AxisEstimates()
    /// The standard deviation, with everything that varies: noise, drift, motion and the steps of the format.
    ///
    /// Zero of unknown uncertainty where all counts are equal: it is less than half a step then.
    package var standardDeviation = AxisEstimates()
    /// The noise density, in the axis' unit by √Hz: standard deviation = density × √(sampling frequency).
    ///
    /// It counts positive and negative frequencies, as the variance by Hz of the Android CDD does, and is the Allan
    /// deviation of white noise at 1 s. Data sheets and spectra count positive ones alone, and give √2 times as much. A
    /// straight drift and the noise of the steps are taken out first. nil where the steps are too coarse, while the rig
    /// moves, and where the sampling frequency is unknown. Source: Kalibr wiki, "IMU Noise Model".
    package var noiseDensity = AxisEstimates()
    /// The bias instability, the lowest Allan deviation divided by 0.664; nil until the measurement is long enough.
    ///
    /// Source: IEEE Std 952, C.1.3.
    package var biasInstability = AxisEstimates()
    /// The length of the mean vector; nil unless the chip has three axes.
    package var magnitude: Estimate?
    /// The coarsest quantization step of the axes: that of the chip, where a hub passes on multiples of its format's alone.
    package var step: Double?
    /// The greatest value that all axes can deliver in both directions; nil if the format is unknown.
    package var range: Double?
    /// The greatest range, and the greatest sampling frequency in Hz, that the chip can be set to; nil if its driver lists
    /// none.
    package var greatestRange, greatestRate: Double?
    /// Whether `range` is the chip's own; else it is that of the format in which its values are passed on.
    package var isRangeOfChip = false
    /// The axes of the chip that deliver the same count again and again.
    package var stuckAxes: [AxisFault] = []
    /// The axes of the chip that deliver the extreme of their range.
    package var clippedAxes: [AxisFault] = []
    /// The axis of the rig that points up, such as `+z`; nil if none is within 30° of the vertical.
    package var up: String?
    /// How the chip is mounted; nil if nothing says so.
    package var mounting: Mounting?
    /// How far the mean is from that of another sensor of the kind; nil if there is none at rest.
    package var agreement: MeanAgreement?
    /// Whether the rig moved; nil if that cannot be determined.
    package var isMoving: Bool?
    /// The Allan deviation, from 60 s of rest on.
    package var allan: AllanDeviation?

    /// Creates figures without values.
    package init() {}
}

/// What is measured of a receiver.
package struct ReceiverFigures: Sendable, Hashable {
    /// The number of reports with a position.
    package var fixes = 0
    /// Where half of the positions are within, in metres, from their standard deviations; nil while it moves, as the next two.
    ///
    /// Formula: 0.5887 × (σ north + σ east). Source: gpsd, `clients/gpsprof.py.in`; RCC 261-00, 3.1.1.
    package var cep50: Estimate?
    /// Where 95 of 100 positions were within, in metres from their mean.
    package var radius95: Estimate?
    /// Twice the root mean square of the distances, in metres: 2 × √(σ north² + σ east²).
    ///
    /// Source: gpsd, `clients/gpsprof.py.in`; RCC 261-00, 3.1.4.
    package var twoDRMS: Estimate?
    /// The median number of satellites used and seen.
    package var satellitesUsed, satellitesSeen: Estimate?
    /// The median horizontal dilution of precision.
    package var horizontalDilution: Estimate?
    /// The median carrier to noise density of the used satellites, in dB-Hz.
    package var signal: Estimate?
    /// The median of what the receiver estimates as its horizontal error, in metres.
    package var horizontalError: Estimate?
    /// Seconds from the begin of the measurement to the first position.
    package var timeToFirstFix: Double?
    /// Whether the first report had a position, so that the receiver may have had its fix before.
    package var hadFix = false
    /// The rig's clock less the receiver's time at reception, median, in seconds: the transmission is in it.
    package var clockDifference: Estimate?
    /// The median speed over ground, in m/s; nil if the receiver reports none.
    package var speed: Estimate?
    /// Whether the reported speed shows that the receiver moves; nil if it reports no speed.
    package var isMoving: Bool?
    /// Where the position jumped.
    package var jumps: [PositionJump] = []

    /// Creates figures without values.
    package init() {}
}

/// What is measured of a controller.
package struct ControllerFigures: Sendable, Hashable {
    /// The changes of its power.
    package var powerChanges: [PowerChange] = []
    /// The 50th and the 99th percentile of the answer times, in seconds.
    package var answer50, answer99: Estimate?

    /// Creates figures without values.
    package init() {}
}

/// The figures that only one kind of sensor has.
package enum KindFigures: Sendable, Hashable {
    case motion(MotionFigures)
    case receiver(ReceiverFigures)
    case controller(ControllerFigures)
    /// The steps that were counted; nil if a count could not be read.
    case steps(UInt64?)
}

/// The result of a measurement for one sensor.
package struct SensorMeasurement: Sendable, Hashable {
    /// The sensor's key.
    package var key: String
    /// The sensor's kind.
    package var kind: SensorKind
    /// The sensor's name.
    package var name: String
    /// How its samples were read.
    package var method: MeasurementMethod
    /// The kernel's name of the clock of a motion sensor's samples, such as `monotonic`; nil where only reads have a time.
    package var clock: String?
    /// The number of samples.
    package var samples = 0
    /// The time from the first sample to the last, or that it was watched, in seconds.
    package var seconds = 0.0
    /// Samples per second, (n − 1) / (last − first); nil with fewer than two, and where the timestamps are unusable.
    ///
    /// Source: Android CTS, `FrequencyVerification.java`.
    package var rate: Estimate?
    /// The gaps; nil where the timestamps are unusable.
    package var gaps: [SampleGap]?
    /// The indices, in order of arrival, of samples that are not later than the one before.
    package var outOfOrder: [Int]?
    /// The jitter; nil with fewer than 20 samples, and where the timestamps are unusable.
    package var jitter: IntervalJitter?
    /// What only this kind of sensor has.
    package var figures: KindFigures
    /// What was found, worst first.
    package var findings: [MeasurementFinding] = []

    /// Creates a measurement without values.
    package init(key: String, kind: SensorKind, name: String, method: MeasurementMethod, figures: KindFigures) {
        self.key = key
        self.kind = kind
        self.name = name
        self.method = method
        self.figures = figures
    }

    /// The figures of a motion sensor; nil for another kind.
    package var motion: MotionFigures? { if case .motion(let figures) = figures { figures } else { nil } }
    /// The figures of a receiver; nil for another kind.
    package var receiver: ReceiverFigures? { if case .receiver(let figures) = figures { figures } else { nil } }
    /// The figures of a controller; nil for another kind.
    package var controller: ControllerFigures? { if case .controller(let figures) = figures { figures } else { nil } }

    /// Whether what was asked for does not measure such a sensor, which then does not count.
    package var isOmitted: Bool { if case .omitted = method { true } else { false } }

    /// The worst of its findings: bad, undetermined, warning, good.
    ///
    /// Undetermined comes before warning: who asks whether a sensor is good must learn that nobody knows. So is one that
    /// was omitted.
    package var verdict: MeasurementVerdict {
        if isOmitted { return .undetermined }
        return switch findings.worstFirst.first?.severity {
        case .bad: .bad
        case .undetermined: .undetermined
        case .warning: .warning
        case .information, nil: .good
        }
    }
}
