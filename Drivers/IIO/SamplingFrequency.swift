/// The sampling rate of a sensor, from its `sampling_frequency`.
///
/// Source: kernel ABI `sysfs-bus-iio`.
package struct SamplingFrequency: Sendable, Equatable {
    /// In Hz, from one sample in a quarter of an hour to ten million a second.
    package let hertz: Double

    /// Parses an attribute's value; nil if no sensor can have it.
    package init?(_ bytes: [UInt8]) {
        guard let value = AttributeValue(bytes), 0.001...10_000_000 ~= value.number else { return nil }
        hertz = value.number
    }

    /// The frequency with at most three decimals, such as `12.5 Hz`.
    package var clause: String {
        let text = "\((hertz * 1000).rounded() / 1000)"
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " Hz"
    }
}
