internal import CSpawn
internal import DriverKit
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// A program that a test runs beside itself.
///
/// It inherits nothing but its standard streams, which are those of a shell's background job unless given, and leads a
/// process group of its own. No signal is blocked or ignored in it, whatever the thread blocks that starts it. It is
/// killed at the latest with this object.
///
/// Foundation's `Process` learns of an end by the end of a socket that the program inherits, and its one thread for that
/// then waits for the program: beside one that closes what it inherited and goes on, no other end is noticed.
public final class ChildProcess: Sendable {
    /// Where a standard stream comes from or goes to.
    public enum Stream: Sendable {
        /// `/dev/null`.
        case nothing
        /// A file, which is created or emptied if it is written to.
        case file(String)
        /// A descriptor of this process.
        case descriptor(CInt)
        /// Of standard error: where standard output goes.
        case output
    }

    /// How a program ended.
    public enum End: Sendable, Equatable {
        case exit(CInt)
        case signal(CInt)
    }

    /// The program could not be started.
    public struct NotStarted: Error, CustomStringConvertible {
        /// The program and the system's reason.
        public let description: String
    }

    /// The process, whose number is also its group's.
    public let identifier: CInt
    private let known = Mutex<End?>(nil)

    /// Starts a program, which is looked for on the PATH if its name has no slash.
    ///
    /// The environment is this process's unless given, and so is the folder.
    public init(
        _ words: [String], environment: [String: String]? = nil, folder: String? = nil, input: Stream = .nothing,
        output: Stream = .nothing, errors: Stream = .nothing
    ) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in [input, output, errors].enumerated() {
            let number = CInt(number)
            let mode = number == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
            switch stream {
            case .nothing: unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .file(let path): unsafe posix_spawn_file_actions_addopen(&actions, number, path, mode, 0o600)
            case .descriptor(let descriptor): unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            case .output: unsafe posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, number)
            }
        }
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        if let folder { unsafe posix_spawn_file_actions_addchdir_np(&actions, folder) }

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, CShort(flags))

        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe $0.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil] }
        defer { unsafe (arguments + (variables ?? [])).forEach { unsafe free($0) } }
        var started = pid_t()
        let failure =
            if let variables = unsafe variables {
                unsafe posix_spawnp(&started, words[0], &actions, &attributes, arguments, variables)
            } else {
                unsafe posix_spawnp(&started, words[0], &actions, &attributes, arguments, environ)
            }
        identifier = started
        guard failure == 0 else {
            known.withLock { $0 = .exit(127) }
            throw NotStarted(description: "\(words[0]): \(Errno(rawValue: failure))")
        }
    }

    deinit { kill() }

    /// How it ended; nil while it runs.
    public var end: End? {
        known.withLock { known in
            guard known == nil else { return known }
            var raw: CInt = 0
            let answer = unsafe waitpid(identifier, &raw, WNOHANG)
            // Another part of the test's process has read its status, which is not known then.
            if answer < 0 { known = .exit(127) }
            if answer == identifier { known = raw & 0x7f == 0 ? .exit(raw >> 8 & 0xff) : .signal(raw & 0x7f) }
            return known
        }
    }

    /// Whether it runs, or is stopped.
    public var isRunning: Bool { end == nil }

    /// Sends it a signal, and to nothing that it started; one that has ended receives none.
    public func send(_ signal: CInt) {
        if isRunning { Glibc.kill(identifier, signal) }
    }

    /// Waits for its end, for at most that many seconds; nil if it still runs then.
    @discardableResult
    public func wait(_ seconds: Double = .infinity) -> End? {
        let deadline = seconds.isFinite ? Instant.now.advanced(bySeconds: seconds) : nil
        while true {
            if let end { return end }
            if let deadline, Instant.now >= deadline { return nil }
            usleep(2000)
        }
    }

    /// Kills it and its process group, and waits for its end.
    public func kill() {
        // Its group may outlive it; and until its end is known, no other process has its number.
        guard known.withLock({ $0 == nil }) else { return }
        Glibc.kill(-identifier, SIGKILL)
        Glibc.kill(identifier, SIGKILL)
        wait()
    }
}
