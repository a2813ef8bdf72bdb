import Glibc
import Readiness

/// A line on the terminal that says what a probe waits for; nothing where standard error is no terminal.
enum ProgressLine {
    /// Shows what is waited for, in place of the line before; removes it if that is nothing.
    @Sendable static func show(_ waiting: [String]) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        let line = waiting.isEmpty ? "" : "waiting: \(waiting.joined(separator: "; "))".singleLine
        Output.log("\r\u{1b}[K" + line.prefix(max(20, Terminal.current.width - 1)))
    }
}
