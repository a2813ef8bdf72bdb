import Measurement
import Readiness
import Rendering
import Testing

@Suite("Verdicts and comparisons of measurements") struct MeasurementVerdictTests {
    private func sensor(_ key: String, _ severities: FindingSeverity...) -> SensorMeasurement {
        var sensor = SensorMeasurement(
            key: key, kind: .accelerometer, name: "n", method: .buffer, figures: .motion(MotionFigures()))
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

    @Test func `a sensor that is not measured by what was asked for does not count`() {
        let omitted = SensorSeries.steps(
            StepSeries(key: "s", name: "s", method: .omitted(reason: "no walk", remedies: [])))
        let chip = SensorSeries.motion(Chip.bmi160.series(Chip.bmi160.atRest, rate: 100, seconds: 5, seed: 1))
        let both = RigMeasurement([chip, omitted])
        #expect(both.exitStatus == 0 && both.sensors[1].verdict == .undetermined)
        #expect(both.sensors[1].outcome == "omitted" && both.sensors[1].findings.map(\.severity) == [.information])
        #expect(RigMeasurement([omitted]).exitStatus == 2)
        let failed = SensorSeries.steps(StepSeries(key: "s", name: "s", method: .unmeasured(reason: "r", remedies: [])))
        #expect(RigMeasurement([chip, failed]).exitStatus == 2)
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

    /// Two measurements of one sensor of some figures, compared both ways.
    private func bothWays(
        _ kind: SensorKind, _ figures: (KindFigures, KindFigures), samples: Int = 1000,
        change: (inout SensorMeasurement, Bool) -> Void = { _, _ in }
    ) -> [String] {
        let sensors = [(figures.0, false), (figures.1, true)].map { figures, isAfter in
            var sensor = SensorMeasurement(key: "k", kind: kind, name: "n", method: .buffer, figures: figures)
            sensor.samples = samples
            change(&sensor, isAfter)
            return RigMeasurement(sensors: [sensor], isMoved: false)
        }
        #expect(changes(sensors[0], sensors[0]) == [] && changes(sensors[1], sensors[1]) == [])
        return (changes(sensors[0], sensors[1]) + changes(sensors[1], sensors[0])).map { String($0.dropFirst(2)) }
    }

    private func times(_ before: [Int], _ after: [Int]) -> [String] {
        bothWays(.gyroscope, (.motion(MotionFigures()), .motion(MotionFigures()))) { sensor, isAfter in
            sensor.outOfOrder = isAfter ? after : before
        }
    }

    @Test func `what got worse of the times is told`() {
        #expect(times([], [5]) == ["order worse", "order better"])
        #expect(times([5], [5, 9]) == [])
        #expect(times(Array(0..<20), Array(0..<39)) == [])
        #expect(times(Array(0..<20), Array(0..<40)) == ["order worse", "order better"])
        // A document lists a hundred.
        #expect(times(Array(0..<100), Array(0..<400)) == [])
        for (relative, expected) in [(0.04, ["jitter worse", "jitter better"]), (0.03, [])] {
            let jitter = bothWays(.gyroscope, (.motion(MotionFigures()), .motion(MotionFigures()))) { sensor, isAfter in
                sensor.jitter = IntervalJitter(
                    spread: Estimate(isAfter ? 0.004 : 0.002, uncertainty: 0.0005),
                    relative: Estimate(isAfter ? relative : 0.02, uncertainty: 0))
            }
            #expect(jitter == expected)
        }
        // Of 48 times as many samples one gap is by chance; a list that is not of a document is longer.
        func gaps(_ before: (Int, of: Int), _ after: (Int, of: Int)) -> [String] {
            bothWays(.gyroscope, (.motion(MotionFigures()), .motion(MotionFigures()))) { sensor, isAfter in
                let (count, samples) = isAfter ? after : before
                sensor.samples = samples
                sensor.gaps = Array(repeating: SampleGap(index: 1, seconds: 1, missing: 1), count: count)
            }
        }
        #expect(gaps((0, of: 500), (1, of: 24_000)) == [] && gaps((0, of: 500), (1, of: 500)) != [])
        #expect(gaps((150, of: 100_000), (60, of: 1000)) == ["gaps worse", "gaps better"])
        #expect(gaps((0, of: 500), (100, of: 24_000)) == ["gaps worse", "gaps better"])
    }

    @Test func `what one of two omitted, or holds only at rest, is not compared`() {
        let chip = measure([.bmi160])
        var moved = measure([.bmi160])
        moved.isMoved = true
        guard case .motion(var figures) = moved.sensors[0].figures else { return }
        figures.standardDeviation.x = Estimate(5, uncertainty: 0.01)
        figures.noiseDensity = AxisEstimates()
        figures.magnitude = Estimate(3, uncertainty: 0.01)
        moved.sensors[0].figures = .motion(figures)
        #expect(changes(chip, moved) == [] && changes(moved, chip) == [])
        var omitted = chip
        omitted.sensors[0].method = .omitted(reason: "r", remedies: [])
        let none = RigMeasurement(sensors: [], isMoved: false)
        #expect(changes(chip, omitted) == [] && changes(omitted, chip) == [])
        #expect(changes(omitted, none) == [] && changes(none, omitted) == [] && changes(chip, none) != [])
    }

    @Test func `what got worse of a chip at rest is told`() {
        func rest(_ magnitude: Double, _ up: String?, isMoving: Bool = false) -> KindFigures {
            var figures = MotionFigures()
            figures.magnitude = Estimate(magnitude, uncertainty: 0.001)
            figures.up = up
            figures.isMoving = isMoving
            return .motion(figures)
        }
        #expect(bothWays(.accelerometer, (rest(9.85, "+z"), rest(8.9, "+z"))) == ["bias worse", "bias better"])
        #expect(bothWays(.accelerometer, (rest(9.85, "+z"), rest(9.5, "+z"))) == [])
        #expect(bothWays(.accelerometer, (rest(9.85, "+z"), rest(8, "+z", isMoving: true))) == [])
        #expect(bothWays(.accelerometer, (rest(9.8, "+z"), rest(9.8, "-z"))) == ["axes changed", "axes changed"])
        #expect(bothWays(.accelerometer, (rest(9.8, "+z"), rest(9.8, nil))) == [])
        #expect(bothWays(.gyroscope, (rest(0.005, nil), rest(0.02, nil))) == ["bias worse", "bias better"])
        #expect(bothWays(.gyroscope, (rest(0.001, nil), rest(0.003, nil))) == [])
    }

    @Test func `what got worse of a receiver and of a controller is told`() {
        func receiver(_ change: (inout ReceiverFigures) -> Void) -> KindFigures {
            var figures = ReceiverFigures()
            figures.radius95 = Estimate(4, uncertainty: 1)
            figures.signal = Estimate(40, uncertainty: 1)
            change(&figures)
            return .receiver(figures)
        }
        func both(_ change: (inout ReceiverFigures) -> Void) -> [String] {
            bothWays(.locationReceiver, (receiver { _ in }, receiver(change)))
        }
        #expect(both { $0.radius95 = Estimate(9, uncertainty: 2) } == ["scatter worse", "scatter better"])
        #expect(both { $0.radius95 = nil } == [])
        #expect(both { $0.signal = Estimate(37, uncertainty: 1) } == ["signal worse", "signal better"])
        #expect(both { $0.signal = Estimate(37.5, uncertainty: 1) } == [])
        #expect(both { $0.signal = Estimate(36, uncertainty: 4) } == [])
        #expect(both { $0.jumps = [PositionJump(index: 3, distance: 60)] } == ["jump worse", "jump better"])
        func controller(_ answer: Double, _ changes: Int) -> KindFigures {
            var figures = ControllerFigures()
            figures.answer99 = Estimate(answer, uncertainty: answer / 10)
            figures.powerChanges = Array(repeating: PowerChange(seconds: 1, isPowered: false), count: changes)
            return .controller(figures)
        }
        #expect(
            bothWays(.bluetoothAdapter, (controller(0.002, 0), controller(0.0045, 0))) == [])
        #expect(
            bothWays(.bluetoothAdapter, (controller(0.01, 0), controller(0.04, 2))) == [
                "power worse", "answer worse", "power better", "answer better",
            ])
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
        all += [receiver.hold, receiver.jump]
        let timing = limits.timing
        all += [receiver.clock, limits.equalCounts, timing.jitter, timing.gapPeriods, timing.firstSample]
        all += [timing.leastRateShare, timing.greatestRateShare]
        #expect(all.allSatisfy { !$0.source.isEmpty && $0.value > 0 })
        #expect(all.allSatisfy { $0.severity == .bad || $0.severity == .warning })
    }
}
