import Measurement
import Readiness
import Rendering

/// What a measurement says, for a person.
struct MeasurementText {
    private let measurement: RigMeasurement

    init(_ measurement: RigMeasurement) { self.measurement = measurement }

    /// A heading a sensor, below it its figures and what was found, worst first.
    func text(on terminal: Terminal) -> String {
        var page = Page(terminal)
        let (tally, style) = tally
        page.ends("rigready measure", tally, style)
        if measurement.sensors.isEmpty {
            page.blank()
            page.row(rest: "No sensor, controller or receiver was found that can be measured.", style: .faint)
        }
        for sensor in measurement.sensors {
            page.blank()
            let mark = sensor.verdict.mark
            page.row(
                (mark.sign + " ", mark.style), (sensor.kind.title.column(0), .faint), (sensor.name.column(0), .strong),
                (sensor.key.column(0), nil), rest: sensor.verdict.rawValue, style: mark.style)
            for (name, value) in sensor.figureLines {
                page.row(("  ", nil), (name.padded(to: 12), .faint), rest: value)
            }
            var told: Set<String> = []
            for finding in sensor.findings where told.insert(finding.detail).inserted {
                let mark = finding.severity.mark
                let source = finding.source.map { " (\($0))" } ?? ""
                page.row(("  ", nil), (mark.sign + " ", mark.style), rest: finding.detail + source, style: mark.style)
                if let remedy = finding.remedies.commandLine { page.remedy(6, remedy) }
            }
        }
        return page.text
    }

    private var tally: (String, Terminal.Style) {
        let verdicts = measurement.sensors.map(\.verdict)
        let words = [MeasurementVerdict.bad, .undetermined, .warning, .good].compactMap { verdict -> String? in
            let count = verdicts.count { $0 == verdict }
            return count == 0 ? nil : "\(count) \(verdict.rawValue)"
        }
        let style: Terminal.Style = measurement.exitStatus == 0 ? .good : measurement.exitStatus == 1 ? .bad : .doubtful
        return (words.isEmpty ? "nothing to measure" : words.joined(separator: ", "), style)
    }
}

extension MeasurementVerdict {
    var mark: (sign: String, style: Terminal.Style) {
        switch self {
        case .good: ("✓", .good)
        case .warning: ("!", .doubtful)
        case .undetermined: ("?", .doubtful)
        case .bad: ("✗", .bad)
        }
    }
}

extension FindingSeverity {
    fileprivate var mark: (sign: String, style: Terminal.Style) {
        switch self {
        case .information: ("·", .faint)
        case .warning: ("!", .doubtful)
        case .undetermined: ("?", .doubtful)
        case .bad: ("✗", .bad)
        }
    }
}

extension SensorMeasurement {
    /// The figures, each with its name.
    fileprivate var figureLines: [(String, String)] {
        var lines: [(String, String)] = []
        func add(_ name: String, _ value: String?) { if let value { lines.append((name, value)) } }
        let times = [
            rate.map { "\($0.value.significant(5)) Hz ± \($0.uncertainty.significant(2))" },
            samples.counted("sample"),
            gaps.map { $0.isEmpty ? "no gaps" : $0.count.counted("gap") },
            jitter.map { "jitter \(($0.spread * 1000).significant(2)) ms" },
        ]
        add("rate", times.compactMap(\.self).joined(separator: ", "))
        switch figures {
        case .motion(let motion):
            let unit = kind == .accelerometer ? "m/s²" : "rad/s"
            add(kind == .accelerometer ? "mean" : "bias", motion.mean.words(unit))
            let magnitude = motion.magnitude.map { "\($0.value.significant(4)) \(unit)" }
            add("magnitude", [magnitude, motion.up.map { "\($0) is up" }].compactMap(\.self).joined(separator: ", "))
            add("noise", motion.standardDeviation.words(unit))
            add("density", motion.noiseDensity.words("\(unit)/√Hz"))
            add("step", motion.step.map { "\($0.significant(3)) \(unit)" })
            add("range", motion.range.map { "± \($0.significant(3)) \(unit)" })
        case .receiver(let receiver):
            let radii = [("CEP", receiver.cep50), ("95 %", receiver.radius95), ("2DRMS", receiver.twoDRMS)]
            let scatter = radii.compactMap { name, value in value.map { "\(name) \($0.significant(3)) m" } }
            add("scatter", scatter.isEmpty ? nil : scatter.joined(separator: ", "))
            let satellites = [
                receiver.satellitesUsed.map { "\($0.significant(3)) used" },
                receiver.satellitesSeen.map { "\($0.significant(3)) seen" },
                receiver.signal.map { "\($0.significant(3)) dB-Hz" },
                receiver.horizontalDilution.map { "HDOP \($0.significant(2))" },
            ].compactMap(\.self)
            add("satellites", satellites.isEmpty ? nil : satellites.joined(separator: ", "))
            add("first fix", receiver.timeToFirstFix.map { "after \($0.significant(2)) s" })
            add("clock", receiver.clockDifference.map { "\($0.significant(3)) s ahead of the receiver" })
        case .controller(let controller):
            add("power", controller.powerChanges.count.counted("change"))
            let answers = [("half within", controller.answer50), ("99 in 100 within", controller.answer99)]
                .compactMap { name, value in value.map { "\(name) \(($0 * 1000).significant(2)) ms" } }
            add("answers", answers.isEmpty ? nil : answers.joined(separator: ", "))
        case .steps(let steps): add("steps", steps.map { "\($0)" })
        }
        return lines.filter { !$0.1.isEmpty }
    }
}

extension AxisEstimates {
    /// The values of the axes in order with their unit; nil without any.
    fileprivate func words(_ unit: String) -> String? {
        let values = zip(["x", "y", "z"], all).compactMap { axis, estimate in
            estimate.map { "\(axis) \($0.value.significant(3)) ± \($0.uncertainty.significant(2))" }
        }
        return values.isEmpty ? nil : values.joined(separator: "  ") + " \(unit)"
    }
}

extension Double {
    /// The number with this many significant digits, without an exponent where it is short.
    func significant(_ digits: Int) -> String {
        guard isFinite, self != 0 else { return self == 0 ? "0" : "\(self)" }
        var size = 0
        var rest = abs(self)
        while rest >= 10, size < 300 { (rest, size) = (rest / 10, size + 1) }
        while rest < 1, size > -300 { (rest, size) = (rest * 10, size - 1) }
        if size < -5 || size > 9 {
            let mantissa = self < 0 ? -rest : rest
            return "\(mantissa.fixed(digits - 1))e\(size)"
        }
        return fixed(max(0, digits - 1 - size))
    }
}

extension Assessment {
    /// A case for each measured sensor.
    func caseList(of measurement: RigMeasurement) -> CaseList {
        list(
            of: measurement.sensors.map { sensor in
                let worst = sensor.findings.first?.detail ?? "nothing was found"
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
                    case .undetermined: .errored(account)
                    case .bad: .failed(account)
                    }
                return Case(
                    name: "\(sensor.kind.id) \(sensor.key)", className: "rigready.measurement", outcome: outcome,
                    seconds: sensor.seconds)
            })
    }
}
