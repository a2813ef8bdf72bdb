import DriverKit
import LocalRig
import Measurement
import Rendering

/// A measurement that can be compared.
struct MeasuredRig {
    let report: MeasurementReport
    let measurement: RigMeasurement

    /// Reads a document `rigready.measurement/1`; throws the file, the place and what was expected.
    init(_ document: EarlierDocument) throws(CommandFailure) {
        (report, measurement) = try document.read(as: "a measurement") { (report: MeasurementReport) in
            let sensors = try report.sensors.enumerated().map { index, line in
                try SensorMeasurement(line, at: "sensors[\(index)]")
            }
            let ofMotion: Set<MeasurementFinding.Check> = [.axes, .sign, .scale, .still]
            let isMoved = sensors.contains { $0.findings.contains { ofMotion.contains($0.check) } }
            return (report, RigMeasurement(sensors: sensors, isMoved: isMoved))
        }
    }

    /// Measures a recording that holds a capture, by the limits of a rig.
    init(_ rig: LocalRig, seconds: Double) throws {
        let captured = try rig.series(MeasurementRequest(seconds: seconds), halt: Waker())
        measurement = RigMeasurement(
            captured.series, limits: rig.qualityLimits(),
            isMoved: rig.recording?.header.measuredMotion == true)
        report = MeasurementReport(measurement, of: captured.assessment, seconds: seconds)
    }

    /// The cases of a comparison with an earlier measurement: one for each sensor of either.
    func caseList(since before: MeasuredRig, _ differences: [Difference]) -> CaseList {
        let names = (before.measurement.sensors + measurement.sensors).map { "\($0.kind.id) \($0.key)" }.unique
        let byName = Dictionary(grouping: differences) { $0.name }
        return CaseList(
            host: report.rig.host, takenAt: report.takenAt,
            properties: [
                ("version", Release.version), ("kernel", report.rig.kernel), ("source", report.rig.source),
            ],
            seconds: report.seconds,
            cases: names.map { Case($0, comparing: byName[$0] ?? [], seconds: nil) })
    }
}

extension SensorMeasurement {
    /// What a document says of a sensor, as far as it can be compared.
    fileprivate init(_ line: MeasurementReport.SensorLine, at place: String) throws {
        let kind = try EarlierDocument.one(
            of: SensorKind.allCases, \.id, named: line.kind, "\(place).kind: expected a kind of sensor")
        let method = try EarlierDocument.one(
            of: [
                MeasurementMethod.buffer, .attributes(reason: line.wayDetail ?? "", remedies: []),
                .unmeasured(reason: line.wayDetail ?? "", remedies: []),
                .omitted(reason: line.wayDetail ?? "", remedies: []),
            ], \.id, named: line.way, "\(place).way: expected a way of measuring")
        self.init(key: line.key, kind: kind, name: line.name, method: method, figures: .steps(nil))
        samples = line.samples
        seconds = line.seconds
        rate = line.rate.map(Estimate.init)
        gaps = line.gaps?.map { SampleGap(index: $0.index, seconds: $0.seconds, missing: $0.missing) }
        outOfOrder = line.outOfOrder
        jitter = line.jitter.map(IntervalJitter.init)
        findings = try line.findings.enumerated().map { index, finding in
            let place = "\(place).findings[\(index)]"
            let check = try EarlierDocument.one(
                of: MeasurementFinding.Check.allCases, \.rawValue, named: finding.id, "\(place).id: expected a finding")
            let severity = try EarlierDocument.one(
                of: FindingSeverity.allCases, \.rawValue, named: finding.severity,
                "\(place).severity: expected a severity")
            return MeasurementFinding(check, severity, finding.detail, source: finding.source)
        }
        guard line.verdict == verdict.rawValue else {
            throw EarlierDocument.DocumentFault(
                "\(place).verdict: expected \(verdict.rawValue), as its findings say, found \"\(line.verdict.brief)\"")
        }
        if let keys = line.motion {
            figures = .motion(MotionFigures(keys, isMoving: findings.contains { $0.check == .moving }))
        } else if let keys = line.receiver {
            figures = .receiver(ReceiverFigures(keys))
        } else if let keys = line.controller {
            figures = .controller(ControllerFigures(keys))
        }
    }
}

extension MotionFigures {
    fileprivate init(_ keys: MeasurementReport.MotionKeys, isMoving: Bool) {
        self.init()
        noiseDensity = AxisEstimates(keys.noiseDensity, keys.noiseDensityUncertainty)
        standardDeviation = AxisEstimates(keys.standardDeviation, keys.standardDeviationUncertainty)
        magnitude = Estimate(keys.magnitude, keys.magnitudeUncertainty)
        up = keys.up
        self.isMoving = isMoving
    }
}

extension ReceiverFigures {
    fileprivate init(_ keys: MeasurementReport.ReceiverKeys) {
        self.init()
        radius95 = Estimate(keys.radius95, keys.radius95Uncertainty)
        signal = Estimate(keys.carrierToNoise, keys.carrierToNoiseUncertainty)
        jumps = (keys.jumps ?? []).map { PositionJump(index: $0.index, distance: $0.distance) }
    }
}

extension ControllerFigures {
    fileprivate init(_ keys: MeasurementReport.ControllerKeys) {
        self.init()
        answer99 = Estimate(keys.answer99, keys.answer99Uncertainty)
        // Only their number is told.
        let changes = min(max(keys.powerChanges, 0), SampleGap.listLimit)
        powerChanges = Array(repeating: PowerChange(seconds: 0, isPowered: false), count: changes)
    }
}

extension IntervalJitter {
    fileprivate init(_ jitter: MeasurementReport.Jitter) {
        self.init(
            spread: Estimate(jitter.spread, uncertainty: jitter.spreadUncertainty ?? .infinity),
            relative: Estimate(jitter.relative, uncertainty: jitter.relativeUncertainty ?? .infinity))
    }
}

extension Estimate {
    /// A figure whose uncertainty is unknown may have any value.
    fileprivate init(_ figure: MeasurementReport.Figure) {
        self.init(figure.value, uncertainty: figure.uncertainty ?? .infinity)
    }

    fileprivate init?(_ value: Double?, _ uncertainty: Double?) {
        guard let value else { return nil }
        self.init(value, uncertainty: uncertainty ?? .infinity)
    }
}

extension AxisEstimates {
    fileprivate init(_ values: MeasurementReport.Axes, _ uncertainties: MeasurementReport.Axes) {
        self.init(
            x: Estimate(values.x, uncertainties.x), y: Estimate(values.y, uncertainties.y),
            z: Estimate(values.z, uncertainties.z))
    }
}
