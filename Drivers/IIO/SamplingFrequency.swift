/// How often a sensor measures, as its `sampling_frequency` says.
///
/// Source: kernel ABI `sysfs-bus-iio`.
package struct SamplingFrequency: Sendable, Equatable {
    /// In Hz, from a sample in a quarter of an hour to ten million a second.
    package let hertz: Double

    /// Reads an attribute's value; nil for what no sensor can do.
    package init?(_ bytes: [UInt8]) {
        guard let value = AttributeValue(bytes), 0.001...10_000_000 ~= value.number else { return nil }
        hertz = value.number
    }

    /// The frequency in thousandths at most, such as `12.5 Hz`.
    package var clause: String {
        let text = "\((hertz * 1000).rounded() / 1000)"
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " Hz"
    }
}
