import CGlibc
import DriverKit
import Glibc
import Synchronization

/// Blocks SIGINT, SIGTERM and SIGHUP, or more, and receives them synchronously.
final class SignalHandler: Sendable {
    private let signals: sigset_t
    private let taken = Mutex<Int32?>(nil)

    /// Blocks the signals in this thread and in all that it starts.
    ///
    /// With `others` it also receives what else would end a process that must put something back; a write to a closed
    /// pipe is then an error of the write.
    init(others: Bool = false) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigaddset(&signals, SIGHUP)
        if others {
            for signal in [SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGXCPU] {
                unsafe sigaddset(&signals, signal)
            }
        }
        self.signals = signals
        if others { unsafe sigaddset(&signals, SIGPIPE) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    var received: Int32? { taken.withLock { $0 } }

    /// Starts a thread that waits for a signal and calls `act`; at SIGHUP it calls `reload`, if given, and waits again.
    func forward(reload: (@Sendable () -> Void)? = nil, _ act: @escaping @Sendable () -> Void) {
        _ = Worker.start {
            var signals = self.signals
            var number: CInt = 0
            while true {
                guard unsafe sigwait(&signals, &number) == 0 else { continue }
                guard number == SIGHUP, let reload else { break }
                reload()
            }
            ProbeProcess.acknowledge()
            let received = number
            self.taken.withLock { $0 = received }
            act()
        }
    }
}
