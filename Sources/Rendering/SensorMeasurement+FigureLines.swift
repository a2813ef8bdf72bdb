package import Measurement
internal import Readiness

extension SensorMeasurement {
    /// The figures, each with its name.
    package var figureLines: [(name: String, value: String)] {
        var lines: [(name: String, value: String)] = []
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { lines.append((name, value)) }
        }
        let times = [
            rate.map { $0.words("Hz") },
            samples.counted("sample"),
            gaps.map { $0.isEmpty ? "no gaps" : $0.count.counted("gap") },
            jitter.map { "jitter \($0.spread.words("s"))" },
            clock.map { "clock \($0)" },
        ]
        add("rate", times.compactMap(\.self).joined(separator: ", "))
        switch figures {
        case .motion(let motion):
            let unit = kind.unit
            add(kind == .accelerometer ? "mean" : "bias", motion.mean.words(unit))
            add("magnitude", motion.magnitude.map { $0.words(unit) })
            let mounting = motion.mounting.map { "mount matrix: \($0.words)" } ?? "no mount matrix"
            add("axes", samples > 0 ? motion.up.map { "\($0.axisWords) is up (\(mounting))" } ?? mounting : nil)
            add("noise", motion.standardDeviation.words(unit, below: motion.step.map { $0 / 2 }))
            add("density", motion.noiseDensity.words("\(unit)/√Hz"))
            add("instability", motion.biasInstability.words(unit))
            add("agreement", motion.agreement.map { "\($0.difference.words(unit)) from \($0.key)" })
            add("step", motion.step.map { $0.words(unit) })
            // That of the samples' format may be thousands of times that of the chip.
            if motion.isRangeOfChip {
                let greatest = motion.greatestRange.map { ", up to ±\($0.words(unit))" } ?? ""
                add("range", motion.range.map { "±\($0.words(unit))\(greatest)" })
            }
        case .receiver(let receiver):
            let radii = [("CEP", receiver.cep50), ("95th percentile", receiver.radius95), ("2DRMS", receiver.twoDRMS)]
            add("scatter", Self.words(radii, "m"))
            add("speed", receiver.isMoving == true ? receiver.speed.map { $0.words("m/s") } : nil)
            add("jumps", receiver.jumps.isEmpty ? nil : "\(receiver.jumps.count)")
            let satellites = [
                receiver.satellitesUsed.map { "\($0.value.fixed(Self.decimals(of: $0.value))) used" },
                receiver.satellitesSeen.map { "\($0.value.fixed(Self.decimals(of: $0.value))) seen" },
                receiver.signal.map { $0.value.words("dB-Hz") },
                receiver.horizontalDilution.map { "HDOP \($0.value.significant(2))" },
            ]
            add("satellites", satellites.compactMap(\.self).joined(separator: ", "))
            let report = receiver.hadFix ? "in the first report, " : ""
            add("first fix", receiver.timeToFirstFix.map { "\(report)after \($0.words("s", digits: 2))" })
            add("clock", receiver.clockDifference?.clockWords)
        case .controller(let controller):
            add("power", controller.powerChanges.count.counted("change"))
            let answers = [("median", controller.answer50), ("99th percentile", controller.answer99)]
            add("answers", Self.words(answers, "s"))
        case .steps(let steps): add("steps", steps.map { "\($0)" })
        }
        return lines
    }

    /// Figures that are compared by eye, each with its name, and all with one unit.
    private static func words(_ figures: [(String, Estimate?)], _ unit: String) -> String {
        let unit = PrefixedUnit(unit, for: figures.compactMap { $0.1?.value })
        return figures.compactMap { name, value in value.map { "\(name) \(unit.number($0)) \(unit.name)" } }
            .joined(separator: ", ")
    }

    /// One decimal for a median between two numbers of satellites.
    private static func decimals(of median: Double) -> Int { median == median.rounded() ? 0 : 1 }

    /// The findings, each sentence once, worst first.
    package var distinctFindings: [MeasurementFinding] {
        var seen: Set<String> = []
        return findings.filter { seen.insert($0.detail).inserted }
    }

    /// The verdict in one word, or that it was omitted.
    package var outcome: String { isOmitted ? method.id : verdict.rawValue }
}

extension Mounting {
    /// The matrix as udev and the device tree write it, with its origin.
    fileprivate var words: String {
        let rows = stride(from: 0, to: 9, by: 3).map { row in
            matrix[row..<row + 3].map { $0 == $0.rounded() ? $0.fixed(0) : $0.significant(3) }.joined(separator: ", ")
        }
        return "\(origin), \(rows.joined(separator: "; "))"
    }
}

extension MeasurementVerdict {
    /// The sign before it.
    package var mark: Mark {
        switch self {
        case .good: Mark(.good)
        case .warning: Mark("!", .doubtful)
        case .undetermined: Mark(.doubtful)
        case .bad: Mark(.bad)
        }
    }
}

extension FindingSeverity {
    /// That of the verdict that it makes; nil for what does not count.
    package var mark: Mark? { MeasurementVerdict(rawValue: rawValue)?.mark }
}
