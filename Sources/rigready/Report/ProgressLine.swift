import DriverKit
import Glibc
import LocalRig
import Readiness

/// A line on the terminal that counts down what a probe waits for; nothing where standard error is no terminal.
enum ProgressLine {
    /// Shows what is waited for, in place of the line before; removes it if that is nothing.
    @Sendable static func show(_ waiting: [PendingReading]) { show(words(for: waiting, at: .now)) }

    /// Shows how far long work is, in place of the line before; removes it if the text is empty.
    static func show(_ words: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        let line = Output.spelled(words.singleLine)
        Output.log("\r\u{1b}[K" + line.prefix(max(20, Terminal.widthOfProgress - 1)))
    }

    /// Does what waits for something, and counts down after the first second of it.
    static func during<Result>(
        _ name: String, isShown: Bool, seconds: Double, _ work: () throws -> Result
    ) throws -> Result {
        guard isShown, isatty(STDERR_FILENO) == 1, let end = try? Waker() else { return try work() }
        let (ended, deadline) = (try Waker(), Instant.now.advanced(bySeconds: seconds))
        let isStarted = Worker.start {
            var hasShown = false
            while !end.wait(until: .now.advanced(by: .seconds(1))) {
                show([PendingReading(name: name, deadline: deadline)])
                hasShown = true
            }
            if hasShown { show([]) }
            ended.wake()
        }
        defer {
            end.wake()
            if isStarted { ended.wait(until: .now.advanced(by: .seconds(1))) }
        }
        return try work()
    }

    /// What is waited for, and for how many seconds at most.
    static func words(for waiting: [PendingReading], at now: Instant) -> String {
        let items = waiting.map { one in
            let left = Int(max(0, now.seconds(to: one.deadline)).rounded(.up))
            return "\(left) s for \(one.name)" + (one.reason.map { " (\($0))" } ?? "")
        }
        return items.isEmpty ? "" : "waiting " + items.joined(separator: ", ")
    }
}
