import CGlibc
import LocalRig
import DriverKit
import FoundationEssentials
import Glibc
import Linux
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
        /// Its processes that could not be ended at the deadline, such as those of root.
        var survivors: [pid_t] = []
        /// The end of what it wrote to standard output, if that is kept.
        var output: [UInt8] = []

        var isSuccess: Bool { end == .exited(0) }
    }

    /// The most bytes that are kept of standard error, and of standard output.
    private static let memory = (errors: 4096, output: 64 << 20)
    /// Seconds between the signals at the deadline: SIGTERM, SIGKILL, and giving up.
    private static let patience = 2.0
    /// The process group of the command that runs, for the handler of a signal that ends this program; 0 without one.
    private nonisolated(unsafe) static var running: pid_t = 0

    /// Runs a line of `/bin/sh -c` to its end, at most for so many seconds.
    ///
    /// Its standard output goes to this program's standard error, unless it is kept, and it reads this program's standard
    /// input. What it writes to standard error is kept, unless it asks a person (`isDialog`), who must see it at once. A
    /// line that begins with `rigready` runs this program; every other one is found on the user's own PATH.
    ///
    /// The command has a process group of its own, in the foreground of the terminal if this program is, so that it can
    /// ask for a password and the whole group can be ended.
    static func run(
        _ line: String, seconds: Double, isDialog: Bool = false, keepsOutput: Bool = false
    ) throws -> CommandOutcome {
        let errors = try memoryFile()
        defer { try? errors.close() }
        let output = keepsOutput ? try memoryFile() : nil
        defer { try? output?.close() }
        // A caller may have chosen to ignore the end of its children, and their status with it.
        signal(SIGCHLD, SIG_DFL)
        let terminal = ForegroundTerminal()
        let child = try start(
            line, output: output ?? .standardError, errors: isDialog ? nil : errors, on: terminal)
        unsafe running = child
        let (end, survivors) = wait(for: child, until: .now.advanced(bySeconds: seconds), on: terminal)
        unsafe running = 0
        if let terminal {
            terminal.take()
            // The terminal sent them to the command alone, and a person means the whole walk.
            if case .signalled(let signal) = end, [SIGINT, SIGQUIT].contains(signal) { kill(0, signal) }
        }
        let said = try lastBytes(of: errors, limit: memory.errors)
        var outcome = CommandOutcome(
            end: end, said: String(decoding: said, as: UTF8.self).singleLine, survivors: survivors)
        if let output { outcome.output = try lastBytes(of: output, limit: memory.output) }
        return outcome
    }

    /// Ends the command that runs, if any; may be called by the handler of a signal.
    static func endRunning(by signal: CInt) {
        if unsafe running > 0 { kill(unsafe -running, signal) }
    }

    private static func wait(
        for child: pid_t, until deadline: Instant, on terminal: ForegroundTerminal?
    ) -> (CommandOutcome.End, survivors: [pid_t]) {
        var end: CommandOutcome.End?
        var signals = [SIGTERM, SIGKILL]
        var next = deadline
        var isLate = false
        while true {
            var status: CInt = 0
            if end == nil, unsafe waitpid(child, &status, WNOHANG | WUNTRACED) == child {
                let signal = status & 0x7f
                if status & 0xff == 0x7f {
                    // A person has stopped it: this program stops as the job that the shell knows, and the command goes on
                    // with it.
                    if let terminal {
                        terminal.take()
                        kill(0, SIGTSTP)
                        usleep(20_000)
                        terminal.give(to: child)
                        kill(-child, SIGCONT)
                    }
                } else {
                    end = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
                }
            }
            if let end, !isLate { return (end, []) }
            let left = isLate ? members(of: child) : []
            if isLate, end != nil, left.isEmpty { return (.late, []) }
            if Instant.now >= next {
                guard let signal = signals.first else { return (.late, left) }
                signals.removeFirst()
                isLate = true
                kill(-child, signal)
                // A stopped process ends by no signal but SIGKILL.
                kill(-child, SIGCONT)
                next = .now.advanced(bySeconds: patience)
            }
            usleep(20_000)
        }
    }

    /// The processes of a group that have not ended.
    ///
    /// Source: proc(5), /proc/PID/stat. Where other users' processes are hidden, the group itself is returned.
    private static func members(of group: pid_t) -> [pid_t] {
        let names = (try? LiveWorld(drivers: []).entries(of: "/proc")) ?? []
        let found = names.compactMap { pid_t($0) }.filter { process in
            guard let bytes = try? BoundedFile.read(FilePath("/proc/\(process)/stat"), limit: 4096),
                let name = bytes.lastIndex(of: UInt8(ascii: ")"))
            else { return false }
            // The state, the parent and the group.
            let fields = String(decoding: bytes[(name + 1)...], as: UTF8.self).split(separator: " ")
            return fields.count > 2 && pid_t(fields[2]) == group && !["Z", "X"].contains(fields[0])
        }
        let isForeign = found.isEmpty && kill(-group, 0) != 0 && Errno.current == .notPermitted
        return isForeign ? [group] : found.sorted()
    }

    private static func start(
        _ line: String, output: FileDescriptor, errors: FileDescriptor?, on terminal: ForegroundTerminal?
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        if let terminal { unsafe posix_spawn_file_actions_addtcsetpgrp_np(&actions, terminal.descriptor) }
        unsafe posix_spawn_file_actions_adddup2(&actions, output.rawValue, STDOUT_FILENO)
        if let errors { unsafe posix_spawn_file_actions_adddup2(&actions, errors.rawValue, STDERR_FILENO) }
        // It begins with the signals of a shell.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, CShort(flags))

        func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
            unsafe texts.map { text in unsafe strdup(text) } + [nil]
        }
        let words = unsafe copies(["/bin/sh", "-c"] + script(line))
        let variables = unsafe copies(ProcessInfo.processInfo.environment.map { "\($0)=\($1)" })
        defer { unsafe (words + variables).forEach { text in unsafe free(text) } }
        var child: pid_t = 0
        let failure = unsafe posix_spawn(&child, "/bin/sh", &actions, &attributes, words, variables)
        guard failure == 0 else { throw Errno(rawValue: failure) }
        return child
    }

    /// The line, and this program's path as `$0` in one that begins with its name.
    ///
    /// The folder of the program is not put on the PATH: others may write it, and a `sudo` in it would be run.
    private static func script(_ line: String) -> [String] {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard line.hasPrefix("\(RigReady.name) "), let own else { return [line] }
        return ["\"$0\"\(line.dropFirst(RigReady.name.utf8.count))", own]
    }

    private static func memoryFile() throws -> FileDescriptor {
        let file = FileDescriptor(rawValue: open_memory_file())
        guard file.rawValue >= 0 else { throw Errno.current }
        return file
    }

    /// The last bytes of a file.
    private static func lastBytes(of file: FileDescriptor, limit: Int) throws -> [UInt8] {
        let size = try file.seek(offset: 0, from: .end)
        var bytes = [UInt8](repeating: 0, count: min(limit, Int(size)))
        let count = try unsafe bytes.withUnsafeMutableBytes {
            try unsafe file.read(fromAbsoluteOffset: max(0, size - Int64(limit)), into: $0)
        }
        return Array(bytes.prefix(count))
    }
}
