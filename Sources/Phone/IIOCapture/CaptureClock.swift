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
        number =
            switch text {
            case "monotonic": CLOCK_MONOTONIC
            case "monotonic_raw": CLOCK_MONOTONIC_RAW
            case "realtime_coarse": CLOCK_REALTIME_COARSE
            case "monotonic_coarse": CLOCK_MONOTONIC_COARSE
            case "boottime": CLOCK_BOOTTIME
            case "tai": CLOCK_TAI
            default: CLOCK_REALTIME
            }
    }

    /// The current offset in nanoseconds from this clock to CLOCK_MONOTONIC.
    ///
    /// Read for each batch of samples, so that setting the clock does not shift samples taken later.
    package var difference: Int64 { number == CLOCK_MONOTONIC ? 0 : Self.now &- Self.time(number) }

    /// The current time on CLOCK_MONOTONIC, in nanoseconds.
    package static var now: Int64 { time(CLOCK_MONOTONIC) }

    private static func time(_ clock: CInt) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
