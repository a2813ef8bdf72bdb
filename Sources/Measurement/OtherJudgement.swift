internal import Readiness

extension SensorMeasurement {
    /// Measures a controller, and judges it.
    mutating func measure(_ series: ControllerSeries) {
        var figures = ControllerFigures()
        figures.powerChanges = series.powerChanges
        let sorted = series.answers.sorted()
        figures.answer50 = percentileEstimate(0.5, of: sorted)
        figures.answer99 = percentileEstimate(0.99, of: sorted)
        self.figures = .controller(figures)
        samples = series.answers.count
        seconds = series.seconds
        if let first = series.powerChanges.first {
            findings.append(
                .power, .bad,
                "its power changed \(counted(series.powerChanges.count, "time", "times")), first "
                    + "\(first.isPowered ? "on" : "off") after \(first.seconds.stated("s"))")
        }
        if series.answers.isEmpty {
            findings.append(
                .answer, series.unanswered > 0 ? .bad : .undetermined,
                series.unanswered > 0
                    ? "the management socket answered none of \(counted(series.unanswered, "request", "requests"))"
                    : "no request was sent to the management socket")
        } else if series.unanswered > 0 {
            findings.append(
                .answer, .warning,
                "the management socket did not answer \(series.unanswered) of "
                    + counted(series.unanswered + series.answers.count + series.dropped, "request", "requests"))
        }
        reportTruncation(kept: "\(samples) answers", dropped: series.dropped)
    }

    /// Measures a step counter on a walk, and judges it.
    mutating func measure(_ series: StepSeries) {
        let (first, last) = (series.readings.first, series.readings.last)
        let pairs = zip(series.readings, series.readings.dropFirst())
        let fall = pairs.first { $0.count > $1.count }
        var steps: UInt64?
        if let first, let last, series.readings.count > 1, fall == nil { steps = last.count - first.count }
        figures = .steps(steps)
        samples = series.readings.count
        seconds = (last?.seconds ?? 0) - (first?.seconds ?? 0)
        if let (before, after) = fall {
            findings.append(
                .steps, .bad, "its count fell from \(before.count) to \(after.count)",
                source: "Linux, Documentation/ABI/testing/sysfs-bus-iio, in_steps_input")
        } else if let finding = Self.finding(steps: steps, seconds: seconds) {
            findings = [finding]
        }
    }

    /// What the steps counted in some seconds of the walk say.
    private static func finding(steps: UInt64?, seconds: Double) -> MeasurementFinding? {
        let again = [Remedy.advice("measure with --move again, and walk \(GuidedMotion.stepsOfWalk) steps when asked")]
        // The readings are a second apart, and the first may be as late.
        guard let steps, seconds > GuidedMotion.secondsOfWalk - 2 else {
            return MeasurementFinding(
                .steps, .undetermined, "its count could not be read for the whole walk", remedies: again)
        }
        let source = "Android CTS Verifier, StepCounterTestActivity"
        if steps == 0 {
            return MeasurementFinding(.steps, .bad, "it counted no step of the walk", source: source, remedies: again)
        }
        let difference = Double(steps) - Double(GuidedMotion.stepsOfWalk)
        guard abs(difference) > 5 else { return nil }
        return MeasurementFinding(
            .steps, .warning,
            "it counted \(steps) of \(GuidedMotion.stepsOfWalk) steps; a difference of 5 is allowed", source: source,
            remedies: again)
    }
}
