import CGlibc
import DriverKit
import Glibc
import Synchronization

/// Blocks SIGINT, SIGTERM and SIGHUP, and receives them synchronously.
final class SignalHandler: Sendable {
    private let signals: sigset_t
    private let taken = Mutex<Int32?>(nil)

    /// Blocks the signals in this thread and in all that it starts.
    init() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigaddset(&signals, SIGHUP)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        self.signals = signals
    }

    /// The number of the signal received, if any.
    var received: Int32? { taken.withLock { $0 } }

    /// Waits for a signal; returns false at the deadline.
    func wait(until deadline: Instant) -> Bool {
        let left = max(0, min(Instant.now.seconds(to: deadline), 3600))
        var time = timespec(tv_sec: Int(left), tv_nsec: Int(left.truncatingRemainder(dividingBy: 1) * 1e9))
        var signals = signals
        let number = unsafe sigtimedwait(&signals, nil, &time)
        guard number > 0 else { return false }
        taken.withLock { $0 = number }
        return true
    }

    /// Starts a thread that waits for a signal and calls `act`.
    func forward(_ act: @escaping @Sendable () -> Void) {
        _ = Worker.start {
            while !self.wait(until: Instant.now.advanced(bySeconds: 3600)) {}
            act()
        }
    }
}
