internal import Readiness
internal import DriverKit
internal import Glibc
internal import Measurement

/// Which sampling frequency a device is set to, of a list or a range `[least step most]` (kernel ABI `sysfs-bus-iio`).
package enum SamplingChoice {
    /// The attributes that may list what a sampling frequency can be set to; some drivers have the device's beside a
    /// kind's frequency, as bmc150-accel has.
    static func lists(for frequency: String) -> [String] {
        let list = "sampling_frequency_available"
        return frequency == "sampling_frequency" ? [list] : [frequency + "_available", list]
    }

    /// The slowest value that is fast enough, else the fastest, as the attribute prints it; nil without usable values.
    package static func value(for hertz: Double, among available: [UInt8]) -> String? {
        let line = available.prefix(4096).map { [0, 9, 10, 13].contains($0) ? 32 : $0 }
        let isRange = line.first == UInt8(ascii: "[")
        let words = line.filter { ![UInt8(ascii: "["), UInt8(ascii: "]")].contains($0) }.split(separator: 32)
        let values = words.prefix(256).compactMap { word in
            SamplingFrequency(Array(word)).map { (text: String(decoding: word, as: UTF8.self), hertz: $0.hertz) }
        }
        guard values.count == min(words.count, 256), let first = values.first, let last = values.last else {
            return nil
        }
        guard isRange else {
            let sorted = values.sorted { $0.hertz < $1.hertz }
            return (sorted.first { $0.hertz >= hertz * 0.99 } ?? sorted.last)?.text
        }
        guard values.count == 3 else { return nil }
        if hertz <= first.hertz { return first.text }
        if hertz >= last.hertz { return last.text }
        let steps = ((hertz - first.hertz) / values[1].hertz - 1e-6).rounded(.up)
        return decimal(min(first.hertz + steps * values[1].hertz, last.hertz))
    }

    /// A frequency in the kernel's own form, with six decimal places.
    package static func decimal(_ hertz: Double) -> String {
        Int64((min(max(hertz, 0), 10_000_000) * 1e6).rounded()).decimal(6)
    }
}

extension LocalAttributes {
    /// What the device's sampling frequency can be set to, as its driver prints it; nil if it prints no list.
    func available(for frequency: String) -> [UInt8]? {
        SamplingChoice.lists(for: frequency).lazy.compactMap { try? self.read($0) }.first
    }
}

/// Passes on samples of a device at the requested rate.
package struct Decimation: Sendable {
    private let interval: Double
    /// The seconds between two samples that pass, for a requested interval and the device's.
    package static func interval(for requested: Double, step: Double) -> Double {
        requested > step * 1.33 ? requested : step
    }

    /// The time between two samples of the device.
    private let step: Double
    private var due: Double?

    /// Takes the requested interval and the device's, both in seconds; at nearly equal intervals every sample passes.
    package init(interval: Double, step: Double) {
        self.interval = interval
        self.step = step
    }

    /// Whether the sample at this time, in seconds, is wanted.
    package mutating func passes(_ time: Double) -> Bool {
        guard Self.interval(for: interval, step: step) > step else { return true }
        // Of two samples the nearer to the due time is used, so an early one waits for half an interval at most. After
        // a clock was set back it starts again.
        if let due, time > due - interval * 2, time + step / 2 < due { return false }
        let next = (due ?? time) + interval
        due = time < next && next < time + interval * 2 ? next : time + interval
        return true
    }
}

/// The clock of a device's timestamps, and its conversion to seconds since boot.
///
/// Source: kernel ABI `sysfs-bus-iio`, `current_timestamp_clock`. It is read and never written: other programs depend
/// on it. Times are on CLOCK_MONOTONIC, which stops during sleep, as `ProcessInfo.systemUptime` does.
package struct CaptureClock: Sendable, Hashable {
    private let number: CInt

    /// The clock with a name; realtime, the kernel's default, if the name is unknown or cannot be read.
    package init(_ name: [UInt8]) {
        let text = String(decoding: name.prefix(32).prefix { $0 > 32 }, as: UTF8.self)
        let clocks = [
            "monotonic": CLOCK_MONOTONIC, "monotonic_raw": CLOCK_MONOTONIC_RAW, "boottime": CLOCK_BOOTTIME,
            "realtime_coarse": CLOCK_REALTIME_COARSE, "monotonic_coarse": CLOCK_MONOTONIC_COARSE, "tai": CLOCK_TAI,
        ]
        number = clocks[text] ?? CLOCK_REALTIME
    }

    /// The current offset in nanoseconds to CLOCK_MONOTONIC; read for each batch of samples, since a clock can be set.
    package var difference: Int64 { number == CLOCK_MONOTONIC ? 0 : Self.now &- Instant.time(of: number) }

    /// The current time on CLOCK_MONOTONIC, in nanoseconds.
    package static var now: Int64 { Instant.time(of: CLOCK_MONOTONIC) }
}
