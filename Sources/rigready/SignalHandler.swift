import CGlibc
import DriverKit
import Glibc
import Synchronization

/// Blocks SIGINT, SIGTERM and SIGHUP, or more, and receives them synchronously.
final class SignalHandler: Sendable {
    private let signals: sigset_t
    /// Whether there are any: the caller may have chosen to ignore all.
    private let isEmpty: Bool
    private let taken = Mutex<Int32?>(nil)

    /// Blocks the signals in this thread and in all that it starts.
    ///
    /// With `others` it also receives what else would end a process that must put something back; a write to a closed
    /// pipe is then an error of the write. With `resizes` it receives SIGWINCH.
    init(others: Bool = false, resizes: Bool = false) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        let numbers =
            [SIGINT, SIGTERM, SIGHUP]
            + (resizes ? [SIGWINCH] : []) + (others ? Self.ending : [])
        let handled = numbers.filter { !Self.isIgnored($0) }
        for signal in handled { unsafe sigaddset(&signals, signal) }
        self.signals = signals
        isEmpty = handled.isEmpty
        if others { unsafe sigaddset(&signals, SIGPIPE) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// What else ends a process that does not handle it, except for its own faults.
    ///
    /// Source: signal(7).
    private static let ending: [CInt] =
        [SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO, SIGPWR, SIGSTKFLT]
        + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())

    /// Whether the caller has chosen that a signal is ignored, as nohup does with SIGHUP; it stays ignored.
    static func isIgnored(_ signal: CInt) -> Bool {
        var action = sigaction()
        _ = unsafe sigaction(signal, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    var received: Int32? { taken.withLock { $0 } }

    /// Starts a thread that waits for a signal and calls `act`; at SIGHUP it calls `reload`, if given, at SIGWINCH
    /// `resize`, and waits again.
    func forward(
        reload: (@Sendable () -> Void)? = nil, resize: @escaping @Sendable () -> Void = {},
        _ act: @escaping @Sendable () -> Void
    ) {
        if isEmpty { return }
        _ = Worker.start {
            var signals = self.signals
            var number: CInt = 0
            while true {
                guard unsafe sigwait(&signals, &number) == 0 else { continue }
                if number == SIGWINCH {
                    resize()
                } else if number == SIGHUP, let reload {
                    reload()
                } else {
                    break
                }
            }
            ProbeProcess.acknowledge()
            let received = number
            self.taken.withLock { $0 = received }
            act()
        }
    }
}
