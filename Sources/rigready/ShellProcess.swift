import CGlibc
import DriverKit
import FoundationEssentials
import Glibc
import Readiness
import SystemPackage

/// A command of a report, run as a person would type it.
enum ShellProcess {
    struct CommandOutcome: Equatable {
        enum End: Equatable {
            case exited(Int32)
            case signalled(Int32)
            /// It was ended at the deadline.
            case late
        }
        let end: End
        /// The end of what it wrote to standard error.
        let said: String

        var isSuccess: Bool { end == .exited(0) }
    }

    private static let memory = 4096
    private static let patience = 2.0

    /// Runs a line of `/bin/sh -c` to its end, at most for so many seconds.
    ///
    /// Its standard output goes to this program's standard error, and it reads this program's standard input. What it
    /// writes to standard error is kept, unless it asks a person (`isDialog`), who must see it at once. This program is
    /// on its path.
    static func run(_ line: String, seconds: Double, isDialog: Bool = false) throws -> CommandOutcome {
        let errors = FileDescriptor(rawValue: open_memory_file())
        guard errors.rawValue >= 0 else { throw Errno.current }
        defer { try? errors.close() }
        // A caller may have chosen to ignore the end of its children, and their status with it.
        signal(SIGCHLD, SIG_DFL)
        let child = try start(line, errors: isDialog ? nil : errors)
        var end: CommandOutcome.End?
        let deadline = Instant.now.advanced(bySeconds: seconds)
        var last: Instant?
        var status: CInt = 0
        while unsafe waitpid(child, &status, WNOHANG) == 0 {
            if let last, Instant.now >= last {
                kill(child, SIGKILL)
            } else if end == nil, Instant.now >= deadline {
                end = .late
                kill(child, SIGTERM)
                last = .now.advanced(bySeconds: patience)
            }
            usleep(20_000)
        }
        let signal = status & 0x7f
        return CommandOutcome(
            end: end ?? (signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)), said: try text(errors))
    }

    private static func start(_ line: String, errors: FileDescriptor?) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        if let errors { unsafe posix_spawn_file_actions_adddup2(&actions, errors.rawValue, STDERR_FILENO) }
        // It begins with the signals of a shell.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var environment = ProcessInfo.processInfo.environment
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map { FilePath($0) }
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        environment["PATH"] = (own.map { $0.removingLastComponent().string + ":" } ?? "") + path
        func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
            unsafe texts.map { text in unsafe strdup(text) } + [nil]
        }
        let words = unsafe copies(["/bin/sh", "-c", line])
        let variables = unsafe copies(environment.map { "\($0)=\($1)" })
        defer { unsafe (words + variables).forEach { text in unsafe free(text) } }
        var child: pid_t = 0
        let failure = unsafe posix_spawn(&child, "/bin/sh", &actions, &attributes, words, variables)
        guard failure == 0 else { throw Errno(rawValue: failure) }
        return child
    }

    /// The last lines of a file, joined to one.
    private static func text(_ file: FileDescriptor) throws -> String {
        let size = try file.seek(offset: 0, from: .end)
        var bytes = [UInt8](repeating: 0, count: min(memory, Int(size)))
        let count = try unsafe bytes.withUnsafeMutableBytes {
            try unsafe file.read(fromAbsoluteOffset: max(0, size - Int64(memory)), into: $0)
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self).singleLine
    }
}
