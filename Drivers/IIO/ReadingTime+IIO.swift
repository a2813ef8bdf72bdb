internal import DriverKit
internal import Readiness
internal import SystemPackage

extension ReadingTime {
    /// Samples that a driver waits for at each read of an axis, by the beginning of its name.
    ///
    /// Source: Linux 6.12, `st_sensors_read_info_raw` (each read powers the chip on and waits for its boot time, two
    /// samples) and `st_lsm6dsx_read_oneshot` (three to four).
    private static let samples: KeyValuePairs = ["st-accel": 2.0, "st-gyro": 2.0, "st-lsm9ds0": 2.0, "st_lsm6dsx": 4.0]
    /// The samples that other drivers may wait for: one to wake up, and one to measure.
    private static let otherSamples = 2.0
    /// A rate in Hz that no bench waits for.
    private static let fast = 100.0

    /// The time that the kernel takes to read the axes of a sensor one after another; nil if it is negligible.
    ///
    /// `faster` gives the command that sets a rate, from the rates that the driver offers.
    init?(
        _ plan: SensorPlan, at frequency: SamplingFrequency, kernelDriver: () -> String?, faster: () -> [Remedy]
    ) {
        let count = Double(plan.axes.count)
        guard count > 0, count * 4 / frequency.hertz > 0.05 else { return nil }
        let driver = kernelDriver() ?? ""
        let known = Self.samples.first { driver.hasPrefix($0.key) }?.value
        let seconds = count * (known ?? Self.otherSamples) / frequency.hertz
        let rounded = (seconds * 10).rounded(.up) / 10
        let text = "\(rounded)".hasSuffix(".0") ? "\(Int(min(rounded, 1e9)))" : "\(rounded)"
        let axes = ["one axis takes", "two axes take", "three axes take"][min(plan.axes.count, 3) - 1]
        self.init(
            .seconds(min(seconds, 1e6)), reason: "samples at \(frequency.clause): \(axes) \(text) s",
            isExact: known != nil, remedies: seconds > 0.5 ? faster() : [])
    }

    /// The lowest rate that is fast enough among those that a driver offers: `1 10 25`, or `[0.1 0.1 1600]` for a range.
    ///
    /// Source: kernel ABI `sysfs-bus-iio`, `sampling_frequency_available`.
    static func fasterRate(in available: [UInt8]) -> String? {
        let text = String(decoding: available.prefix(4096), as: UTF8.self)
        let isRange = text.hasPrefix("[")
        let words = text.split { $0.isWhitespace || $0 == "[" || $0 == "]" }.map(String.init)
        let rates = words.compactMap { word in
            AttributeValue(Array(word.utf8)).flatMap { $0.number.isFinite ? (word, $0.number) : nil }
        }
        if isRange {
            guard rates.count == 3 else { return nil }
            return rates[2].1 > fast ? "100" : rates[2].0
        }
        return (rates.filter { $0.1 >= fast }.min { $0.1 < $1.1 } ?? rates.max { $0.1 < $1.1 })?.0
    }
}
