/// The bits of a channel's raw value.
///
/// Shape: `le:s12/16>>4`, with `X2` for repeats and a capital sign if the value needs no masking (libiio).
/// Source: kernel ABI `sysfs-bus-iio`, `scan_elements/…_type`.
package struct SampleFormat: Sendable, Hashable {
    /// Whether the value has a sign.
    package let isSigned: Bool
    /// The number of significant bits, 1 to 64.
    package let bits: Int

    /// Parses a format; nil for anything else.
    package init?(_ bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes.prefix(64), as: UTF8.self)
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0] == "le" || parts[0] == "be", let sign = parts[1].first,
            "suSU".contains(sign), let slash = parts[1].firstIndex(of: "/"),
            let bits = Int(parts[1].dropFirst().prefix(upTo: slash)), 1...64 ~= bits
        else { return nil }
        isSigned = sign == "s" || sign == "S"
        self.bits = bits
    }

    /// Whether a value fits.
    package func holds(_ number: Double) -> Bool {
        var limit = 1.0
        for _ in 0..<(isSigned ? bits - 1 : bits) { limit *= 2 }
        return isSigned ? -limit <= number && number < limit : 0 <= number && number < limit
    }
}
