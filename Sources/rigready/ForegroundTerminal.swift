import Glibc
import SystemPackage

/// The controlling terminal of this process, while this process is in its foreground.
///
/// Source: tcsetpgrp(3); The GNU C Library, "Foreground and Background".
final class ForegroundTerminal {
    private let file: FileDescriptor
    var descriptor: CInt { file.rawValue }

    /// Opens the terminal; nil if there is none, or this process is in the background there.
    init?() {
        let path = FilePath("/dev/tty")
        guard let file = try? FileDescriptor.open(path, .readWrite, options: .closeOnExec) else { return nil }
        guard tcgetpgrp(file.rawValue) == getpgrp() else {
            try? file.close()
            return nil
        }
        self.file = file
    }

    deinit { try? file.close() }

    /// Puts a process group in the foreground, if this process is there.
    func give(to group: pid_t) {
        if tcgetpgrp(descriptor) == getpgrp() { set(group) }
    }

    /// Puts this process in the foreground again.
    func take() { set(getpgrp()) }

    private func set(_ group: pid_t) {
        // In the background the call would stop this process.
        var signals = sigset_t()
        var before = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTTOU)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
        _ = tcsetpgrp(descriptor, group)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
