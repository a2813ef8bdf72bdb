import CGlibc
import DriverKit
import Glibc
import Linux
import SystemPackage

/// Runs a command in a child process, so that a read blocked in the kernel cannot delay the end of the command.
///
/// A read of a sensor can sleep in the kernel where no signal reaches it (a suspended HID hub that no longer answers, a
/// chip at 1 Hz), and a process whose thread does so cannot end. The child is this program, started again with the same
/// arguments: it probes and prints; when it is done it closes everything that it inherited and sends its status. The
/// parent ends with that status and leaves a blocked child behind, which the kernel removes once the read returns.
enum ProbeProcess {
    /// How long the parent waits for a child that is done, that was told to end, or that says that it is ending.
    private static let patience = (done: 0.1, signalled: 1.8, ending: 10.0)
    /// What a child sends before its status, once it has received a signal to end.
    private static let ending = CInt.min
    /// Before the arguments of a child: its descriptors for the status and for notifications.
    private static let mark = "--probe-child="
    private nonisolated(unsafe) static var status: CInt = -1
    private nonisolated(unsafe) static var parent: pid_t?
    /// Where a service's child gives its notifications to its parent.
    private nonisolated(unsafe) static var notifications: CInt = -1
    /// What the caller gave the command and may wait for, such as the pipe on standard output.
    private nonisolated(unsafe) static var inherited = unsafe UnsafeMutableBufferPointer<CInt>(start: nil, count: 0)

    /// The number of the process that the caller started.
    static var identifier: pid_t { unsafe parent ?? getpid() }

    /// The arguments of the command: those of this process, without what makes it a child.
    ///
    /// To be read first: a child prepares for its end here.
    static func arguments() -> [String] {
        let words = Array(CommandLine.arguments.dropFirst())
        guard let first = words.first, first.hasPrefix(mark) else { return words }
        let numbers = first.dropFirst(mark.count).split(separator: ":").compactMap { CInt($0) }
        // An unknown option like any other.
        guard numbers.count == 3 else { return words }
        begin(as: numbers[0], status: numbers[1], notifications: numbers[2])
        return Array(words.dropFirst())
    }

    private static func begin(as caller: CInt, status descriptor: CInt, notifications channel: CInt) {
        // If the parent is killed there is nobody to report to. One that has no such parent is no child.
        _ = set_parent_death_signal(SIGKILL)
        guard getppid() == caller, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { _exit(EXIT_FAILURE) }
        unsafe parent = caller
        unsafe status = descriptor
        // It was started as /proc/self/exe, whose name it would have.
        _ = unsafe set_process_name(RigReady.name)
        if fcntl(channel, F_SETFD, FD_CLOEXEC) == 0 { unsafe notifications = channel }
        noteInherited()
        for signal in [SIGINT, SIGTERM, SIGHUP] { end(at: signal) }
    }

    /// Runs the command in a child process and ends with its status; returns in the child, and where the system starts no
    /// other process: the command then works, but may end late.
    ///
    /// A service goes on after SIGHUP.
    static func start(asService isService: Bool) throws {
        guard unsafe parent == nil else { return }
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
        let child = spawn(passing: write.rawValue, relay?.child ?? -1, signalMask: before)
        try write.close()
        if let relay { close(relay.child) }
        guard let child else {
            unsafe sigprocmask(SIG_SETMASK, &before, nil)
            try read.close()
            if let relay { close(relay.parent) }
            return
        }
        wait(for: child, asService: isService, signals, read, notifications: relay?.parent ?? -1)
    }

    /// Starts this program again as the child; nil if the system does not.
    ///
    /// Source: posix_spawn(3). A descriptor that is duplicated onto itself stays open in the child.
    private static func spawn(passing status: CInt, _ notifications: CInt, signalMask mask: sigset_t) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var mask = mask
        unsafe posix_spawnattr_setsigmask(&attributes, &mask)
        unsafe posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK))
        for descriptor in [status, notifications] where descriptor >= 0 {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor)
        }
        let words = CommandLine.arguments
        let own = "\(mark)\(getpid()):\(status):\(notifications)"
        let texts = [words.first ?? RigReady.name, own] + words.dropFirst()
        let arguments = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var child: pid_t = 0
        return unsafe posix_spawn(&child, "/proc/self/exe", &actions, &attributes, arguments, environ) == 0
            ? child : nil
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
    private static func end(at signal: CInt) {
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
