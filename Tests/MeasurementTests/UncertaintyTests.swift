import Foundation
import Measurement
import Readiness
import Testing

/// Intervals are 95 % intervals: over many runs about 95 of 100 hold the true value.
@Suite("Uncertainties") struct UncertaintyTests {
    /// The share of 900 intervals (three axes of 300 runs) that hold the true value.
    private func coverage(
        _ chip: Chip, rate: Double, seconds: Double, of figure: (MotionFigures) -> AxisEstimates,
        truth: (Int) -> Double
    ) -> Double {
        var hits = 0
        var intervals = 0
        for run in 0..<300 as Range<UInt64> {
            let measured = chip.series(chip.atRest, rate: rate, seconds: seconds, seed: run &+ 5000).measured()
            guard let figures = measured.motion else { continue }
            for (axis, estimate) in figure(figures).all.enumerated() {
                guard let estimate else { continue }
                intervals += 1
                if abs(estimate.value - truth(axis)) <= estimate.uncertainty { hits += 1 }
            }
        }
        return Double(hits) / Double(max(intervals, 900))
    }

    @Test(arguments: [(100.0, 5.0), (100, 1), (1, 10), (1, 5)])
    func `of the mean`(rate: Double, seconds: Double) {
        let chip = Chip.bmi160
        let share = coverage(chip, rate: rate, seconds: seconds, of: \.mean) { chip.atRest.mean[$0] }
        #expect((0.93...0.995).contains(share), "\(share)")
    }

    @Test(arguments: [(100.0, 5.0), (100, 1), (10, 1)])
    func `of the standard deviation`(rate: Double, seconds: Double) {
        let chip = Chip.bmi160
        let deviation = (chip.density * chip.density * rate + chip.scale * chip.scale / 12).squareRoot()
        let share = coverage(chip, rate: rate, seconds: seconds, of: \.standardDeviation) { _ in deviation }
        #expect((0.92...0.98).contains(share), "\(share)")
    }

    @Test(arguments: [(100.0, 5.0), (100, 1)])
    func `of the noise density`(rate: Double, seconds: Double) {
        for chip in [Chip.bmi160, .bmi160Gyroscope] {
            let share = coverage(chip, rate: rate, seconds: seconds, of: \.noiseDensity) { _ in chip.density }
            #expect((0.92...0.98).contains(share), "\(chip.name): \(share)")
        }
    }

    @Test func `of the mean of a coarse chip`() {
        for chip in [Chip.lis3dh8, .lis3dh10] {
            let share = coverage(chip, rate: 25, seconds: 10, of: \.mean) { chip.atRest.mean[$0] }
            #expect(share > 0.93, "\(chip.name): \(share)")
        }
    }

    @Test func `of the rate, whether times or intervals are noisy`() throws {
        for (walks, least) in [(true, 0.92), (false, 0.99)] {
            var hits = 0
            for seed in 0..<200 as Range<UInt64> {
                var generator = Generator(seed: seed)
                var series = MotionSeries(
                    key: "k", kind: .accelerometer, name: "n", method: .buffer, axes: [ChipAxis("x", scale: 0.01)])
                var time = 0.0
                for index in 0..<1000 {
                    let noise = 1e5 * generator.normal()
                    time += 1e7 + (walks ? noise : 0)
                    series.append(time: Int64(time + (walks ? 0 : noise)), counts: [Int32(index % 5)])
                }
                let rate = try #require(series.measured().rate)
                if abs(rate.value - 100) <= rate.uncertainty { hits += 1 }
            }
            #expect(Double(hits) / 200 >= least, "\(hits) of 200, \(walks)")
        }
    }

    /// Independent positions, and ones that wander.
    @Test(arguments: [(0.0, 60), (0.9, 600)])
    func `of the scatter of positions`(correlation: Double, count: Int) throws {
        var hits = [0, 0, 0]
        for seed in 0..<200 as Range<UInt64> {
            var generator = Generator(seed: seed)
            var (north, east) = (generator.normal(), generator.normal())
            let share = (1 - correlation * correlation).squareRoot()
            let reports = (0..<count).map { index in
                north = correlation * north + share * generator.normal()
                east = correlation * east + share * generator.normal()
                // A standard deviation of 2 m in both directions at the equator.
                return PositionReport(
                    time: Int64(index) * 1_000_000_000, fix: .threeDimensional, latitude: 2 * north / 110_574,
                    longitude: 2 * east / 111_320)
            }
            let scatter = try #require(PositionScatter(reports))
            let truths = [
                (scatter.cep50, 0.5887 * 4), (scatter.radius95, 2.4477 * 2), (scatter.twoDRMS, 4 * 2.0.squareRoot()),
            ]
            for (place, (figure, truth)) in truths.enumerated() where abs(figure.value - truth) <= figure.uncertainty {
                hits[place] += 1
            }
        }
        #expect(hits.allSatisfy { $0 >= 176 }, "\(hits) of 200")
    }

    @Test func `of the jitter`() throws {
        var hits = [0, 0]
        for seed in 0..<200 as Range<UInt64> {
            var generator = Generator(seed: seed)
            var series = MotionSeries(
                key: "k", kind: .accelerometer, name: "n", method: .buffer, axes: [ChipAxis("x", scale: 0.01)])
            var time = 0.0
            for index in 0..<400 {
                time += 1e7 + 1e5 * generator.normal()
                series.append(time: Int64(time), counts: [Int32(index % 5)])
            }
            let jitter = try #require(series.measured().jitter)
            if abs(jitter.relative.value - 0.01) <= jitter.relative.uncertainty { hits[0] += 1 }
            if abs(jitter.spread.value - 3.92e-4) <= jitter.spread.uncertainty { hits[1] += 1 }
        }
        #expect(hits.allSatisfy { 182...198 ~= $0 }, "\(hits) of 200")
    }

    /// An exponential distribution, as answer times have it.
    @Test(arguments: [(0.5, 20), (0.5, 101), (0.99, 600)])
    func `of a percentile`(share: Double, count: Int) throws {
        var hits = 0
        for seed in 0..<200 as Range<UInt64> {
            var generator = Generator(seed: seed)
            let answers = (0..<count).map { _ in -log(1 - generator.uniform()) }
            let figures = try #require(
                RigMeasurement([.controller(ControllerSeries(key: "k", name: "n", seconds: 1, answers: answers))])
                    .sensors[0].controller)
            let figure = try #require(share == 0.5 ? figures.answer50 : figures.answer99)
            #expect(figure.uncertainty.isFinite)
            if abs(figure.value + log(1 - share)) <= figure.uncertainty { hits += 1 }
        }
        #expect(hits >= 186, "\(hits) of 200")
    }
}
