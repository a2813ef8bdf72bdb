internal import Glibc

extension Estimate {
    /// The same estimate in a unit that is so many times smaller.
    package func scaled(by factor: Double) -> Estimate { Estimate(value * factor, uncertainty: uncertainty * factor) }

    /// Where the true value is beside a limit; nil if the interval holds the limit.
    func isAbove(_ limit: Double) -> Bool? {
        value - uncertainty > limit ? true : value + uncertainty <= limit ? false : nil
    }
}

/// The percentile of sorted values, by linear interpolation between the two nearest; nil for none.
///
/// Source: Hyndman and Fan, "Sample Quantiles in Statistical Packages", type 7, which numpy and R use too.
func percentile(_ share: Double, of sorted: some RandomAccessCollection<Double>) -> Double? {
    guard !sorted.isEmpty else { return nil }
    func value(_ rank: Int) -> Double { sorted[sorted.index(sorted.startIndex, offsetBy: rank)] }
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return value(below) + (value(above) - value(below)) * (place - Double(below))
}

/// The median of values in any order; nil for none.
func median(_ values: [Double]) -> Double? { percentile(0.5, of: values.sorted()) }

/// The percentile of sorted values with its uncertainty, however they are distributed; nil for none.
///
/// The interval is that of the values whose ranks enclose the percentile in 95 of 100 samples; its greater half counts,
/// and where there are too few values for such ranks it is unknown. Source: David and Nagaraja, "Order Statistics", 7.1.
func percentileEstimate(_ share: Double, of sorted: [Double]) -> Estimate? {
    guard let value = percentile(share, of: sorted) else { return nil }
    let count = Double(sorted.count)
    let width = 1.959963984540054 * (count * share * (1 - share)).squareRoot()
    let low = Int((share * count - width).rounded(.down))
    let high = Int((share * count + width).rounded(.up))
    guard low >= 1, high <= sorted.count else { return Estimate(value, uncertainty: .infinity) }
    return Estimate(value, uncertainty: max(value - sorted[low - 1], sorted[high - 1] - value))
}

/// The quantile of Student's distribution that leaves 2.5 % above it.
///
/// Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.5; its table 26.10 for the first two.
func studentQuantile(freedom: Int) -> Double {
    switch freedom {
    case ..<1: return .infinity
    case 1: return 12.706
    case 2: return 4.303
    default:
        let z = 1.959963984540054
        let v = Double(freedom)
        let z3 = z * z * z
        let z5 = z3 * z * z
        let z7 = z5 * z * z
        return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v)
            + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v)
    }
}

/// The share of a standard deviation of normal noise by which it may be wrong, at 95 %.
///
/// The logarithm of a standard deviation of n samples has the standard deviation 1 / √(2 (n − 1)).
func relativeUncertaintyOfDeviation(freedom: Int) -> Double {
    freedom < 1 ? .infinity : exp(1.959963984540054 / (2 * Double(freedom)).squareRoot()) - 1
}

/// The share of the width that holds 95 of 100 normal values by which it may be wrong, at 95 %.
///
/// The p-th percentile of n values of the density f has the variance p (1 − p) / (n f²); for both ends of 3.92 σ this
/// makes 0.951 / √n of the width. Source: Cramér, "Mathematical Methods of Statistics", 28.5.
func relativeUncertaintyOfWidth(count: Double) -> Double { 1.959963984540054 * 0.951 / count.squareRoot() }

/// The least number of samples that tells a standard deviation to a share of itself, at 95 %.
func samplesForDeviation(within share: Double) -> Double {
    let z = 1.959963984540054 / log(1 + share)
    return z * z / 2 + 1
}

/// The half width of the 95 % interval of the mean of values that may depend on their neighbours.
///
/// The means of 20 (or 10) consecutive batches depend on one another far less than the values; where there are too few
/// values for that they are taken one by one. Source: Schmeiser, "Batch Size Effects in the Analysis of Simulation
/// Output".
func uncertaintyOfMean(count: Int, sumOfRange: (Range<Int>) -> Double) -> Double {
    guard count > 1 else { return .infinity }
    let batches = count >= 200 ? 20 : count >= 40 ? 10 : count
    let size = count / batches
    var mean = 0.0
    var squares = 0.0
    for batch in 0..<batches {
        let value = sumOfRange(batch * size..<(batch + 1) * size) / Double(size)
        let before = value - mean
        mean += before / Double(batch + 1)
        squares += before * (value - mean)
    }
    let deviation = (squares / Double(batches - 1)).squareRoot()
    return studentQuantile(freedom: batches - 1) * deviation / Double(batches).squareRoot()
}
