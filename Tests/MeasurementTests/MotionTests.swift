import Measurement
import Readiness
import Testing
@testable import Rendering

@Suite("Motion sensors measured") struct MotionMeasurementTests {
    private static let chips: [(Chip, Double)] = [
        (.bmi160, 100), (.bmi160, 400), (.bmi160Gyroscope, 200), (.lis3dh10, 400),
    ]

    @Test(arguments: chips)
    func `noise, mean and rate are those of the signal`(chip: Chip, rate: Double) throws {
        for seed in 0..<6 as Range<UInt64> {
            var signal = chip.atRest
            let injected = InjectedSums()
            signal.injected = injected
            signal.rateError = 0.013
            // 8000 samples give the noise to within 1.6 %.
            let measured = chip.series(signal, rate: rate, seconds: 4000 / rate * 2, seed: seed).measured()
            let figures = try #require(measured.motion)
            #expect(measured.samples == 8000)
            #expect(measured.faults == [])
            for axis in 0..<3 {
                let density = try #require(figures.noiseDensity.all[axis])
                let real = chip.density * (1 / 1.013).squareRoot()
                #expect(abs(density.value / real - 1) < 0.05)
                let mean = try #require(figures.mean.all[axis])
                #expect(abs(mean.value - injected.sums[axis] / 8000) < chip.scale / 2)
            }
            let measuredRate = try #require(measured.rate)
            #expect(abs(measuredRate.value / (rate * 1.013) - 1) < 0.001)
        }
    }

    @Test func `the steps of the format are not noise`() throws {
        var coarse = Chip.bmi160
        // Noise of 0.6 steps: a thirteenth instead of a twelfth of a step's square is 0.9 % too much.
        coarse.density = 0.6 * coarse.scale / 10
        let measured = coarse.series(coarse.atRest, rate: 100, seconds: 2000, seed: 3).measured()
        let density = try #require(measured.motion?.noiseDensity.x)
        #expect(abs(density.value / coarse.density - 1) < 0.005, "\(density)")
    }

    @Test func `four samples tell a motion and the noise, three do not`() throws {
        func figures(_ values: [Double]) throws -> MotionFigures {
            var series = MotionSeries(
                key: "k", kind: .accelerometer, name: "n", method: .buffer, nominalRate: 100,
                axes: ["x", "y", "z"].map { ChipAxis($0, scale: 0.001) })
            for (index, value) in values.enumerated() {
                series.append(
                    time: Int64(index) * 10_000_000, counts: [Int32(value), Int32(-value), Int32(9810 + value)])
            }
            return try #require(series.measured().motion)
        }
        #expect(try figures([0, 3, -2, 1]).isMoving == false)
        #expect(try figures([0, 3, -2]).isMoving == nil)
        #expect(try figures([0, 3, -2, 1]).noiseDensity.x != nil)
        #expect(try figures([0, 3, -2]).noiseDensity.x == nil)
    }

    @Test func `a drift is not noise`() throws {
        var signal = Chip.bmi160.atRest
        signal.drift = 0.005
        let measured = Chip.bmi160.series(signal, rate: 100, seconds: 20, seed: 5).measured()
        let figures = try #require(measured.motion)
        #expect(measured.faults == [])
        let density = try #require(figures.noiseDensity.x)
        #expect(abs(density.value / Chip.bmi160.density - 1) < 0.05)
        #expect(try #require(figures.standardDeviation.x).value > 1.5 * Chip.bmi160.density * 10)
    }

    @Test(arguments: [(0, 300, 101), (1, 500, 500), (2, 0, 1000), (0, 0, 150), (1, 899, 101)])
    func `a stuck axis is found at its sample`(axis: Int, at: Int, count: Int) throws {
        for (seed, chip) in [Chip.bmi160, .bmi160Gyroscope].enumerated() {
            var signal = chip.atRest
            signal.stuck = (axis, at, count)
            let measured = chip.series(signal, rate: 100, seconds: 10, seed: UInt64(seed)).measured()
            let faults = try #require(measured.motion).stuckAxes
            #expect(faults.map(\.axis) == [["x", "y", "z"][axis]])
            // A neighbour may be equal by chance.
            #expect((at - 2...at).contains(faults.first?.index ?? -1))
            #expect((count...count + 4).contains(faults.first?.count ?? 0))
            #expect(measured.faults == ["stuck"])
        }
    }

    @Test func `a hundred equal counts are not stuck`() {
        var signal = Chip.bmi160.atRest
        signal.stuck = (0, 300, 97)
        let measured = Chip.bmi160.series(signal, rate: 100, seconds: 10, seed: 1).measured()
        #expect(measured.faults == [])
    }

    /// A sensor at rest of a healthy chip, which is neither exact nor aligned with the rig.
    private func healthy(_ chip: Chip, rate: Double, seconds: Double, seed: UInt64) -> MotionSeries {
        var generator = Generator(seed: seed &* 7919 &+ 1)
        var signal = chip.atRest
        if chip.kind == .accelerometer {
            let (x, y) = (0.3 * generator.normal(), 0.3 * generator.normal())
            signal.mean = [x, y, (Chip.g * Chip.g - x * x - y * y).squareRoot() + 0.05 * generator.normal()]
            signal.drift = 0.001 * generator.normal()
        } else {
            signal.mean = (0..<3).map { _ in 0.002 * generator.normal() }
            signal.drift = 1e-5 * generator.normal()
        }
        signal.rateError = 0.02 * generator.normal()
        signal.timeNoise = 0.015 * generator.uniform()
        return chip.series(signal, rate: rate, seconds: seconds, seed: seed)
    }

    @Test func `a healthy chip raises no alarm`() {
        let chips = [Chip.bmi160, .bmi160Gyroscope, .lis3dh10, .lis3dh8]
        let rates = [25.0, 50, 100, 200, 400]
        var alarms: [String] = []
        for run in 0..<1000 {
            let chip = chips[run % 4]
            let rate = rates[run / 4 % 5]
            let measured = healthy(chip, rate: rate, seconds: 10, seed: UInt64(run)).measured()
            var faults = measured.faults
            // What is true of them: they deliver less than 100 Hz, and their steps may be too coarse.
            if rate < 100 { faults.removeAll { $0 == "slow" } }
            if chip.scale > chip.density * rate.squareRoot() * 1.8 { faults.removeAll { $0 == "coarse" } }
            if !faults.isEmpty { alarms.append("\(chip.name) at \(rate) Hz, run \(run): \(measured.findings)") }
        }
        #expect(alarms.count <= 1, "\(alarms.prefix(5).joined(separator: "\n"))")
    }

    @Test func `few samples of a slow chip are not bad`() {
        for seed in 0..<100 as Range<UInt64> {
            let measured = healthy(.bmi160, rate: 1, seconds: 10, seed: seed).measured()
            #expect(measured.faults == ["slow"])
            #expect(measured.findings.contains { $0.check == .short && $0.severity == .information })
        }
    }

    @Test func `a constant axis is stuck, or too coarse to tell, until it is moved`() throws {
        var still = Chip.lis3dh8.atRest
        still.mean = [0, 0, 63 * Chip.lis3dh8.scale]
        var quiet = Chip.lis3dh8
        quiet.density = 1e-6
        let resting = quiet.series(still, rate: 100, seconds: 10, seed: 1)
        #expect(resting.measured().faults == ["coarse"])
        #expect(resting.measured().verdict == .undetermined)
        #expect(try #require(resting.measured().motion).stuckAxes == [])
        #expect(resting.measured().findings.first?.remedies.isEmpty == false)

        var turned = still
        turned.motion = { axis, time in axis == 2 ? 0 : 9 * (time / 3).truncatingRemainder(dividingBy: 1) }
        let moved = quiet.series(turned, rate: 100, seconds: 10, seed: 1).measured(isMoved: true)
        #expect(try #require(moved.motion).stuckAxes.map(\.axis) == ["z"])

        var fine = Chip.bmi160
        fine.density = 1e-7
        let dead = fine.series(fine.atRest, rate: 100, seconds: 10, seed: 1).measured()
        #expect(try #require(dead.motion).stuckAxes.map(\.axis) == ["x", "y", "z"])
        let short = fine.series(fine.atRest, rate: 100, seconds: 0.5, seed: 1).measured()
        #expect(short.findings.contains { $0.check == .stuck && $0.severity == .undetermined })
    }

    @Test func `a rig that moves is told so, and judged by what motion allows`() throws {
        var signal = Chip.bmi160.atRest
        signal.motion = { axis, time in axis == 0 ? 2 * (time < 5 ? 0 : 1) : 0 }
        let series = Chip.bmi160.series(signal, rate: 100, seconds: 10, seed: 1)
        #expect(series.measured().faults == ["moving"])
        #expect(series.measured().verdict == .undetermined)
        #expect(series.measured(isMoved: true).faultsButAxes == [])
        let figures = try #require(series.measured().motion)
        #expect(figures.noiseDensity == AxisEstimates() && figures.up == nil && figures.isMoving == true)

        let resting = Chip.bmi160.series(Chip.bmi160.atRest, rate: 100, seconds: 10, seed: 1)
        #expect(resting.measured(isMoved: true).faultsButAxes == ["still"])
    }

    @Test(arguments: [Chip.bmi160, .bmi160Gyroscope, .lis3dh10, .lis3dh8])
    func `an axis that rests between two motions is neither stuck nor clipped`(chip: Chip) {
        for seed in 0..<20 as Range<UInt64> {
            var signal = chip.atRest
            signal.motion = { axis, time in
                // Swings for three seconds, then pauses for as long at the end of the swing.
                let phase = time.truncatingRemainder(dividingBy: 6)
                return phase < 3 ? (Double(axis) + 1) * 1.5 * (phase / 3 * phase) : (Double(axis) + 1) * 4.5
            }
            signal.mean[2] = 0
            let series = chip.series(signal, rate: 100, seconds: 20, seed: seed)
            #expect(series.measured(isMoved: true).faultsButAxes == [])
            #expect(series.measured().findings.filter { $0.severity == .bad }.isEmpty)
        }
    }

    @Test func `by attributes the times tell nothing`() {
        let method = MeasurementMethod.attributes(
            reason: "the buffer is not readable", remedies: [.advice("join the group iio")])
        let measured = Chip.bmi160.series(Chip.bmi160.atRest, rate: 50, seconds: 10, seed: 1, method: method).measured()
        #expect(measured.rate == nil && measured.gaps == nil && measured.outOfOrder == nil && measured.jitter == nil)
        let findings = measured.findings.filter { $0.severity == .undetermined }
        #expect(findings.map(\.id) == ["rate", "gaps", "order", "jitter"])
        #expect(
            findings.allSatisfy {
                $0.detail == "rate, gaps, order and jitter not measured: the buffer is not readable"
                    && !$0.remedies.isEmpty
            })
        #expect(measured.motion?.mean.z != nil && measured.motion?.noiseDensity.z == nil)
    }

    @Test func `nothing read is not bad, nothing delivered is`() {
        let axes = [ChipAxis("x", scale: 1)]
        let unread = MotionSeries(
            key: "k", kind: .gyroscope, name: "n", method: .unmeasured(reason: "busy", remedies: []), axes: axes)
        #expect(unread.measured().verdict == .undetermined)
        let silent = MotionSeries(key: "k", kind: .gyroscope, name: "n", method: .buffer, axes: axes)
        #expect(silent.measured().faults == ["silent"])
        #expect(silent.measured().verdict == .bad)
    }

    @Test func `a late start and an early end are found`() {
        var series = Chip.bmi160.series(Chip.bmi160.atRest, rate: 100, seconds: 10, seed: 1)
        series.firstSampleDelay = 0.3
        series.ended = 10_050_000_000
        #expect(series.measured().faults == [])
        series.firstSampleDelay = 0.9
        #expect(series.measured().faults == ["late"])
        series.ended = 12_000_000_000
        let measured = series.measured()
        #expect(measured.faults == ["silent", "late"])
        #expect(measured.gaps?.map(\.index) == [nil])
        // 2.01 s, and the last sample's own noise.
        #expect((200...201).contains(measured.gaps?.first?.missing ?? 0))
    }

    @Test func `the mounting turns all figures`() throws {
        let signal = Chip.bmi160.atRest
        let mounting = try #require(Mounting(matrix: [0, 1, 0, 0, 0, -1, -1, 0, 0], origin: "test"))
        let plain = try #require(Chip.bmi160.series(signal, rate: 100, seconds: 70, seed: 9).measured().motion)
        let turned = try #require(
            Chip.bmi160.series(signal, rate: 100, seconds: 70, seed: 9, mounting: mounting).measured().motion)
        func value(_ estimate: Estimate?) throws -> Double { try #require(estimate).value }
        #expect(try abs(value(turned.mean.x) - value(plain.mean.y)) < 1e-12)
        #expect(try abs(value(turned.mean.y) + value(plain.mean.z)) < 1e-12)
        #expect(try abs(value(turned.standardDeviation.y) - value(plain.standardDeviation.z)) < 1e-12)
        #expect(plain.up == "+z" && turned.up == "-y")
        #expect(try abs(value(turned.magnitude) - value(plain.magnitude)) < 1e-12)
        let (a, b) = try (#require(turned.allan), #require(plain.allan))
        #expect(a.taus == b.taus && a.taus.count == a.x.count)
        #expect(abs((a.taus.first ?? 0) / 0.01 - 1) < 1e-3)
        #expect(zip(a.y, b.z).allSatisfy { abs($0.value - $1.value) < 1e-12 })
    }

    @Test func `up is where a weak mean points, too`() {
        var weak = Chip.bmi160.atRest
        weak.mean = [0, 0, 0.9]
        #expect(Chip.bmi160.series(weak, rate: 100, seconds: 10, seed: 1).measured().motion?.up == "+z")
    }

    @Test func `an axis that needs a missing one is not told`() throws {
        var series = MotionSeries(
            key: "k", kind: .accelerometer, name: "n", method: .buffer, nominalRate: 100,
            axes: [ChipAxis("x", scale: 0.01), ChipAxis("y", scale: 0.01)],
            mounting: Mounting(matrix: [0, 0, 1, 0, 1, 0, 1, 0, 0], origin: "test"))
        for index in 0..<500 { series.append(time: Int64(index) * 10_000_000, counts: [Int32(index % 7), 3]) }
        let figures = try #require(series.measured().motion)
        #expect(figures.mean.x == nil && figures.mean.y != nil && figures.mean.z != nil && figures.magnitude == nil)
    }

    @Test func `the noise of equal counts is less than half a step`() throws {
        var dead = Chip.bmi160
        dead.density = 1e-7
        let measured = dead.series(dead.atRest, rate: 100, seconds: 10, seed: 1).measured()
        let noise = try #require(measured.motion?.standardDeviation.x)
        #expect(noise.value == 0 && noise.uncertainty == .infinity)
        #expect(measured.line("noise") == "x < 300, y < 300, z < 300 µm/s²")
        #expect(measured.line("mean")?.contains("± 0.00030") == true)
    }

    /// A bias that wanders, so that the lowest Allan deviation is at 1.28 s.
    @Test(arguments: [Chip.bmi160, .bmi160Gyroscope])
    func `the bias instability is told once the measurement is long enough for it, and else how long it takes`(
        chip: Chip
    ) throws {
        func measured(_ seconds: Double, wander: Double) -> SensorMeasurement {
            var generator = Generator(seed: 12)
            var bias = [0.0, 0, 0]
            let step = wander * chip.density * (3.0 / 100).squareRoot()
            let walk = (0..<Int(seconds * 100)).map { _ in
                for axis in 0..<3 { bias[axis] += step * generator.normal() }
                return bias
            }
            var signal = chip.atRest
            signal.motion = { axis, time in walk[Int((time * 100).rounded())][axis] }
            return chip.series(signal, rate: 100, seconds: seconds, seed: 3).measured()
        }
        let short = measured(10, wander: 0)
        let finding = try #require(short.findings.first { $0.check == .biasInstability })
        #expect(finding.detail == "9.99 s is too short for the bias instability, which needs at least 330 s at rest")
        #expect(short.motion?.biasInstability == AxisEstimates())
        // White noise still falls at the last averaging time, 16 s of 70 s.
        let longer = try #require(measured(70, wander: 0).findings.first { $0.check == .biasInstability })
        let words = longer.detail.split(separator: " ")
        #expect(Double(words[words.count - 4]) ?? 0 > 500)
        let long = measured(150, wander: 1)
        #expect(!long.findings.contains { $0.check == .biasInstability })
        let figures = try #require(long.motion)
        for axis in figures.biasInstability.all {
            // √(1 / 1.28 + 1.28) densities, divided by 0.664.
            #expect(abs(try #require(axis).value / chip.density - 2.16) < 0.4)
        }
        #expect(long.line("instability") != nil)

        let deviations = try #require(figures.allan)
        let keys = MeasurementReport.Allan(deviations)
        #expect(keys.taus == deviations.taus && keys.taus.count > 5)
        #expect(keys.x == deviations.x.map(\.value) && keys.xUncertainty == deviations.x.map(\.uncertainty))
        #expect(keys.y == deviations.y.map(\.value) && keys.yUncertainty == deviations.y.map(\.uncertainty))
        #expect(keys.z == deviations.z.map(\.value) && keys.zUncertainty == deviations.z.map(\.uncertainty))
    }

    @Test func `a full series keeps what it has and says so`() {
        var series = MotionSeries(
            key: "k", kind: .accelerometer, name: "n", method: .buffer, axes: [ChipAxis("x", scale: 0.01)], capacity: 3)
        #expect(
            (0..<4).map { series.append(time: Int64($0) * 10_000_000, counts: [1]) } == [true, true, true, false])
        #expect(series.measured().findings.contains { $0.check == .truncated })
        let isKept = series.append(time: 40_000_000, counts: [1])
        #expect(!isKept)
        #expect(series.times.count == 3 && series.counts == [[1, 1, 1]] && series.dropped == 2)
        #expect(series.measured().findings.contains { $0.check == .truncated })
    }

    @Test func `any times and counts are measured`() {
        var generator = Generator(seed: 77)
        for _ in 0..<500 {
            var series = MotionSeries(
                key: "k", kind: .accelerometer, name: "n", method: .buffer, nominalRate: 100,
                axes: ["x", "y", "z"].map {
                    ChipAxis(
                        $0, scale: [0, -0.01, .infinity, 1e300, 0.01, .nan].randomElement(using: &generator) ?? 0,
                        leastCount: .min, greatestCount: .max)
                })
            let extremes: [Int64] = [.min, .max, 0, -1, 1]
            for _ in 0..<Int.random(in: 0...130, using: &generator) {
                let time =
                    Bool.random(using: &generator)
                    ? extremes.randomElement(using: &generator) ?? 0 : Int64(bitPattern: generator.next())
                let counts = (0..<3).map { _ in
                    Bool.random(using: &generator)
                        ? Int32.min
                        : Bool.random(using: &generator) ? .max : Int32(truncatingIfNeeded: generator.next())
                }
                series.append(time: time, counts: counts)
            }
            series.firstSampleDelay = [nil, -1, 0.5, .infinity].randomElement(using: &generator) ?? nil
            series.ended = extremes.randomElement(using: &generator)
            let measured = series.measured(isMoved: Bool.random(using: &generator))
            #expect(measured.samples == series.times.count)
        }
    }
}

extension SensorMeasurement {
    /// A figure's line by its name.
    func line(_ name: String) -> String? { figureLines.first { $0.name == name }?.value }
}
