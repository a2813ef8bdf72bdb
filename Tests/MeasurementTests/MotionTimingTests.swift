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
}
