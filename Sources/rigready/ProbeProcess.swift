import CGlibc
import DriverKit
import Glibc
import Linux
import SystemPackage

/// Runs the rest of the command in a child process, so that the command ends in time whatever the kernel does.
///
/// A read of a sensor can sleep in the kernel where no signal reaches it (a suspended HID hub that no longer answers, a
/// chip at 1 Hz), and a process whose thread does so cannot end. The child probes and prints; when it is done it closes
/// everything that it inherited and sends its status. The parent ends with that status and leaves a blocked child
/// behind, which the kernel removes once the read returns.
enum ProbeProcess {
    /// How long the parent waits for a child that is done, that was told to end, or that says that it is ending.
    private static let patience = (done: 0.1, signalled: 1.8, ending: 10.0)
    /// What a child sends before its status, once it has received a signal to end.
    private static let ending = CInt.min
    private nonisolated(unsafe) static var status: CInt = -1
    private nonisolated(unsafe) static var parent: pid_t?
    /// Where a service's child gives its notifications to its parent.
    private nonisolated(unsafe) static var notifications: CInt = -1
    /// What the caller gave the command and may wait for, such as the pipe on standard output.
    private nonisolated(unsafe) static var inherited = unsafe UnsafeMutableBufferPointer<CInt>(start: nil, count: 0)

    /// The number of the process that the caller started.
    static var identifier: pid_t { unsafe parent ?? getpid() }

    /// Runs the rest of the command in a child process, or in this one if it is the child already.
    ///
    /// Must be called before the first thread starts. A service goes on after SIGHUP.
    static func run(asService isService: Bool = false, _ rest: @escaping () throws -> Void) throws {
        guard unsafe parent == nil else { return try rest() }
        let caller = getpid()
        let (read, write) = try FileDescriptor.pipe()
        // Without it the child notifies the manager itself.
        let relay = isService && SystemdNotifier.current.hasManager ? socketPair() : nil
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        // What is ignored stays so: blocked, it would be queued all the same.
        for signal in CInt(1)..<32 where signal != SIGCHLD && SignalHandler.isIgnored(signal) {
            unsafe sigdelset(&signals, signal)
        }
        var before = sigset_t()
        unsafe sigprocmask(SIG_SETMASK, &signals, &before)
        let child = fork()
        switch child {
        case -1:
            // Without a second process the command works, but may end late.
            unsafe sigprocmask(SIG_SETMASK, &before, nil)
            try read.close()
            try write.close()
            try rest()
        case 0:
            unsafe parent = caller
            unsafe status = write.rawValue
            if let relay {
                close(relay.parent)
                unsafe notifications = relay.child
            }
            // If the parent is killed there is nobody to report to.
            _ = set_parent_death_signal(SIGKILL)
            if getppid() != caller { _exit(EXIT_FAILURE) }
            try read.close()
            _ = fcntl(write.rawValue, F_SETFD, FD_CLOEXEC)
            noteInherited()
            for signal in [SIGINT, SIGTERM, SIGHUP] { leave(at: signal) }
            unsafe sigprocmask(SIG_SETMASK, &before, nil)
            runOnThread(rest)
            unsafe sigprocmask(SIG_SETMASK, &signals, nil)
            while true { pause() }
        default:
            try write.close()
            if let relay { close(relay.child) }
            wait(for: child, asService: isService, signals, read, notifications: relay?.parent ?? -1)
        }
    }

    /// Runs the rest in a thread of the child, and ends the process.
    ///
    /// The first thread of a forked process keeps its parent's thread number in the Swift runtime, which then takes the
    /// locks that it holds for those of another process: a thread that waits for one ends the program or waits for ever.
    private static func runOnThread(_ rest: @escaping () throws -> Void) {
        // Only that thread uses what it captures.
        nonisolated(unsafe) let rest = rest
        let isStarted = Worker.start {
            RigReady.run(unsafe rest)
            exit(EXIT_SUCCESS)
        }
        if !isStarted { Output.leave(CommandFailure(.software, "the system cannot start a thread")) }
    }

    /// Notes which descriptors are open, in memory that a signal handler can read.
    private static func noteInherited() {
        let names = (try? LiveWorld(drivers: []).entries(of: "/proc/self/fd")) ?? ["0", "1", "2"]
        // The one that listed them is closed by now.
        let open = names.compactMap { CInt($0) }.filter { unsafe $0 != status && fcntl($0, F_GETFD) >= 0 }
        unsafe inherited = .allocate(capacity: open.count)
        _ = unsafe inherited.initialize(fromContentsOf: open)
    }

    /// Ends the process with a status; closes what it inherited first if a thread may be blocked.
    static func end(_ code: CInt) -> Never {
        if unsafe status >= 0 { release(code) }
        _exit(code)
    }

    /// Tells the parent that a signal was received, so that it waits for work that must be finished, such as a file.
    static func acknowledge() { send(ending) }

    /// Gives a notification of the service's manager to the parent; false if there is none to give it to.
    static func forward(notification bytes: [UInt8]) -> Bool {
        guard unsafe notifications >= 0 else { return false }
        _ = unsafe Glibc.send(notifications, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        return true
    }

    /// Two connected sockets that keep messages apart; nil if the system has none.
    private static func socketPair() -> (child: CInt, parent: CInt)? {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        return unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    private static func send(_ code: CInt) {
        guard unsafe status >= 0 else { return }
        var code = code
        _ = unsafe Glibc.write(status, &code, MemoryLayout<CInt>.size)
    }

    /// Closes what the caller may wait for, and sends the status.
    ///
    /// Nothing else: a thread may be about to close what is its own, and libudev aborts if that is closed already.
    private static func release(_ code: CInt) {
        for index in unsafe inherited.indices { close(unsafe inherited[index]) }
        send(code)
    }

    /// Ends at a signal that the caller has not chosen to ignore; the descriptors are closed, as by any other end.
    private static func leave(at signal: CInt) {
        if SignalHandler.isIgnored(signal) { return }
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { signal in
            // Only what is safe in a handler.
            ShellProcess.endRunning(by: signal)
            ProbeProcess.release(-signal)
            _exit(128 + signal)
        }
        _ = unsafe sigaction(signal, &action, nil)
    }

    // MARK: The parent

    private static func wait(
        for child: pid_t, asService isService: Bool, _ signals: sigset_t, _ pipe: FileDescriptor,
        notifications: CInt
    ) -> Never {
        var notifications = notifications
        var signals = signals
        let signalled = unsafe signalfd(-1, &signals, CInt(SFD_CLOEXEC))
        var code: CInt?
        var deadline: Instant?
        var last: CInt?
        var isEnding = false
        while true {
            var set = [
                pollfd(fd: pipe.rawValue, events: CShort(POLLIN), revents: 0),
                pollfd(fd: signalled, events: CShort(POLLIN), revents: 0),
                // One that is negative is left out.
                pollfd(fd: notifications, events: CShort(POLLIN), revents: 0),
            ]
            let left = deadline.map { max(0, Instant.now.seconds(to: $0)) }
            let ready = unsafe poll(&set, 3, left.map { CInt($0 * 1000 + 1) } ?? -1)
            if ready == 0 { finish(code ?? -(last ?? SIGKILL)) }
            // Before the status, which the last one precedes.
            if set[2].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = unsafe recv(notifications, &bytes, bytes.count, CInt(MSG_DONTWAIT))
                if count > 0 { SystemdNotifier.current.send(Array(bytes.prefix(count))) } else { notifications = -1 }
            }
            if set[1].revents != 0, let signal = next(signalled) {
                switch signal {
                case SIGCHLD, SIGCONT, SIGWINCH, SIGURG, SIGPIPE: break
                case SIGTSTP, SIGTTIN, SIGTTOU: raise(SIGSTOP)
                case SIGHUP where isService: kill(child, signal)
                default:
                    kill(child, signal)
                    last = signal
                    // A further signal does not shorten what the child takes for its end.
                    if !isEnding { deadline = .now.advanced(bySeconds: patience.signalled) }
                }
            }
            if set[0].revents != 0 {
                var number: CInt = 0
                let count = unsafe read(pipe.rawValue, &number, MemoryLayout<CInt>.size)
                if count == MemoryLayout<CInt>.size, number == ending {
                    isEnding = true
                    deadline = .now.advanced(bySeconds: patience.ending)
                } else if count == MemoryLayout<CInt>.size {
                    code = number
                    deadline = .now.advanced(bySeconds: patience.done)
                } else if count == 0 {
                    var status: CInt = 0
                    _ = unsafe waitpid(child, &status, 0)
                    finish(code ?? (status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)))
                }
            }
        }
    }

    private static func next(_ descriptor: CInt) -> CInt? {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return unsafe read(descriptor, &information, size) == size ? CInt(information.ssi_signo) : nil
    }

    /// Ends as the child did: with its status, or by its signal.
    private static func finish(_ code: CInt) -> Never {
        guard code < 0 else { _exit(code) }
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        signal(-code, SIG_DFL)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        raise(-code)
        unsafe sigprocmask(SIG_SETMASK, &signals, nil)
        _exit(128 - code)
    }
}
