import Measurement
import Readiness
import Testing

@Suite("Verdicts and comparisons of measurements") struct MeasurementVerdictTests {
    private func sensor(_ key: String, _ severities: FindingSeverity...) -> SensorMeasurement {
        var sensor = SensorMeasurement(
            key: key, kind: .accelerometer, name: "n", way: .buffer, figures: .motion(MotionFigures()))
        sensor.findings = severities.map { MeasurementFinding(.gaps, $0, "d") }
        return sensor
    }

    @Test func `the worst finding is the verdict`() {
        #expect(sensor("a").verdict == .good)
        #expect(sensor("a", .information).verdict == .good)
        #expect(sensor("a", .information, .warning).verdict == .warning)
        #expect(sensor("a", .undetermined, .warning).verdict == .undetermined)
        #expect(sensor("a", .undetermined, .bad, .warning).verdict == .bad)
    }

    @Test func `the status is the worst verdict's`() {
        func status(_ sensors: SensorMeasurement...) -> Int32 {
            RigMeasurement(sensors: sensors, isMoved: false).exitStatus
        }
        #expect(status() == 2)
        #expect(status(sensor("a"), sensor("b", .warning)) == 0)
        #expect(status(sensor("a", .undetermined), sensor("b", .warning)) == 2)
        #expect(status(sensor("a", .undetermined), sensor("b", .bad)) == 1)
    }

    private func measure(_ chips: [Chip], change: (inout Chip.Signal) -> Void = { _ in }) -> RigMeasurement {
        RigMeasurement(
            chips.enumerated().map { index, chip in
                var signal = chip.atRest
                change(&signal)
                return .motion(
                    chip.series(signal, rate: 100, seconds: 10, seed: UInt64(index), key: chip.name))
            })
    }

    private func changes(_ before: RigMeasurement, _ after: RigMeasurement) -> [String] {
        MeasurementComparison(from: before, to: after).differences.map { difference in
            guard case .sensor(_, let key, _) = difference.subject else { return "no sensor" }
            return [key, difference.property?.id, difference.id.rawValue].compactMap(\.self).joined(separator: " ")
        }
    }

    @Test func `what got worse is told`() {
        let before = measure([.bmi160, .bmi160Gyroscope])
        #expect(changes(before, before) == [])
        #expect(changes(before, measure([.bmi160])) == ["bmi160 gyroscope missing"])
        #expect(changes(measure([.bmi160]), before) == ["bmi160 gyroscope new"])
        var noisy = Chip.bmi160
        noisy.density *= 2.3
        let louder = measure([noisy])
        #expect(changes(measure([.bmi160]), louder) == ["bmi160 noise worse"])
        #expect(changes(louder, measure([.bmi160])) == ["bmi160 noise better"])
        noisy.density = Chip.bmi160.density * 1.8
        #expect(changes(measure([.bmi160]), measure([noisy])) == [])
        for (factor, expected) in [(2.0, ["bmi160 noise worse"]), (1.9, [])] {
            var after = before
            guard case .motion(var figures) = after.sensors[0].figures else { return }
            for axis in [\AxisEstimates.x, \.y, \.z] {
                figures.noiseDensity[keyPath: axis] = figures.noiseDensity[keyPath: axis]?.scaled(by: factor)
            }
            after.sensors[0].figures = .motion(figures)
            #expect(changes(before, after) == expected)
            // Not beyond the uncertainty of both.
            figures.noiseDensity.x?.uncertainty = 1
            figures.noiseDensity.y = nil
            figures.noiseDensity.z = nil
            figures.standardDeviation = AxisEstimates()
            after.sensors[0].figures = .motion(figures)
            #expect(changes(before, after) == [])
        }
        let slow = measure([.bmi160]) { $0.rateError = -0.11 }
        #expect(changes(measure([.bmi160]), slow) == ["bmi160 verdict worse", "bmi160 rate worse"])
        #expect(changes(slow, measure([.bmi160])) == ["bmi160 verdict better", "bmi160 rate better"])
        let gaps = measure([.bmi160]) { $0.lost = [100, 101] }
        #expect(changes(measure([.bmi160]), gaps) == ["bmi160 verdict worse", "bmi160 gaps worse"])
        #expect(changes(gaps, measure([.bmi160])) == ["bmi160 verdict better", "bmi160 gaps better"])
        #expect(MeasurementComparison(from: before, to: measure([.bmi160])).status == .notReady)
        #expect(MeasurementComparison(from: measure([.bmi160]), to: before).status == .ready)
        var untimed = measure([.bmi160])
        untimed.sensors[0].rate = nil
        let lost = MeasurementComparison(from: measure([.bmi160]), to: untimed)
        #expect(lost.differences.map(\.property) == [.rate] && lost.status == .undetermined)
        untimed.sensors[0].findings = [MeasurementFinding(.rate, .undetermined, "d")]
        #expect(changes(measure([.bmi160]), untimed) == ["bmi160 verdict unknown", "bmi160 rate unknown"])
        var quiet = measure([.bmi160])
        quiet.sensors[0].findings = []
        #expect(changes(untimed, quiet) == ["bmi160 verdict better"])
    }

    @Test(arguments: QualityProfile.allCases)
    func `every limit has a source and matters`(profile: QualityProfile) {
        let limits = QualityLimits(profile)
        var all: [QualityLimit] = []
        for motion in [limits.accelerometer, limits.gyroscope] {
            all += motion.magnitudeWithin + motion.noise + motion.noiseDensity
            all += motion.minimumRate + motion.range
            all += motion.bits + motion.agreement
        }
        let receiver = limits.receiver
        all += receiver.minimumRate
        all += [receiver.radius95, receiver.satellites, receiver.dilution, receiver.firstFix, receiver.signal]
        let timing = limits.timing
        all += [receiver.clock, limits.equalCounts, timing.jitter, timing.gapPeriods, timing.firstSample]
        all += [timing.leastRateShare, timing.greatestRateShare]
        #expect(all.allSatisfy { !$0.source.isEmpty && $0.value > 0 })
        #expect(all.allSatisfy { $0.severity == .bad || $0.severity == .warning })
    }
}
