extension String {
    /// The text on one line, with each scalar replaced that XML 1.0 or YAML 1.1 forbids.
    package var printable: String {
        var scalars = UnicodeScalarView()
        for scalar in singleLine.unicodeScalars {
            switch scalar.value {
            case 0x20...0x7e, 0xa0...0xd7ff, 0xe000...0xfefe, 0xff00...0xfffd, 0x1_0000...0x10_ffff:
                scalars.append(scalar)
            default: scalars.append("\u{fffd}")
            }
        }
        return String(scalars)
    }

    /// The text with the special characters of XML 1.0 escaped, and forbidden ones replaced.
    package var xml: String {
        var text = ""
        for scalar in printable.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text with a backslash before each of some scalars.
    package func escaping(_ special: [Unicode.Scalar]) -> String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            if special.contains(scalar) { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }
}

extension Double {
    /// The number with this many decimals, in any locale.
    package func fixed(_ decimals: Int) -> String {
        guard isFinite, abs(self) < 1e12 else { return "\(self)" }
        let factor = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
        let scaled = Int64((self * factor).rounded())
        return (scaled < 0 ? "−" : "") + abs(scaled).decimal(decimals)
    }

    /// The number with this many significant digits, with an exponent only where it would be long.
    ///
    /// Zeros at its end count as digits, such as `1.00`, unless it is `trimmed`.
    package func significant(_ digits: Int, trimmed: Bool = false) -> String {
        guard isFinite else { return isNaN ? "unknown" : self < 0 ? "−∞" : "∞" }
        guard self != 0 else { return "0" }
        var size = 0
        var rest = abs(self)
        while rest >= 10 { (rest, size) = (rest / 10, size + 1) }
        while rest < 1 { (rest, size) = (rest * 10, size - 1) }
        let power = (1..<digits).reduce(1.0) { product, _ in product * 10 }
        // What is rounded up to ten has one digit more before the point.
        if (rest * power).rounded() >= power * 10 { (rest, size) = (1, size + 1) }
        let sign = self < 0 ? -1.0 : 1
        guard -5...9 ~= size else {
            let mantissa = (sign * rest).fixed(digits - 1)
            return "\(trimmed ? mantissa.withoutLastZeros : mantissa)e\(size < 0 ? "−" : "")\(abs(size))"
        }
        let decimals = digits - 1 - size
        guard decimals > 0 else {
            let unit = (0..<(-decimals)).reduce(1.0) { product, _ in product * 10 }
            return ((self / unit).rounded() * unit).fixed(0)
        }
        return trimmed ? fixed(decimals).withoutLastZeros : fixed(decimals)
    }
}

extension String {
    /// The number without the zeros at the end of its decimals.
    fileprivate var withoutLastZeros: String {
        guard contains(".") else { return self }
        var digits = self[...]
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        return String(digits)
    }
}

extension Int {
    /// The number of things of a name, such as "2 sensors".
    package func counted(_ word: String) -> String { "\(self) \(word)\(self == 1 ? "" : "s")" }
}

extension Int64 {
    /// The number with its last digits as so many decimals, such as "0.050" of 50 with three.
    package func decimal(_ decimals: Int) -> String {
        let digits = String(magnitude)
        let padded = String(repeating: "0", count: Swift.max(0, decimals + 1 - digits.count)) + digits
        let sign = self < 0 ? "-" : ""
        return sign + (decimals == 0 ? padded : "\(padded.dropLast(decimals)).\(padded.suffix(decimals))")
    }
}
