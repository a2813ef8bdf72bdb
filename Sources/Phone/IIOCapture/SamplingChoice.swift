internal import IIO

/// Which sampling frequency a device is set to for a request.
///
/// Source: kernel ABI `sysfs-bus-iio`, `sampling_frequency_available`: a list, or a range `[least step most]`.
package enum SamplingChoice {
    /// The value to write, as the attribute prints it: the slowest that is fast enough, else the fastest.
    ///
    /// Nil if the list has no usable value.
    package static func value(for hertz: Double, among available: [UInt8]) -> String? {
        let line = available.prefix(4096).map { [0, 9, 10, 13].contains($0) ? 32 : $0 }
        let isRange = line.first == UInt8(ascii: "[")
        let words = line.filter { ![UInt8(ascii: "["), UInt8(ascii: "]")].contains($0) }.split(separator: 32)
        let values = words.prefix(256).compactMap { word in
            SamplingFrequency(Array(word)).map { (text: String(decoding: word, as: UTF8.self), hertz: $0.hertz) }
        }
        guard values.count == min(words.count, 256), let slowest = values.min(by: { $0.hertz < $1.hertz }) else {
            return nil
        }
        if isRange {
            guard values.count == 3, let last = values.last else { return nil }
            let (least, step) = (values[0].hertz, values[1].hertz)
            if hertz <= least { return values[0].text }
            if hertz >= last.hertz { return last.text }
            let wanted = least + ((hertz - least) / step - 1e-6).rounded(.up) * step
            return decimal(min(wanted, last.hertz))
        }
        let enough = values.filter { $0.hertz >= hertz * 0.99 }.min { $0.hertz < $1.hertz }
        return (enough ?? values.max { $0.hertz < $1.hertz } ?? slowest).text
    }

    /// A frequency in the kernel's own form, with six decimal places.
    package static func decimal(_ hertz: Double) -> String {
        let millionths = Int64((min(max(hertz, 0), 10_000_000) * 1e6).rounded())
        let fraction = String(millionths % 1_000_000)
        return "\(millionths / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)"
    }
}
