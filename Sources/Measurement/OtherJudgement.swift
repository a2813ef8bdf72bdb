internal import Readiness

extension SensorMeasurement {
    /// Measures a controller, and judges it.
    init(_ series: ControllerSeries) {
        var figures = ControllerFigures()
        figures.powerChanges = series.powerChanges
        let sorted = series.answers.sorted()
        figures.answer50 = percentile(0.5, of: sorted)
        figures.answer99 = percentile(0.99, of: sorted)
        self.init(
            key: series.key, kind: .bluetoothAdapter, name: series.name, way: series.way, figures: .controller(figures))
        samples = series.answers.count
        seconds = series.seconds
        if case .unmeasured(let reason, let remedies) = series.way {
            findings = [MeasurementFinding(.unmeasured, .undetermined, reason, remedies: remedies)]
            return
        }
        if let first = series.powerChanges.first {
            findings.append(
                MeasurementFinding(
                    .power, .bad,
                    "its power changed \(counted(series.powerChanges.count, "time", "times")), first "
                        + "\(first.isPowered ? "on" : "off") after \(text(first.seconds)) s"))
        }
        if series.answers.isEmpty {
            findings.append(
                MeasurementFinding(
                    .answer, series.unanswered > 0 ? .bad : .undetermined,
                    series.unanswered > 0
                        ? "the management socket answered none of \(counted(series.unanswered, "question", "questions"))"
                        : "the management socket was not asked"))
        } else if series.unanswered > 0 {
            findings.append(
                MeasurementFinding(
                    .answer, .warning,
                    "the management socket left \(counted(series.unanswered, "question", "questions")) of "
                        + "\(series.unanswered + series.answers.count + series.dropped) without an answer"))
        }
        if series.dropped > 0 {
            findings.append(
                MeasurementFinding(
                    .truncated, .information,
                    "only the first \(samples) answers were kept, \(series.dropped) more came"))
        }
        findings = findings.worstFirst
    }

    /// Measures a step counter, which can be judged only while somebody walks with it.
    init(_ series: StepSeries, isMoved: Bool) {
        var counted: UInt64?
        if let begin = series.begin, let end = series.end, end >= begin { counted = end - begin }
        self.init(key: series.key, kind: .stepCounter, name: series.name, way: series.way, figures: .steps(counted))
        samples = [series.begin, series.end].compactMap { $0 }.count
        seconds = series.seconds
        let source = "Linux, Documentation/ABI/testing/sysfs-bus-iio, in_steps_input"
        if case .unmeasured(let reason, let remedies) = series.way {
            findings = [MeasurementFinding(.unmeasured, .undetermined, reason, remedies: remedies)]
            return
        }
        guard let begin = series.begin, let end = series.end else {
            findings = [MeasurementFinding(.steps, .undetermined, "its count could not be read twice", source: source)]
            return
        }
        if end < begin {
            findings = [MeasurementFinding(.steps, .bad, "its count fell from \(begin) to \(end)", source: source)]
        } else if !isMoved {
            findings = [
                MeasurementFinding(
                    .steps, .undetermined, "nobody was asked to walk, so its count cannot be judged", source: source,
                    remedies: [.advice("measure with --move and walk ten steps")])
            ]
        } else if end == begin {
            findings = [MeasurementFinding(.steps, .bad, "it counted no step while the rig was moved", source: source)]
        }
    }
}
