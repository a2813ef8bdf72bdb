import Foundation
import Readiness
import Testing
@testable import Measurement

/// What the counts of samples tell: the step of a chip, and where an axis is cut off.
extension MotionMeasurementTests {
    @Test(arguments: [0, 1, 2], [1.0, -1.0])
    func `a clipped axis is found at its first sample`(axis: Int, side: Double) throws {
        for seed in 0..<20 as Range<UInt64> {
            var signal = Chip.bmi160.atRest
            // A fifth of the samples are beyond the limit.
            let sigma = Chip.bmi160.density * 10
            let limit = ((signal.mean[axis] + side * 0.84 * sigma) / Chip.bmi160.scale).rounded()
            signal.cut = side > 0 ? (axis, -40000, limit) : (axis, limit, 40000)
            let series = Chip.bmi160.series(signal, rate: 100, seconds: 10, seed: seed)
            let measured = series.measured()
            let faults = try #require(measured.motion).clippedAxes
            let hits = series.counts[axis].indices.filter { series.counts[axis][$0] == Int32(limit) }
            #expect(
                faults == [
                    AxisFault(axis: ["x", "y", "z"][axis], index: hits[0], count: hits.count, value: Int32(limit))
                ])
            #expect(measured.verdict == .bad)
        }
    }

    @Test func `a dozen samples that are cut off are found`() throws {
        var found = 0
        for seed in 0..<20 as Range<UInt64> {
            var signal = Chip.bmi160.atRest
            let limit = ((signal.mean[1] + 2.2 * Chip.bmi160.density * 10) / Chip.bmi160.scale).rounded()
            signal.cut = (1, -40000, limit)
            let series = Chip.bmi160.series(signal, rate: 100, seconds: 10, seed: seed)
            let hits = series.counts[1].count { $0 == Int32(limit) }
            let faults = try #require(series.measured().motion).clippedAxes
            #expect(faults.isEmpty || faults.map(\.count) == [hits])
            // 15 are expected; fewer than ten are not told from noise.
            if hits >= 12 {
                #expect(faults.count == 1, "\(hits)")
                found += 1
            }
        }
        #expect(found > 10)
    }

    /// Ten seconds of a hub whose chip has a noise of some steps, each of so many counts, and which is cut off above one.
    private func hub(
        _ sigma: Double, step: Double, seed: UInt64, cut: Double = .infinity,
        change: (Int, inout [Int32]) -> Void = { _, _ in }
    ) -> SensorMeasurement {
        var generator = Generator(seed: seed)
        var series = MotionSeries(
            key: "k", kind: .accelerometer, name: "hub", method: .buffer, nominalRate: 50,
            axes: ["x", "y", "z"].map {
                ChipAxis($0, scale: 9.81e-5, leastCount: -2_000_000, greatestCount: 2_000_000)
            })
        for index in 0..<500 {
            var counts = [0, 0, 6250].map { mean in
                let steps = min((Double(mean) + sigma * generator.normal()).rounded(), Double(mean) + cut)
                return Int32((steps * step).rounded()) + 3
            }
            change(index, &counts)
            series.append(time: Int64(index) * 20_000_000, counts: counts)
        }
        return series.measured()
    }

    /// A hub that passes on multiples of sixteen counts, or of 3.9, with noise of half a step to three.
    @Test(arguments: [0.5, 0.8, 1, 3], [16, 3.9]) func `the step is the chip's, not the format's`(
        sigma: Double, counts: Double
    ) throws {
        for seed in 0..<10 as Range<UInt64> {
            let figures = try #require(hub(sigma, step: counts, seed: seed).motion)
            #expect(figures.clippedAxes == [])
            if counts == 16 { #expect(abs(try #require(figures.step) - 16 * 9.81e-5) < 1e-9) }
            // What is cut off in such steps is found, also beside a single wrong sample at the other end.
            guard sigma == 3 else { continue }
            for glitch in [0, -400] as [Int32] {
                let cut = hub(sigma, step: counts, seed: seed, cut: sigma) { index, values in
                    if index == 200 { for axis in values.indices { values[axis] += glitch * 16 } }
                }
                #expect(try #require(cut.motion).clippedAxes.count == 3, "\(glitch)")
            }
        }
    }

    /// An axis that delivers one wrong count and then always the same is stuck, whatever the distance of the two.
    @Test func `a single wrong count is no step`() throws {
        let measured = hub(3, step: 1, seed: 1) { index, counts in counts[0] = index == 0 ? 0 : 300 }
        #expect(measured.faults.contains("stuck") && measured.motion?.stuckAxes.map(\.axis) == ["x"])
        #expect(abs(try #require(measured.motion?.step) - 9.81e-5) < 1e-9)
        // One that only flickers between two counts, beside one that does not vary at all, is too coarse to tell.
        let coarse = hub(0.15, step: 16, seed: 1) { index, counts in
            counts = [0, index % 3 == 0 ? 16 : 0, index % 4 == 0 ? 100_016 : 100_000]
        }
        #expect(!coarse.faults.contains("stuck"))
    }

    /// A sine beside which the chip's own noise is small.
    @Test(arguments: [3.3, 10.4, 20.3, 30], [0.05, 0.2]) func `a vibration is not clipped`(
        amplitude: Double, sigma: Double
    ) throws {
        var generator = Generator(seed: 5)
        var series = MotionSeries(
            key: "k", kind: .accelerometer, name: "hub", method: .buffer, nominalRate: 100,
            axes: ["x", "y", "z"].map { ChipAxis($0, scale: 9.81e-4) })
        for index in 0..<1000 {
            let value = amplitude * sin(2 * .pi * 17.31 * Double(index) / 100)
            let counts = [0, 0, 10_000].map { Int32((Double($0) + value + sigma * generator.normal()).rounded()) }
            series.append(time: Int64(index) * 10_000_000, counts: counts)
        }
        #expect(try #require(series.measured().motion).clippedAxes == [])
    }

    @Test func `counts as far apart as they can be are no fault of the program`() {
        var series = MotionSeries(
            key: "k", kind: .gyroscope, name: "n", method: .buffer, axes: ["x", "y"].map { ChipAxis($0, scale: 1) })
        for index in 0..<200 as Range<Int64> {
            let count = index % 3 == 0 ? Int32.min : .max
            series.append(time: index * 1_000_000, counts: [count, count])
        }
        #expect(series.measured().samples == 200)
    }

    /// Many gaps of the greatest length.
    @Test func `more missing samples than a number holds are no fault of the program`() {
        var series = MotionSeries(
            key: "k", kind: .gyroscope, name: "n", method: .buffer, axes: [ChipAxis("x", scale: 1)])
        var time: Int64 = 0
        for index in 0..<46_000 {
            series.append(time: time, counts: [Int32(index % 7)])
            time &+= index % 5 < 2 ? 1_000_000_000_000_000 : 1
        }
        #expect(series.measured().verdict == .bad)
    }

    @Test func `an axis at the end of its format is clipped`() throws {
        var signal = Chip.bmi160.atRest
        signal.mean[2] = 2 * Chip.g
        let figures = try #require(Chip.bmi160.series(signal, rate: 100, seconds: 10, seed: 3).measured().motion)
        #expect(figures.clippedAxes.map(\.axis) == ["z"])
        #expect(figures.clippedAxes.map(\.value) == [32767])
    }
}
