package import Readiness

/// Decides whether one sample of an accelerometer or a gyroscope can be true; used by every source of such samples.
///
/// A sample that no chip can deliver is impossible. One that is improbable, such as a gravity of 1 m/s², is doubtful: a
/// probe cannot know whether the rig rests. `Documentation/motion-sources.md` lists the rules.
package struct MotionPlausibility {
    /// The number of one axis as the driver passes it on, before offset and scale.
    package struct AxisCount: Sendable {
        package var value: Double
        /// The least and the greatest number of its format; nil if unknown.
        package var limits: ClosedRange<Double>?
        /// Whether an offset is added, so that no sign is expected.
        package var hasOffset: Bool

        package init(_ value: Double, limits: ClosedRange<Double>? = nil, hasOffset: Bool = false) {
            self.value = value
            self.limits = limits
            self.hasOffset = hasOffset
        }
    }

    package enum Implausibility: Sendable, Hashable {
        /// Negative numbers that arrive as unsigned ones.
        case wrapAround
        case beyondRange
        /// All bits of all axes are set, as of a bus on which nothing answers.
        case allOnes
        /// Every axis is at an end of its format.
        case atEnds
        /// One axis is at an end of its format.
        case saturated
        /// Gravity of 1 m/s² or of 2 g.
        case wrongUnit
    }

    package enum Outcome: Sendable, Equatable {
        case plausible
        /// The index of the axis that shows it, and what is wrong in one clause.
        case impossible(Implausibility, axis: Int, String)
        case doubtful(Implausibility, axis: Int, String)
    }

    private let kind: SensorKind
    /// The names of the axes.
    private let names: [String]
    /// Nil where the source passes on no counts.
    private let counts: [AxisCount]?
    /// In SI units along the chip's axes; nil if the unit is unknown.
    private let values: [Double]?

    package init(_ kind: SensorKind, names: [String], counts: [AxisCount]?, values: [Double]?) {
        self.kind = kind
        self.names = names
        self.counts = counts
        self.values = values
    }

    /// The bound of each quantity, in SI units: no chip measures more.
    ///
    /// The widest accelerometer with a driver in Linux measures ±400 g (ST H3LIS331DL, `st_accel`), the widest capacitive
    /// one ±500 g (Analog Devices ADXL1004); four times that is the bound. The widest gyroscope measures ±20,000 °/s
    /// (Analog Devices ADXRS649).
    package static func bound(of kind: SensorKind) -> Double {
        kind == .accelerometer ? 2000 * standardGravity : 20_000 * degree
    }

    /// What the chips of phones, laptops and vehicles measure at most: ±16 g, with a margin; ±4000 °/s.
    private static func ordinary(_ kind: SensorKind) -> Double {
        kind == .accelerometer ? 20 * standardGravity : 4000 * degree
    }

    /// The smallest range that chips have, ±2 g and ±250 °/s: below it no range is exceeded.
    package static func leastRange(of kind: SensorKind) -> Double {
        kind == .accelerometer ? 2 * standardGravity : 250 * degree
    }

    private static let degree = Double.pi / 180

    /// The verdict on a sample.
    ///
    /// `range` gives the most that the chip measures in SI units, and is asked only for values beyond every chip's
    /// smallest range; nil if unknown. Without gravity the magnitude is not judged.
    package func verdict(includesGravity: Bool = true, range: () -> Double? = { nil }) -> Outcome {
        allOnes() ?? allAtEnds() ?? wrapAround() ?? beyond(range) ?? oneAtEnd() ?? (includesGravity ? unit() : nil)
            ?? .plausible
    }

    /// -1 on all axes.
    ///
    /// A resting gyroscope, or a level accelerometer of two axes, may measure that.
    private func allOnes() -> Outcome? {
        guard let counts, counts.count >= 2, counts.allSatisfy({ $0.value == -1 }) else { return nil }
        let words = "-1 on all \(counts.count) axes, as on a bus where nothing answers (all bits set)"
        return kind == .accelerometer && counts.count >= 3
            ? .impossible(.allOnes, axis: 0, words) : .doubtful(.allOnes, axis: 0, words)
    }

    private func allAtEnds() -> Outcome? {
        guard let counts, counts.count >= 2, let first = counts.first else { return nil }
        if counts.allSatisfy({ $0.limits != nil }) {
            guard counts.allSatisfy(\.isAtEnd) else { return nil }
        } else {
            guard let bits = Self.endBits(first.value), counts.allSatisfy({ Self.endBits($0.value) == bits }) else {
                return nil
            }
        }
        let numbers = counts.map { Self.text($0.value) }.joined(separator: ", ")
        return .impossible(
            .atEnds, axis: 0, "all \(counts.count) axes are at an end of their format (\(numbers))")
    }

    /// The bits k of a number that is 2^k - 1 or -2^k, as the ends of a format are; nil for every other number.
    private static func endBits(_ value: Double) -> Int? {
        (7...32).first { bits in
            let power = Double(sign: .plus, exponent: bits, significand: 1)
            return value == power - 1 || value == -power
        }
    }

    /// A number of 16, 24 or 32 unsigned bits that would be plausible as a negative one, and is not as it is.
    ///
    /// Beyond what ordinary chips measure that is certain, and so it is if the other reading is that of a rig at rest.
    /// Else it is doubtful, and only if no axis is negative: then the sign does arrive.
    private func wrapAround() -> Outcome? {
        guard let counts, let values else { return nil }
        let wrapped = zip(counts, values).map { count, value in
            Self.wrapped(count).map { $0.value * (value / count.value) } ?? value
        }
        let isNegative = counts.contains { $0.value < 0 }
        let magnitude = wrapped.reduce(0.0) { $0 + $1 * $1 }.squareRoot()
        let isAtRest =
            kind == .accelerometer && values.count >= 3 && abs(magnitude - standardGravity) < standardGravity / 4
        for index in counts.indices {
            guard let other = Self.wrapped(counts[index]), abs(wrapped[index]) <= Self.ordinary(kind),
                abs(values[index]) > Self.leastRange(of: kind)
            else { continue }
            let words =
                "\(names[index]) is \(amount(values[index])), which looks like an unsigned \(other.bits)-bit "
                + "wrap-around: \(Self.text(counts[index].value)) would be \(Self.text(other.value)) with its sign, "
                + "\(amount(wrapped[index]))"
            if abs(values[index]) > Self.ordinary(kind) { return .impossible(.wrapAround, axis: index, words) }
            // A wide signed format holds the number as it is.
            if isNegative || counts[index].isWide { continue }
            return isAtRest
                ? .impossible(.wrapAround, axis: index, words) : .doubtful(.wrapAround, axis: index, words)
        }
        return nil
    }

    /// The negative number of the same bits; nil for a number that is none without its sign.
    private static func wrapped(_ count: AxisCount) -> (bits: Int, value: Double)? {
        guard !count.hasOffset else { return nil }
        for bits in [16, 24, 32] {
            let power = Double(sign: .plus, exponent: bits, significand: 1)
            if power / 2 <= count.value, count.value < power { return (bits, count.value - power) }
        }
        return nil
    }

    private func beyond(_ range: () -> Double?) -> Outcome? {
        guard let values, let greatest = values.indices.max(by: { abs(values[$0]) < abs(values[$1]) }),
            abs(values[greatest]) > Self.leastRange(of: kind)
        else { return nil }
        let words = "\(names[greatest]) is \(amount(values[greatest]))"
        if abs(values[greatest]) > Self.bound(of: kind) {
            let bound = amount(Self.bound(of: kind))
            return .impossible(.beyondRange, axis: greatest, "\(words); no chip measures more than \(bound)")
        }
        // The range is printed rounded.
        guard let range = range(), abs(values[greatest]) > range * 1.01 else { return nil }
        return .impossible(
            .beyondRange, axis: greatest, "\(words); the widest range that its driver lists is \(amount(range))")
    }

    private func oneAtEnd() -> Outcome? {
        guard let counts, let index = counts.firstIndex(where: \.isAtEnd) else { return nil }
        return .doubtful(
            .saturated, axis: index,
            "\(names[index]) is at the end of its format (\(Self.text(counts[index].value))): "
                + "it saturates or is stuck")
    }

    /// A magnitude that is gravity in g, or twice gravity.
    private func unit() -> Outcome? {
        guard kind == .accelerometer, let values, values.count == 3 else { return nil }
        let magnitude = values.reduce(0.0) { $0 + $1 * $1 }.squareRoot()
        func isNear(_ expected: Double) -> Bool { abs(magnitude - expected) <= expected * 0.05 }
        let words = "its magnitude is \(amount(magnitude))"
        if isNear(1) { return .doubtful(.wrongUnit, axis: 0, "\(words): if the rig rests, its scale is in g") }
        if isNear(2 * standardGravity) {
            return .doubtful(.wrongUnit, axis: 0, "\(words): if the rig rests, its scale is twice what it should be")
        }
        return nil
    }

    private func amount(_ value: Double) -> String {
        "\(Self.text(value)) \(kind == .accelerometer ? "m/s²" : "rad/s")"
    }

    private static func text(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
}

extension MotionPlausibility.AxisCount {
    /// Whether it is the least or the greatest number of its format, of 16 signed bits if that is unknown.
    ///
    /// Zero is not counted: it is the end of an unsigned format, and the value of a gyroscope at rest.
    fileprivate var isAtEnd: Bool {
        let limits = limits ?? -32768...32767
        return value != 0 && (value == limits.lowerBound || value == limits.upperBound)
    }

    /// Whether its format has a sign and holds it.
    fileprivate var isWide: Bool { limits.map { $0.lowerBound < 0 && $0.contains(value) } ?? false }
}
