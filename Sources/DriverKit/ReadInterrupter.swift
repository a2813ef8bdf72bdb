internal import CGlibc
internal import Glibc
internal import Readiness
internal import SystemPackage

/// Interrupts reads in which the kernel keeps its thread waiting.
///
/// A device cannot be removed while somebody reads one of its attributes: a hub that is unplugged would stay for as long
/// as its driver waits for its answers, which is 5 s for each reader of a HID sensor hub, one after the other.
/// Source: Linux, drivers/hid/hid-sensor-hub.c, `sensor_hub_input_attr_get_raw_value`; fs/kernfs/dir.c, `kernfs_drain`.
@safe package struct ReadInterrupter: ~Copyable {
    /// Seconds between two signals: a read that begins after one is interrupted by the next.
    private static let period = 0.1

    private let timer: timer_t?

    /// Creates one for reads on this thread; the signal SIGURG gets a handler that does nothing.
    package init() throws(DriverError) {
        var timer: timer_t?
        guard unsafe create_interrupting_timer(&timer) == 0 else {
            throw DriverError(errno: .current, subject: "a timer")
        }
        unsafe self.timer = timer
    }

    deinit { unsafe timer_delete(timer) }

    /// Reads; a reading that takes so many seconds is interrupted and throws `timedOut`.
    ///
    /// So it does whatever was read, since a driver that is interrupted may return zeros, or an error of its own. Only
    /// that the device is gone is thrown as it is.
    package func reading<Answer>(
        of subject: String, seconds: Double, _ read: () throws(DriverError) -> Answer
    ) throws(DriverError) -> Answer {
        let deadline = Instant.now.advanced(bySeconds: seconds)
        set(seconds)
        defer { set(0) }
        let answer: Answer
        do throws(DriverError) {
            answer = try read()
        } catch {
            let isLate = Instant.now >= deadline && error.availability != .unavailable(.absent)
            throw isLate ? DriverError(.timedOut, subject: subject) : error
        }
        if Instant.now >= deadline { throw DriverError(.timedOut, subject: subject) }
        return answer
    }

    private func set(_ seconds: Double) {
        func span(_ seconds: Double) -> timespec {
            timespec(tv_sec: Int(seconds), tv_nsec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9))
        }
        var times = itimerspec(it_interval: span(seconds > 0 ? Self.period : 0), it_value: span(seconds))
        unsafe timer_settime(timer, 0, &times, nil)
    }
}
