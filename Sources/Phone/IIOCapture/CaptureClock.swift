internal import Glibc

/// The clock that a device stamps its samples with, and the way from there to seconds since boot.
///
/// Source: kernel ABI `sysfs-bus-iio`, `current_timestamp_clock`. It is read and never written: other programs count on
/// it. Times are told on CLOCK_MONOTONIC, which stands still in sleep, as `ProcessInfo.systemUptime` does.
package struct CaptureClock: Sendable, Hashable {
    private let number: CInt

    /// The clock of a name; realtime, the kernel's default, for one that is unknown or cannot be read.
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

    /// What is to be added to this clock's nanoseconds to have those of CLOCK_MONOTONIC, as both stand now.
    ///
    /// Asked anew for each batch of samples, so that a clock that somebody sets does not move samples taken later.
    package var difference: Int64 { number == CLOCK_MONOTONIC ? 0 : Self.now &- Self.time(number) }

    /// The present on CLOCK_MONOTONIC, in nanoseconds.
    package static var now: Int64 { time(CLOCK_MONOTONIC) }

    private static func time(_ clock: CInt) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
