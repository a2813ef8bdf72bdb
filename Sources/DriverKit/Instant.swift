internal import Glibc
internal import Readiness
public import SystemPackage

/// A point on the clock that includes suspend (CLOCK_BOOTTIME): a fix ages while the rig sleeps.
public struct Instant: Sendable, Comparable {
    /// Nanoseconds since boot.
    public var nanoseconds: Int64

    /// Makes an instant.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The instant this many seconds later; a sum beyond the clock's range is its end.
    public func advanced(bySeconds seconds: Double) -> Instant {
        let wanted = Double(nanoseconds) + seconds * 1e9
        return Instant(nanoseconds: wanted >= 9.2e18 ? .max : Int64(max(0, wanted.rounded())))
    }

    /// The instant this much later; a sum beyond the clock's range is its end.
    public func advanced(by duration: Duration) -> Instant { advanced(bySeconds: duration.seconds) }

    /// Seconds from this instant to a later one.
    public func seconds(to later: Instant) -> Double { Double(later.nanoseconds - nanoseconds) / 1e9 }

    /// Orders earlier instants first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}

extension Instant {
    /// The current instant.
    public static var now: Instant { Instant(nanoseconds: time(of: CLOCK_BOOTTIME)) }

    /// The current time of any clock of clock_gettime(2), in nanoseconds.
    package static func time(of clock: CInt) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Errno {
    /// The `errno` of this thread's last C call.
    public static var current: Errno { Errno(rawValue: Glibc.errno) }
}
