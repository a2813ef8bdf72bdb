internal import Measurement
internal import Readiness

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

    /// The number with this many significant digits, without an exponent where it is short.
    package func significant(_ digits: Int) -> String {
        guard isFinite, self != 0 else { return self == 0 ? "0" : "\(self)" }
        var size = 0
        var rest = abs(self)
        while rest >= 10, size < 300 { (rest, size) = (rest / 10, size + 1) }
        while rest < 1, size > -300 { (rest, size) = (rest * 10, size - 1) }
        if size < -5 || size > 9 {
            let mantissa = self < 0 ? -rest : rest
            return "\(mantissa.fixed(digits - 1))e\(size)"
        }
        return fixed(max(0, digits - 1 - size))
    }
}

extension Int {
    /// The number of things of a name, such as "2 sensors".
    package func counted(_ word: String) -> String { "\(self) \(word)\(self == 1 ? "" : "s")" }
}
