import Measurement
@testable import Rendering
import Testing

/// What the times of samples tell: gaps, and samples out of order.
extension MotionMeasurementTests {
    @Test func `every gap is found at its sample`() throws {
        for seed in 0..<50 as Range<UInt64> {
            var generator = Generator(seed: seed)
            var signal = Chip.bmi160.atRest
            signal.timeNoise = 0.02
            var expected: [SampleGap] = []
            var at = 10
            var lost = 0
            for _ in 0..<Int.random(in: 1...30, using: &generator) {
                at += Int.random(in: 5...40, using: &generator)
                let missing = Int.random(in: 1...9, using: &generator)
                for index in at..<at + missing { signal.lost.insert(index) }
                expected.append(SampleGap(index: at - lost, seconds: 0, missing: missing))
                at += missing
                lost += missing
            }
            let measured = Chip.bmi160.series(signal, rate: 100, seconds: 20, seed: seed).measured()
            let found = try #require(measured.gaps)
            #expect(found.map(\.index) == expected.map(\.index))
            #expect(found.map(\.missing) == expected.map(\.missing))
            let finding = try #require(measured.findings.first { $0.check == .gaps })
            let allowed = Int((0.02 * Double(measured.samples)).rounded(.up))
            #expect(finding.severity == (expected.count > min(20, allowed) ? .bad : .warning))
        }
    }

    @Test func `a document lists a hundred gaps, and its finding has their number`() throws {
        var signal = Chip.bmi160.atRest
        for index in stride(from: 10, to: 7490, by: 5) { signal.lost.insert(index) }
        let measured = Chip.bmi160.series(signal, rate: 500, seconds: 15, seed: 1).measured()
        #expect(measured.gaps?.count == 1496)
        #expect(try #require(measured.findings.first { $0.check == .gaps }).detail.contains("1496"))
        let line = MeasurementReport.SensorLine(measured)
        #expect(line.gaps?.count == 100)
    }

    @Test func `every swapped sample is found, and is not a gap`() throws {
        for seed in 0..<50 as Range<UInt64> {
            var generator = Generator(seed: seed)
            var signal = Chip.bmi160.atRest
            signal.swapped = (0..<20).map { $0 * 40 + Int.random(in: 3...30, using: &generator) }
            let measured = Chip.bmi160.series(signal, rate: 100, seconds: 10, seed: seed).measured()
            #expect(measured.outOfOrder == signal.swapped.map { $0 + 1 })
            #expect(measured.gaps == [])
            #expect(measured.faults == ["order"])
            #expect(measured.verdict == .bad)
        }
    }

    /// A healthy minute whose blocks of a quarter of a second arrive on the rig's clock as a closure has it, in seconds.
    private func arriving(_ seconds: Double = 60, at received: (Double) -> Double) -> SensorMeasurement {
        let series = Chip.bmi160.series(Chip.bmi160.atRest, rate: 100, seconds: seconds, seed: 7)
        var arriving = MotionSeries(
            key: series.key, kind: series.kind, name: series.name, method: .buffer, nominalRate: 100,
            clock: series.clock,
            axes: series.axes)
        for index in series.times.indices {
            arriving.append(time: series.times[index], counts: series.counts.map { $0[index] })
            if index % 25 == 24 { arriving.noteArrival(after: received(Double(index + 1) / 100)) }
        }
        return arriving.measured()
    }

    @Test func `a clock that does not run as the rig's is found`() throws {
        // 65 of 100 samples are lost, and the times of those that come are made up.
        for seconds in [10.0, 60] {
            let lossy = arriving(seconds) { $0 / 0.35 }
            #expect(lossy.faults == ["clock"] && lossy.verdict == .bad)
            let finding = try #require(lossy.findings.first { $0.check == .clock })
            #expect(finding.source == "Android CTS, TimestampClockSourceVerification.java")
        }
        for seconds in [10.0, 60] {
            #expect(arriving(seconds) { $0 / 0.45 }.faults == ["clock"])
            #expect(arriving(seconds) { $0 / 2.2 }.faults == ["clock"])
            // On an overloaded rig the samples of a good clock come ever later.
            #expect(arriving(seconds) { $0 / 0.59 }.faults == [])
        }
        // A busy rig receives late, for some seconds even all; the samples are as they should be.
        #expect(arriving { $0 }.faults == [])
        #expect(arriving(10) { $0 + ($0 > 7 && $0 < 9.5 ? 9.5 - $0 : 0) }.faults == [])
        #expect(arriving(10) { $0 < 2.5 ? 2.5 : $0 }.faults == [])
        // One wrong time among them does not count.
        for second in [10.25, 50.25] {
            #expect(arriving { abs($0 - second) < 0.01 ? $0 - 3600 : $0 }.faults == [])
        }
        // Too few arrivals tell nothing.
        #expect(arriving(3) { $0 / 0.35 }.faults == [])
    }
}
