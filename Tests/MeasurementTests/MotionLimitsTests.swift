import Measurement
import Readiness
import Rendering
import Testing

/// What is judged by limits, or beside another sensor.
@Suite("Limits of motion sensors") struct MotionLimitsTests {
    @Test func `limits are judged by figures`() {
        func faults(_ chip: Chip, _ change: (inout Chip.Signal) -> Void) -> [String] {
            var signal = chip.atRest
            change(&signal)
            return chip.series(signal, rate: 100, seconds: 10, seed: 4).measured().faults
        }
        #expect(faults(.bmi160) { $0.mean[2] = 8.2 } == ["gravity"])
        #expect(faults(.bmi160) { $0.mean[2] = 8.4 } == [])
        #expect(faults(.bmi160) { $0.timeNoise = 0.03 } == ["jitter"])
        #expect(faults(.bmi160) { $0.rateError = -0.12 } == ["rate"])
        #expect(faults(.bmi160) { $0.rateError = -0.08 } == [])
        #expect(faults(.bmi160) { $0.rateError = 1.25 } == ["rate"])
        #expect(faults(.bmi160Gyroscope) { $0.mean[0] = 0.02 } == ["bias"])
        #expect(faults(.bmi160Gyroscope) { $0.mean[0] = 1.6 } == ["bias"])
        var noisy = Chip.bmi160
        noisy.density = 0.006
        #expect(faults(noisy) { _ in } == ["noise"])
        noisy.density = 0.12
        #expect(noisy.series(noisy.atRest, rate: 100, seconds: 10, seed: 4).measured().verdict == .bad)
        var gyroscope = Chip.bmi160Gyroscope
        gyroscope.density = 4e-4
        #expect(faults(gyroscope) { _ in } == ["noise"])
    }

    @Test func `profiles and configurations change the limits`() {
        let series = Chip.bmi160.series(Chip.bmi160.atRest, rate: 50, seconds: 10, seed: 4)
        #expect(series.measured().faults == ["slow"])
        #expect(series.measured().verdict == .warning)
        #expect(series.measured(QualityLimits(.android)).faults == ["range", "slow"])
        #expect(series.measured(QualityLimits(.automotive)).faults == ["range", "slow"])
        #expect(series.measured(QualityLimits(.automotive)).verdict == .bad)
        var limits = QualityLimits()
        limits.apply(QualityDemand(minimumRate: 40), to: .accelerometer, source: "rig.yaml")
        #expect(series.measured(limits).faults == [])
        limits.apply(QualityDemand(minimumRate: 60, maximumNoise: 0.01), to: .accelerometer, source: "rig.yaml")
        let measured = series.measured(limits)
        #expect(measured.faults.sorted() == ["noise", "slow"])
        #expect(measured.verdict == .bad)
        #expect(measured.findings.first?.source == "rig.yaml")
        limits = QualityLimits()
        limits.apply(QualityDemand(minimumRate: 40, maximumNoiseDensity: 1e-4), to: .accelerometer, source: "rig.yaml")
        #expect(series.measured(limits).findings.first?.detail.contains("noise density") == true)
        #expect(series.measured(limits).verdict == .bad)
        var gaps = Chip.bmi160.atRest
        gaps.lost = [200, 300]
        let lossy = Chip.bmi160.series(gaps, rate: 100, seconds: 10, seed: 4)
        for (allowed, verdict) in [(2, MeasurementVerdict.warning), (1, .bad), (0, .bad)] {
            limits = QualityLimits()
            limits.apply(QualityDemand(maximumGaps: allowed), to: .accelerometer, source: "rig.yaml")
            #expect(lossy.measured(limits).verdict == verdict)
            #expect(lossy.measured(limits).findings.first?.source == "rig.yaml")
        }
        limits = QualityLimits()
        limits.apply(QualityDemand(minimumRate: 40, gravityWithin: 0.001), to: .accelerometer, source: "rig.yaml")
        #expect(series.measured(limits).faults == ["gravity"])
    }

    @Test func `a profile asks what the chip can be set to, a configuration what it is set to`() throws {
        var series = Chip.bmi160.series(Chip.bmi160.atRest, rate: 50, seconds: 10, seed: 4)
        series.greatestScale = Chip.bmi160.scale * 8
        series.greatestRate = 1600
        let measured = series.measured(QualityLimits(.automotive))
        #expect(measured.faults == [] && measured.motion?.greatestRange.map { abs($0 - 156.9) < 0.1 } == true)
        let slow = try #require(measured.findings.first { $0.check == .slow })
        #expect(slow.severity == .information && slow.detail.contains("the chip supports up to 1.6 kHz"))
        #expect(slow.remedies == [.advice("measure with --rate 100")])
        var limits = QualityLimits(.automotive)
        limits.apply(QualityDemand(minimumRate: 100), to: .accelerometer, source: "rig.yaml")
        #expect(series.measured(limits).faults == ["slow"])
        // One that cannot be set so far misses it as before.
        series.greatestRate = 60
        series.greatestScale = Chip.bmi160.scale * 1.5
        let weak = series.measured(QualityLimits(.automotive))
        #expect(weak.faults == ["range", "slow"] && weak.verdict == .bad)
        #expect(weak.findings.contains { $0.detail.hasPrefix("the greatest range is ±29.4 m/s²") })
    }

    @Test func `two of a kind must agree`() {
        var other = Chip.bmi160.atRest
        other.mean = [0.1, 0.7, 9.8]
        let series = [Chip.bmi160.atRest, other].enumerated().map { index, signal in
            SensorSeries.motion(
                Chip.bmi160.series(signal, rate: 100, seconds: 10, seed: UInt64(index), key: "chip\(index)"))
        }
        let measured = RigMeasurement(series)
        #expect(measured.sensors.map(\.faults) == [["disagreement"], ["disagreement"]])
        #expect(measured.exitStatus == 0)
        #expect(RigMeasurement(series, limits: QualityLimits(.px4)).exitStatus == 1)
        #expect(RigMeasurement([series[0], series[0]]).sensors.map(\.faults) == [[], []])
    }

    @Test func `two that agree are told how far they are apart`() throws {
        let series = ["a", "b"].enumerated().map { index, key in
            SensorSeries.motion(
                Chip.bmi160.series(Chip.bmi160.atRest, rate: 100, seconds: 10, seed: UInt64(index), key: key))
        }
        let sensors = RigMeasurement(series).sensors
        let agreement = try #require(sensors[0].motion?.agreement)
        #expect(agreement.key == "b" && agreement.difference.value < 0.01 && agreement.difference.uncertainty > 0)
        #expect(sensors[0].line("agreement") == "\(agreement.difference.words("m/s²")) from b")
        #expect(RigMeasurement([series[0]]).sensors[0].motion?.agreement == nil)
    }

    @Test func `the mounting and its source stand beside the axis that points up, and the clock beside the rate`()
        throws
    {
        let mounting = try #require(Mounting(matrix: [0, 1, 0, 0, 0, -1, -1, 0, 0.5], origin: "udev"))
        let turned = Chip.bmi160.series(Chip.bmi160.atRest, rate: 100, seconds: 2, seed: 9, mounting: mounting)
            .measured()
        #expect(turned.line("axes") == "−y is up (mount matrix: udev, 0, 1, 0; 0, 0, −1; −1, 0, 0.500)")
        let plain = Chip.bmi160.series(Chip.bmi160.atRest, rate: 100, seconds: 2, seed: 9).measured()
        #expect(plain.line("axes") == "+z is up (no mount matrix)")
        #expect(plain.clock == "monotonic" && plain.line("rate")?.hasSuffix(", clock monotonic") == true)
        let method = MeasurementMethod.attributes(reason: "denied", remedies: [])
        let read = Chip.bmi160.series(Chip.bmi160.atRest, rate: 100, seconds: 2, seed: 9, method: method).measured()
        #expect(read.clock == nil)
    }

    @Test func `the format's range does not answer for the chip's`() {
        var series = Chip.bmi160.series(Chip.bmi160.atRest, rate: 200, seconds: 10, seed: 4)
        series.isRangeOfChip = false
        #expect(series.measured().faults == [])
        #expect(series.measured().line("range") == nil)
        var wide = Chip.bmi160
        wide.scale *= 4
        var hub = wide.series(wide.atRest, rate: 200, seconds: 10, seed: 4)
        #expect(hub.measured(QualityLimits(.android)).faults == [])
        #expect(hub.measured().line("range") == "±78.5 m/s²")
        hub.isRangeOfChip = false
        let measured = hub.measured(QualityLimits(.android))
        #expect(measured.faults == ["range", "resolution"] && measured.verdict == .undetermined)
        #expect(measured.findings.first?.detail.contains("in the format of the samples") == true)
        // What even the format cannot hold is told all the same.
        #expect(series.measured(QualityLimits(.android)).faults == ["range", "resolution"])
        #expect(series.measured(QualityLimits(.android)).verdict == .bad)
    }

    @Test func `a minute tells the Allan deviation, also if it lacks a part of a period`() throws {
        func allan(_ seconds: Double) throws -> AllanDeviation? {
            let series = Chip.bmi160.series(Chip.bmi160.atRest, rate: 50.37, seconds: seconds, seed: 2)
            return try #require(series.measured().motion).allan
        }
        #expect(try allan(60) != nil && allan(58) == nil)
    }

    /// The data sheet of the ICM-42688-P says 70 µg/√Hz of one side of the spectrum: a standard deviation of 0.495 mg at
    /// 100 Hz, which counts of 0.98 mg vary by and counts of 1 mg need not.
    @Test(arguments: [(0.98, "stuck"), (1.0, "coarse")])
    func `a quiet chip's density is that of its data sheet`(milliG: Double, fault: String) {
        var chip = Chip.bmi160
        chip.scale = milliG * 1e-3 * Chip.g
        chip.density = 1e-9
        let measured = chip.series(chip.atRest, rate: 100, seconds: 10, seed: 1).measured()
        #expect(Set(measured.faults) == [fault])
    }
}
