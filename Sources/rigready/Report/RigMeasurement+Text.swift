import Measurement
import Readiness
import Rendering

extension RigMeasurement {
    /// What it says for a person: a heading a sensor, below it its figures and what was found, worst first.
    ///
    /// `report` is its document.
    func text(_ report: MeasurementReport, on terminal: Terminal) -> String {
        var page = Page(terminal)
        let (tally, style) = tally
        let period = "measured \(report.takenAt.timeWords()), \(report.seconds.stated("s"))"
        page.ends("\(report.rig.host) · \(period)", tally, style)
        if sensors.isEmpty {
            page.blank()
            page.row(rest: "No sensor, controller or receiver was found that can be measured.", style: .faint)
        }
        for sensor in sensors {
            page.blank()
            let mark = sensor.isOmitted ? nil : sensor.verdict.mark
            page.row(
                mark.column(or: "·"), (sensor.kind.title.column(0), .faint), (sensor.name.column(0), .strong),
                (sensor.key.column(0), nil), rest: sensor.outcome, style: mark.style)
            for (name, value) in sensor.figureLines {
                page.row(("  ", nil), (name.padded(to: 12), .faint), rest: value)
            }
            for finding in sensor.distinctFindings {
                let mark = finding.severity.mark
                let source = finding.source.map { " (\($0))" } ?? ""
                page.row(("  ", nil), mark.column(or: "·"), rest: finding.detail + source, style: mark.style)
                if let remedy = finding.remedies.commandLine { page.remedy(6, remedy) }
            }
        }
        return page.text
    }

    private var tally: (String, Terminal.Style) {
        let outcomes = sensors.map(\.outcome)
        let words = ["bad", "undetermined", "warning", "good", "omitted"].compactMap { outcome -> String? in
            let count = outcomes.count { $0 == outcome }
            if count == 0 { return nil }
            return outcome == "warning" ? count.counted(outcome) : "\(count) \(outcome)"
        }
        let style: Terminal.Style = exitStatus == 0 ? .good : exitStatus == 1 ? .bad : .doubtful
        return (words.isEmpty ? "nothing to measure" : words.joined(separator: ", "), style)
    }
}

extension Assessment {
    /// A case for each measured sensor.
    func caseList(of measurement: RigMeasurement) -> CaseList {
        list(
            of: measurement.sensors.map { sensor in
                let worst = sensor.findings.first?.detail ?? "every limit is kept"
                let lines = sensor.findings.map { finding in
                    "\(finding.severity.rawValue): \(finding.id): \(finding.detail)"
                        + (finding.source.map { " (\($0))" } ?? "")
                        + (finding.remedies.commandLine.map { "; remedy: \($0)" } ?? "")
                }
                let account = CaseDescription(
                    word: sensor.verdict.rawValue, message: "\(sensor.verdict.rawValue): \(worst)", lines: lines)
                let outcome: CaseOutcome =
                    switch sensor.verdict {
                    case .good, .warning: .passed(account)
                    case .undetermined where sensor.isOmitted: .skipped(worst)
                    case .undetermined: .errored(account)
                    case .bad: .failed(account)
                    }
                return Case(
                    name: "\(sensor.kind.id) \(sensor.key)", className: "rigready.measurement", outcome: outcome,
                    seconds: sensor.seconds)
            })
    }
}
