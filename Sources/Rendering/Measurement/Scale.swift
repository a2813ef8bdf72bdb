internal import Readiness
internal import Glibc
internal import Measurement

/// How values become places along one axis of a plot.
struct Scale {
    /// A labelled place.
    typealias Tick = (value: Double, label: String)

    private(set) var low, high: Double
    let isLogarithmic: Bool
    /// The unit of the labels; nil where they are plain numbers.
    private let unit: PrefixedUnit?

    /// A linear scale around values, or none of finite ones around zero; `least` is its least length.
    init(
        _ values: some Sequence<Double>, in unit: PrefixedUnit? = nil, least: Double = 0, includesZero: Bool = false
    ) {
        var (low, high) = (Double.infinity, -Double.infinity)
        for value in values where value.isFinite {
            low = Swift.min(low, value.drawable)
            high = Swift.max(high, value.drawable)
        }
        if low > high { (low, high) = (0, 0) }
        if includesZero { (low, high) = (Swift.min(low, 0), Swift.max(high, 0)) }
        let length = Swift.max(least, abs(high) * 1e-6, high == low ? Swift.max(abs(high) * 1e-3, 1e-9) : 0)
        if high - low < length {
            let middle = low / 2 + high / 2
            (low, high) = (middle - length / 2, middle + length / 2)
        }
        let margin = (high - low) * 0.05
        self.low = includesZero && low == 0 ? 0 : low - margin
        self.high = high + margin
        isLogarithmic = false
        self.unit = unit
    }

    /// A linear scale from one value to another.
    init(from low: Double, to high: Double) {
        self.low = low.drawable
        self.high = Swift.max(high.drawable, self.low + 1e-9)
        isLogarithmic = false
        unit = nil
    }

    /// A logarithmic scale around positive values, over at least one decade and at most twelve.
    init(logarithmic values: some Sequence<Double>) {
        var (low, high) = (Double.infinity, 0.0)
        for value in values where value.isFinite && value > 0 {
            low = Swift.min(low, value.drawable)
            high = Swift.max(high, value.drawable, 1e-100)
        }
        if high == 0 { (low, high) = (1, 1) }
        low = Swift.max(low, high * 1e-12)
        let (first, last) = (log10(low), log10(high))
        let margin = Swift.max(0.05 * (last - first), (1 - (last - first)) / 2)
        self.low = pow(10, first - margin)
        self.high = pow(10, last + margin)
        isLogarithmic = true
        unit = nil
    }

    /// Where a value is: 0 at the low end, 1 at the high one.
    func share(_ value: Double) -> Double {
        isLogarithmic
            ? log10(Swift.max(value, low * 1e-3) / low) / log10(high / low) : (value - low) / (high - low)
    }

    /// Labelled places at round values, about so many.
    func ticks(_ count: Int) -> [Tick] { isLogarithmic ? decades(count) : roundValues(count) }

    private func decades(_ count: Int) -> [Tick] {
        let (first, last) = (Int(log10(low).rounded(.up)), Int(log10(high).rounded(.down)))
        // Over few decades 2 and 5 are labelled too.
        guard last - first >= 2 else {
            return (first - 1...Swift.max(last, first - 1)).flatMap { exponent in
                [1.0, 2, 5].map { ($0 * pow(10, Double(exponent)), Self.label($0, exponent)) }
            }.filter { low...high ~= $0.value }
        }
        let step = Swift.max(1, (last - first + 1 + count - 1) / Swift.max(count, 1))
        return stride(from: first, through: last, by: step).map { exponent in
            (pow(10, Double(exponent)), Self.label(1, exponent))
        }
    }

    private static func label(_ digit: Double, _ exponent: Int) -> String {
        guard !(-4...4).contains(exponent) else { return (digit * pow(10, Double(exponent))).significant(1) }
        return (digit == 1 ? "" : "\(Int(digit))·") + "10" + superscript(exponent)
    }

    private func roundValues(_ count: Int) -> [Tick] {
        let size = unit?.size ?? 1
        let (low, high) = (low / size, high / size)
        let rough = (high - low) / Double(Swift.max(count, 1))
        guard rough.isFinite, rough > 0 else { return [] }
        let exponent = floor(log10(rough))
        let power = pow(10, exponent)
        let step = ([1, 2, 5, 10].first { $0 * power >= rough * 0.999 } ?? 10) * power
        let decimals = Swift.max(0, -Int(floor(log10(step) + 1e-9)))
        let (first, last) = ((low / step).rounded(.up), (high / step).rounded(.down))
        guard last - first < 100, abs(first) < 1e12, decimals < 12 else { return [] }
        return stride(from: first, through: last, by: 1).map { place in
            (place * step * size, (place * step).fixed(decimals))
        }
    }

    private static func superscript(_ number: Int) -> String {
        let digits: [Character] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
        return (number < 0 ? "⁻" : "") + String(String(abs(number)).compactMap(\.wholeNumberValue).map { digits[$0] })
    }
}

extension Double {
    /// The value in bounds whose differences and logarithms stay finite; zero for one that is no number.
    var drawable: Double { isNaN ? 0 : Swift.min(Swift.max(self, -1e15), 1e15) }
}
