/// The greatest common divisor of two numbers of which neither is negative; that of zero and another one is the other one.
func greatestCommonDivisor(_ one: Int64, _ other: Int64) -> Int64 {
    var (divisor, rest) = (one, other)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    return divisor
}

/// What one column of counts tells, in counts.
struct ColumnStatistics {
    /// The first count, from which the sums are taken, so that they stay exact.
    let origin: Int64
    let mean: Double
    /// The sum of (count − mean)².
    let squares: Double
    /// The straight drift, in counts a sample.
    let slope: Double
    let least, greatest: Int32
    /// The runs of more than a number of equal counts.
    let runs: [AxisFault]
    /// The greatest common divisor of all differences; 0 if the counts are equal.
    let divisor: Int64
    /// Whether it has more than a few counts, so that a single wrong one does not make the divisor.
    let isVaried: Bool
    /// The variance of the noise, without drift, motion and runs, but with that of the steps; nil if all are in runs.
    ///
    /// From the differences of neighbours in blocks of 50 samples, of which the first quartile is taken: the quiet
    /// ones.
    let variance: Double?

    /// Analyses a column of one count or more.
    init(_ counts: CountColumn, of axis: ChipAxis, longestRun: Int) {
        let first = Int64(counts[0])
        var sum: Int64 = 0
        var moment = 0.0
        var squares = 0.0
        var least = counts[0]
        var greatest = counts[0]
        var runs: [AxisFault] = []
        var runStart = 0
        let centre = Double(counts.count - 1) / 2
        func endRun(at end: Int) {
            guard end - runStart > longestRun else { return }
            runs.append(AxisFault(axis: axis.name, index: runStart, count: end - runStart, value: counts[runStart]))
        }
        for (index, count) in counts.enumerated() {
            let shifted = Int64(count) - first
            sum += shifted
            let value = Double(shifted)
            squares += value * value
            moment += value * (Double(index) - centre)
            least = min(least, count)
            greatest = max(greatest, count)
            if count != counts[runStart] {
                endRun(at: index)
                runStart = index
            }
        }
        endRun(at: counts.count)
        let n = Double(counts.count)
        let shiftedMean = Double(sum) / n
        origin = first
        mean = Double(first) + shiftedMean
        self.squares = max(squares - n * shiftedMean * shiftedMean, 0)
        slope = counts.count > 1 ? moment / Self.spread(counts.count) : 0
        self.least = least
        self.greatest = greatest
        self.runs = runs
        (divisor, isVaried) = Self.levels(counts)
        variance = Self.variance(counts, outside: runs)
    }

    /// The standard deviation of the noise itself, in steps of so many counts.
    ///
    /// The steps' own variance of 1/12 is taken off (Sheppard's correction).
    func noise(inStepsOf step: Int64) -> Double? {
        variance.map { max($0 / (Double(step) * Double(step)) - 1.0 / 12, 0).squareRoot() }
    }

    private static func levels(_ counts: CountColumn) -> (divisor: Int64, isVaried: Bool) {
        let first = Int64(counts[0])
        var divisor: Int64 = 0
        var different: [Int32] = []
        for count in counts {
            divisor = greatestCommonDivisor(divisor, abs(Int64(count) - first))
            if different.count < 5, !different.contains(count) { different.append(count) }
            if divisor == 1, different.count == 5 { break }
        }
        return (divisor, counts.count >= 50 && different.count == 5)
    }

    /// The sum of (index − mean index)².
    static func spread(_ count: Int) -> Double {
        let n = Double(count)
        return n * (n * n - 1) / 12
    }

    private static func variance(_ counts: CountColumn, outside runs: [AxisFault]) -> Double? {
        var variances: [Double] = []
        let length = min(50, counts.count)
        var run = 0
        var start = 0
        while start + length <= counts.count {
            let end = start + length
            defer { start = end }
            while run < runs.count, runs[run].index + runs[run].count <= start { run += 1 }
            if run < runs.count, runs[run].index < end { continue }
            guard length > 1 else { continue }
            var sum = 0.0
            for index in start + 1..<end {
                let difference = Double(counts[index]) - Double(counts[index - 1])
                sum += difference * difference
            }
            variances.append(sum / Double(2 * (length - 1)))
        }
        return percentile(0.25, of: variances.sorted())
    }
}
