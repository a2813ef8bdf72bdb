internal import Glibc

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
    package var difference: Int64 { number == CLOCK_MONOTONIC ? 0 : Self.now &- Self.time(number) }

    /// The current time on CLOCK_MONOTONIC, in nanoseconds.
    package static var now: Int64 { time(CLOCK_MONOTONIC) }

    private static func time(_ clock: CInt) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
