package import Measurement
package import Readiness

/// The document `rigready.measurement/1`: what a measurement says of each sensor, in SI units.
///
/// Uncertainties are the half width of the 95 % interval. A program decodes with it what `rigready measure --format json`
/// printed; keys that a later version adds are ignored.
package struct MeasurementReport: Codable, Sendable {
    /// The name of this document and its version.
    package static let schema = "rigready.measurement/1"

    /// A figure and its uncertainty.
    package struct Figure: Codable, Sendable {
        /// The value.
        package var value: Double
        /// The half width of its 95 % interval; null if unknown.
        @Nullable package var uncertainty: Double?

        init?(_ estimate: Estimate?) {
            guard let estimate, estimate.value.isFinite else { return nil }
            value = estimate.value
            uncertainty = estimate.knownUncertainty
        }
    }

    /// A value for each axis of the rig; null for one that the chip lacks.
    package struct Axes: Codable, Sendable {
        /// The x axis.
        @Nullable package var x: Double?
        /// The y axis.
        @Nullable package var y: Double?
        /// The z axis.
        @Nullable package var z: Double?

        init(_ estimates: AxisEstimates, _ part: (Estimate) -> Double) {
            let values: [Double?] = estimates.all.map { $0.map(part).flatMap { $0.isFinite ? $0 : nil } }
            (x, y, z) = (values[0], values[1], values[2])
        }
    }

    /// Samples that are missing.
    package struct Gap: Codable, Sendable {
        /// The index of the sample after it; null if none came.
        @Nullable package var index: Int?
        /// Its length in seconds.
        package var seconds: Double
        /// The samples that belong there.
        package var missing: Int

        init(_ gap: SampleGap) {
            index = gap.index
            seconds = gap.seconds
            missing = gap.missing
        }
    }

    /// How far the intervals between samples differ.
    package struct Jitter: Codable, Sendable {
        /// The 97.5th less the 2.5th percentile, in seconds.
        package var spread: Double
        /// Its uncertainty.
        @Nullable package var spreadUncertainty: Double?
        /// The standard deviation as a share of the median.
        package var relative: Double
        /// Its uncertainty.
        @Nullable package var relativeUncertainty: Double?

        init(_ jitter: IntervalJitter) {
            spread = jitter.spread.value
            spreadUncertainty = jitter.spread.knownUncertainty
            relative = jitter.relative.value
            relativeUncertainty = jitter.relative.knownUncertainty
        }
    }

    /// The samples at which an axis of the chip has a fault.
    package typealias FaultyRun = AxisFault

    /// How the chip is mounted on the rig.
    package struct MountingLine: Codable, Sendable {
        /// Nine numbers, row by row: rig = matrix × chip.
        package var matrix: [Double]
        /// Where it comes from.
        package var source: String

        init(_ mounting: Mounting) {
            matrix = mounting.matrix
            source = mounting.origin
        }
    }

    /// How far the mean is from that of another sensor of the kind.
    package struct Agreement: Codable, Sendable {
        /// The key of the other sensor.
        package var key: String
        /// The length of the difference of the mean vectors.
        package var difference: Double
        /// Its uncertainty.
        @Nullable package var differenceUncertainty: Double?

        init(_ agreement: MeanAgreement) {
            key = agreement.key
            difference = agreement.difference.value
            differenceUncertainty = agreement.difference.knownUncertainty
        }
    }

    /// A finding of one sensor.
    package struct FindingLine: Codable, Sendable {
        /// What was judged, such as `gaps`.
        package var id: String
        /// `bad`, `undetermined`, `warning` or `information`.
        package var severity: String
        /// What was found, with its figures.
        package var detail: String
        /// Where the limit comes from.
        @Nullable package var source: String?
        /// What can be done, as in `rigready.report/1`.
        package var remedies: [RemedyLine]

        init(_ finding: MeasurementFinding) {
            id = finding.id
            severity = finding.severity.rawValue
            detail = finding.detail
            source = finding.source
            remedies = finding.remedies.map(RemedyLine.init)
        }
    }

    /// Allan deviations over averaging times, in SI units; empty for an axis that the chip lacks.
    package struct Allan: Codable, Sendable {
        /// The averaging times in seconds.
        package var taus: [Double]
        /// The deviations of the x axis.
        package var x: [Double]
        /// The deviations of the y axis.
        package var y: [Double]
        /// The deviations of the z axis.
        package var z: [Double]
        /// The uncertainties of the deviations of the x axis.
        @Nullable package var xUncertainty: [Double]?
        /// Those of the y axis.
        @Nullable package var yUncertainty: [Double]?
        /// Those of the z axis.
        @Nullable package var zUncertainty: [Double]?

        init(_ allan: AllanDeviation) {
            taus = allan.taus
            x = allan.x.map(\.value)
            y = allan.y.map(\.value)
            z = allan.z.map(\.value)
            xUncertainty = allan.x.map(\.uncertainty)
            yUncertainty = allan.y.map(\.uncertainty)
            zUncertainty = allan.z.map(\.uncertainty)
        }
    }

    /// What only a motion sensor has.
    package struct MotionKeys: Codable, Sendable {
        /// The means, their uncertainties, and so on.
        package var mean, meanUncertainty, standardDeviation, standardDeviationUncertainty, noiseDensity,
            noiseDensityUncertainty: Axes
        /// The bias instability; null for an axis for which the measurement is too short.
        @Nullable package var biasInstability: Axes?
        /// Its uncertainties.
        @Nullable package var biasInstabilityUncertainty: Axes?
        /// The length of the mean vector.
        @Nullable package var magnitude: Double?
        /// Its uncertainty.
        @Nullable package var magnitudeUncertainty: Double?
        /// The quantization step.
        @Nullable package var step: Double?
        /// The greatest value in both directions.
        @Nullable package var range: Double?
        /// The greatest range that the chip can be set to; null if its driver lists none.
        @Nullable package var greatestRange: Double?
        /// The greatest sampling frequency, in Hz, that it can be set to; null if its driver lists none.
        @Nullable package var greatestRate: Double?
        /// Whose `range` that is: `chip`, or `format` for that in which its values are passed on.
        @Nullable package var rangeSource: String?
        /// The chip's axes that deliver one count again and again, or the extreme of their range.
        package var stuckAxes, clippedAxes: [String]
        /// Where they do, the first hundred runs.
        @Nullable package var stuckRuns: [FaultyRun]?
        /// Where they do.
        @Nullable package var clippedRuns: [FaultyRun]?
        /// The axis of the rig that points up.
        @Nullable package var up: String?
        /// How the chip is mounted; null if nothing says so.
        @Nullable package var mountMatrix: MountingLine?
        /// How far its mean is from that of another sensor of the kind; null if there is none at rest.
        @Nullable package var agreement: Agreement?
        /// The Allan deviation; null below 60 s of rest.
        @Nullable package var allanDeviation: Allan?

        init(_ figures: MotionFigures) {
            (mean, meanUncertainty) = figures.mean.keys
            (standardDeviation, standardDeviationUncertainty) = figures.standardDeviation.keys
            (noiseDensity, noiseDensityUncertainty) = figures.noiseDensity.keys
            (biasInstability, biasInstabilityUncertainty) = figures.biasInstability.keys
            (magnitude, magnitudeUncertainty) = figures.magnitude.keys
            step = figures.step
            range = figures.range
            greatestRange = figures.greatestRange
            greatestRate = figures.greatestRate
            rangeSource = figures.range.map { _ in figures.isRangeOfChip ? "chip" : "format" }
            stuckAxes = figures.stuckAxes.map(\.axis)
            clippedAxes = figures.clippedAxes.map(\.axis)
            stuckRuns = Array(figures.stuckAxes.prefix(SampleGap.listLimit))
            clippedRuns = figures.clippedAxes
            up = figures.up
            mountMatrix = figures.mounting.map(MountingLine.init)
            agreement = figures.agreement.map(Agreement.init)
            allanDeviation = figures.allan.map(Allan.init)
        }
    }

    /// What every sensor has.
    package struct CommonKeys: Codable, Sendable {
        /// The sensor's identity.
        package var key, kind, name: String
        /// `buffer`, `attributes`, `unmeasured` or `omitted`.
        package var way: String
        /// Why it is not `buffer`.
        @Nullable package var wayDetail: String?
        /// The kernel's name of the clock of a motion sensor's samples; null where only reads have a time.
        @Nullable package var clock: String?
        /// The number of samples, and the time that they took.
        package var samples: Int
        /// The time from the first sample to the last, in seconds.
        package var seconds: Double
        /// Samples per second; null where the timestamps are unusable.
        @Nullable package var rate: Figure?
        /// Missing samples, the first hundred gaps; null where the timestamps are unusable.
        @Nullable package var gaps: [Gap]?
        /// The indices of the first hundred samples that are not later than the one before.
        @Nullable package var outOfOrder: [Int]?
        /// How far the intervals differ.
        @Nullable package var jitter: Jitter?
        /// `good`, `warning`, `undetermined` or `bad`.
        package var verdict: String
        /// What was found, worst first.
        package var findings: [FindingLine]

        init(_ sensor: SensorMeasurement) {
            key = sensor.key
            kind = sensor.kind.id
            name = sensor.name
            way = sensor.method.id
            wayDetail = sensor.method.reason
            clock = sensor.clock
            samples = sensor.samples
            seconds = sensor.seconds
            rate = Figure(sensor.rate)
            gaps = sensor.gaps?.prefix(SampleGap.listLimit).map(Gap.init)
            outOfOrder = sensor.outOfOrder.map { Array($0.prefix(SampleGap.listLimit)) }
            jitter = sensor.jitter.map(Jitter.init)
            verdict = sensor.verdict.rawValue
            findings = sensor.findings.map(FindingLine.init)
        }
    }

    /// One sensor; the keys of its kind stand beside the common ones.
    @dynamicMemberLookup
    package struct SensorLine: Codable, Sendable {
        /// What every sensor has, which are members of the line too.
        package var common: CommonKeys
        /// What only a motion sensor has.
        package var motion: MotionKeys?
        /// What only a receiver has.
        package var receiver: ReceiverKeys?
        /// What only a controller has.
        package var controller: ControllerKeys?
        /// What only a step counter has.
        package var stepCounter: StepKeys?

        init(_ sensor: SensorMeasurement) {
            common = CommonKeys(sensor)
            motion = sensor.motion.map(MotionKeys.init)
            receiver = sensor.receiver.map(ReceiverKeys.init)
            controller = sensor.controller.map(ControllerKeys.init)
            if case .steps(let steps) = sensor.figures { stepCounter = StepKeys(steps) }
        }

        /// One of the common keys.
        package subscript<Value>(dynamicMember key: WritableKeyPath<CommonKeys, Value>) -> Value {
            get { common[keyPath: key] }
            set { common[keyPath: key] = newValue }
        }

        /// Decodes the keys of the kind too.
        package init(from decoder: any Decoder) throws {
            common = try CommonKeys(from: decoder)
            switch SensorKind(id: common.kind) {
            case .accelerometer, .gyroscope: motion = try MotionKeys(from: decoder)
            case .locationReceiver: receiver = try ReceiverKeys(from: decoder)
            case .bluetoothAdapter: controller = try ControllerKeys(from: decoder)
            case .stepCounter: stepCounter = try StepKeys(from: decoder)
            case nil: break
            }
        }

        /// Encodes the keys of the kind too.
        package func encode(to encoder: any Encoder) throws {
            try common.encode(to: encoder)
            try motion?.encode(to: encoder)
            try receiver?.encode(to: encoder)
            try controller?.encode(to: encoder)
            try stepCounter?.encode(to: encoder)
        }
    }

    /// Always `rigready.measurement/1`.
    package var schema = Self.schema
    /// When it was taken, in UTC.
    package var takenAt: String
    /// The machine and the user.
    package var rig: Report.Rig
    /// The seconds that were captured: those asked for, or fewer where a signal ended it.
    package var seconds: Double
    /// The sensors, in the order of the report.
    package var sensors: [SensorLine]
    /// 0 nothing bad or undetermined, 1 something bad, 2 nothing bad, but something undetermined.
    package var exitStatus: Int32

    /// Makes the document of a measurement of an assessed rig.
    package init(_ measurement: RigMeasurement, of assessment: Assessment, seconds: Double) {
        takenAt = assessment.rig.takenAt
        rig = Report.Rig(assessment.rig)
        self.seconds = seconds
        sensors = measurement.sensors.map(SensorLine.init)
        exitStatus = measurement.exitStatus
    }
}

extension Estimate {
    /// The uncertainty as documents have it: nil if it is unknown.
    var knownUncertainty: Double? { uncertainty.isFinite ? uncertainty : nil }
}

extension Estimate? {
    /// The value and its uncertainty, as documents have them.
    var keys: (value: Double?, uncertainty: Double?) { (self?.value, self?.knownUncertainty) }
}

extension AxisEstimates {
    /// The values and their uncertainties, as documents have them.
    fileprivate var keys: (values: MeasurementReport.Axes, uncertainties: MeasurementReport.Axes) {
        (MeasurementReport.Axes(self, \.value), MeasurementReport.Axes(self, \.uncertainty))
    }
}
