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
                    key: "k", kind: .accelerometer, name: "n", way: .buffer, axes: [ChipAxis("x", scale: 0.01)])
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
}
