import Measurement
import Testing

@Suite struct SampleColumnsTests {
    @Test(
        arguments: [
            [1, -2, 32767, -32768], [0, 32768], [-32769, 5, 7], [1, 2, .max, 3, .min, 4], [],
            [1_000_000, 1_032_767, 967_232], [1_000_000, 967_231], [.min, .min + 32767, .max],
            (0..<100).map { $0 * 32767 },
        ] as [[Int32]])
    func `counts come back as they were, whether or not they fit in two bytes`(counts: [Int32]) {
        let column = CountColumn(counts)
        #expect(Array(column) == counts)
        #expect(column.count == counts.count && column.first == counts.first && column.last == counts.last)
        #expect(column == CountColumn(counts))
    }

    /// Regular ones at 500 Hz, swapped ones, and jumps of more than two seconds in both directions and of the whole range.
    @Test(arguments: [[], [200], [1_500_000_000], [3_000_000_000], [-3_000_000_000], [.max, .min]] as [[Int64]])
    func `times come back as they were, near or far from each other`(jumps: [Int64]) {
        var times = (0..<100).map { 1_700_000_000_000_000_000 + Int64($0) * 2_000_000 }
        times.swapAt(31, 32)
        for (index, jump) in jumps.enumerated() { times[40 + index] = times[40 + index] &+ jump }
        let column = TimeColumn(times)
        #expect(Array(column) == times)
        #expect(column.min() == times.min() && column.max() == times.max())
    }
}
