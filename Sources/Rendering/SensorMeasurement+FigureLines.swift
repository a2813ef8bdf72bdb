package import Measurement
internal import Readiness

extension SensorMeasurement {
    /// The figures, each with its name.
    package var figureLines: [(name: String, value: String)] {
        var lines: [(name: String, value: String)] = []
        func add(_ name: String, _ value: String?) { if let value { lines.append((name: name, value: value)) } }
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
        return lines.filter { !$0.value.isEmpty }
    }
}

extension SensorMeasurement {
    /// The findings, each sentence once, worst first.
    package var distinctFindings: [MeasurementFinding] {
        var told: Set<String> = []
        return findings.filter { told.insert($0.detail).inserted }
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

extension MeasurementVerdict {
    /// A character that stands for it.
    package var sign: String {
        switch self {
        case .good: "✓"
        case .warning: "!"
        case .undetermined: "?"
        case .bad: "✗"
        }
    }
}
