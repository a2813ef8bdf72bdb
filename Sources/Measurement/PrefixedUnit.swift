internal import Glibc
internal import Readiness

/// A unit with the SI prefix that suits the largest of some values, to print these values.
///
/// Values that are compared by eye, such as the axes of a sensor, share one. Source: The International System of Units
/// (SI brochure), 9th edition, 3 and 5.4.
package struct PrefixedUnit: Sendable, Hashable {
    /// The prefix and the unit, such as `µrad/s`.
    package let name: String
    /// One of this unit in the unit without a prefix, such as 1e-6.
    package let size: Double

    private static let prefixes: [(symbol: String, size: Double)] = [
        ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9), ("p", 1e-12),
    ]
    /// The units that take a prefix; percent, degrees and decibels do not.
    private static let units: Set<String> = [
        "m", "m/s", "m/s²", "m/s²/√Hz", "rad/s", "rad/s/√Hz", "Hz", "s",
    ]

    /// Chooses the prefix by the largest of the values; none for zero, and for values beyond all prefixes.
    package init(_ unit: String, for values: [Double]) {
        let largest = values.reduce(0.0) { $1.isFinite ? max($0, abs($1)) : $0 }
        let prefix = Self.prefixes.first { prefix in
            // Three digits round 999.5 up to 1.00 of the next prefix. Nobody counts in kiloseconds.
            largest >= 0.9995 * prefix.size && !(unit == "s" && prefix.size > 1)
        }
        guard let prefix, Self.units.contains(unit) else {
            (name, size) = (unit, 1)
            return
        }
        (name, size) = (prefix.symbol + unit, prefix.size)
    }

    /// A value in this unit, such as `4.87`.
    package func number(_ value: Double, digits: Int = 3) -> String { (value / size).significant(digits) }

    /// An estimate in this unit, such as `4.87 ± 0.31`.
    ///
    /// The uncertainty has two significant digits, and the value as many decimals. An uncertainty that is not known is
    /// left out, and the value has two digits then; a value without uncertainty has at most five. Source: JCGM 100:2008
    /// (GUM), 7.2.6.
    package func number(_ estimate: Estimate) -> String {
        let (value, uncertainty) = (estimate.value / size, estimate.uncertainty / size)
        guard uncertainty.isFinite else { return value.significant(2) }
        guard uncertainty > 0, value.isFinite else { return value.significant(5, trimmed: true) }
        let exponent = Int(floor(log10(uncertainty)))
        // Two digits may round up to three.
        let decimals = (uncertainty / pow(10, Double(exponent - 1))).rounded() < 100 ? 1 - exponent : -exponent
        guard decimals <= 9, max(abs(value), uncertainty) < 1e6 else {
            return "\(value.significant(5, trimmed: true)) ± \(uncertainty.significant(2))"
        }
        return "\(value.fixed(max(decimals, 0))) ± \(uncertainty.fixed(max(decimals, 0)))"
    }
}

extension Estimate {
    /// The value with its uncertainty and unit, such as `4.87 ± 0.31 µrad/s`.
    package func words(_ unit: String) -> String {
        let unit = PrefixedUnit(unit, for: [value])
        return "\(unit.number(self)) \(unit.name)"
    }

    /// A share in percent, such as `15.2 ± 1.5 %`.
    var percent: String { scaled(by: 100).words("%") }
}

extension Double {
    /// A measured value with its unit, such as `1.00 kHz`.
    package func words(_ unit: String, digits: Int = 3) -> String {
        let unit = PrefixedUnit(unit, for: [self])
        return "\(unit.number(self, digits: digits)) \(unit.name)"
    }

    /// A value that is given and not measured, such as a limit, with its unit and without trailing zeros: `1 kHz`.
    package func stated(_ unit: String, digits: Int = 3) -> String {
        let unit = PrefixedUnit(unit, for: [self])
        return "\((self / unit.size).significant(digits, trimmed: true)) \(unit.name)"
    }
}

extension AxisEstimates {
    /// The values of the axes in order with their unit, such as `x 4.87 ± 0.31, y 4.84 ± 0.31 µrad/s`; nil without any.
    ///
    /// A value of zero about which only `limit` is known is shown as less than that.
    package func words(_ unit: String, below limit: Double? = nil) -> String? {
        let isBelow = { (estimate: Estimate) in estimate.value == 0 && !estimate.uncertainty.isFinite }
        let axes = zip(["x", "y", "z"], all).compactMap { axis, estimate in estimate.map { (axis, $0) } }
        guard !axes.isEmpty else { return nil }
        let unit = PrefixedUnit(unit, for: axes.map { isBelow($0.1) ? limit ?? 0 : $0.1.value })
        let values = axes.map { axis, estimate -> String in
            if let limit, isBelow(estimate) { return "\(axis) < \(unit.number(limit, digits: 2))" }
            return "\(axis) \(unit.number(estimate))"
        }
        return "\(values.joined(separator: ", ")) \(unit.name)"
    }
}

extension String {
    /// A signed axis such as `-y` with a typographic minus.
    package var axisWords: String { hasPrefix("-") ? "−" + dropFirst() : self }
}
