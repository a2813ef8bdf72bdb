internal import DriverKit
internal import Glibc
internal import Readiness
package import SystemPackage

/// Shows the user a question and returns the answer.
package protocol Prompter: Sendable {
    /// Returns the user's answer; nil if the question was dismissed, or there is no one to ask.
    ///
    /// It may block for as long as the question is open.
    func answer(to question: PermissionQuestion) -> PermissionAnswer?

    /// Whether there is someone to show a question to; shows nothing.
    func canAsk(_ question: PermissionQuestion) -> Bool
}

extension Prompter {
    /// True.
    package func canAsk(_ question: PermissionQuestion) -> Bool { true }
}

/// Answers every question the same, for a rig without a terminal; a question that does not offer the answer is
/// dismissed.
package struct FixedPrompter: Prompter {
    private let fixed: PermissionAnswer

    /// Creates a prompter with a fixed answer.
    package init(_ answer: PermissionAnswer) { fixed = answer }

    /// Returns the fixed answer.
    package func answer(to question: PermissionQuestion) -> PermissionAnswer? { canAsk(question) ? fixed : nil }

    /// Whether the question offers the fixed answer.
    package func canAsk(_ question: PermissionQuestion) -> Bool { question.answers.contains(fixed) }
}

/// Asks on the controlling terminal of this process, if the process is in the foreground there.
///
/// It does not use the standard streams. What was typed before a question does not answer it. A question stays open for
/// at most three attempts and ten minutes.
package struct TerminalPrompter: Prompter {
    private static let attempts = 3
    private static let seconds = 600.0

    private let path: FilePath
    private let isASCII: Bool

    /// Creates a prompter, which writes only ASCII if `isASCII` is true; opens nothing.
    package init(on path: FilePath = "/dev/tty", isASCII: Bool = false) {
        self.path = path
        self.isASCII = isASCII
    }

    /// Whether standard input and standard error are a terminal, as for a command that a person has typed.
    package static var hasStandardTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Returns the answer, if one was given.
    package func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        if case .answered(let answer) = reply(to: question) { answer } else { nil }
    }

    /// Asks, and distinguishes a dismissed question from one that no one saw.
    package func reply(to question: PermissionQuestion) -> TerminalReply<PermissionAnswer> {
        reply(
            to: [question.text, "  " + question.purpose.singleLine],
            among: question.answers.map { ($0, question.meaning(of: $0)) })
    }

    /// Asks a question of one or more lines, each answer with what it means.
    package func reply<Answer: RawRepresentable<String> & Sendable & Equatable>(
        to question: [String], among answers: [(answer: Answer, meaning: String)]
    ) -> TerminalReply<Answer> {
        var lines = question
        for (number, choice) in answers.enumerated() {
            lines.append("  \(number + 1)  \(choice.meaning) (\(choice.answer.rawValue))")
        }
        return reply(
            to: (lines + ["> "]).joined(separator: "\n"),
            orElse: { _ in "Please answer with one of the numbers, or press Return to be asked later.\n> " },
            choice: { Self.choice(in: $0, among: answers.map(\.answer)) })
    }

    /// Shows a prompt until `choice` accepts a line, at most three times; `orElse` is the prompt after any other line.
    package func reply<Answer: Sendable & Equatable>(
        to prompt: String, orElse: ([UInt8]) -> String, choice: ([UInt8]) -> TerminalReply<Answer>?
    ) -> TerminalReply<Answer> {
        guard let file = terminal() else { return .unattended }
        defer { try? file.close() }
        let deadline = Instant.now.advanced(bySeconds: Self.seconds)
        var prompt = prompt
        for _ in 0..<Self.attempts {
            // Keys that were typed ahead are no answer to a question that nobody had seen.
            _ = tcflush(file.rawValue, TCIFLUSH)
            let shown = isASCII ? prompt.inASCII : prompt
            guard (try? file.writeAll(Array(shown.utf8))) != nil, let line = Self.read(file, until: deadline) else {
                return .unattended
            }
            if let reply = choice(line) { return reply }
            prompt = orElse(line)
        }
        return .dismissed
    }

    /// What a line chooses: an answer by its number or by how its name begins; nil if it is to be asked again.
    package static func choice<Answer: RawRepresentable<String> & Sendable & Equatable>(
        in line: [UInt8], among answers: [Answer]
    ) -> TerminalReply<Answer>? {
        if line.allSatisfy({ $0 <= 0x20 }) { return .dismissed }
        let word = String(decoding: line.filter { $0 > 0x20 && $0 < 0x7f }, as: UTF8.self).lowercased()
        if let number = Int(word), 0 < number, number <= answers.count { return .answered(answers[number - 1]) }
        guard !word.isEmpty else { return nil }
        return answers.first { $0.rawValue.hasPrefix(word) }.map { .answered($0) }
    }

    /// Whether this process may use its terminal now.
    package func canAsk(_ question: PermissionQuestion) -> Bool { (try? terminal()?.close()) != nil }

    /// Opens the terminal; nil if there is none, or this process is in the background there.
    private func terminal() -> FileDescriptor? {
        guard let file = try? FileDescriptor.open(path, .readWrite, options: [.closeOnExec, .nonBlocking]) else {
            return nil
        }
        // A process in the background of its shell would be stopped; a terminal that is not the controlling one stops
        // none.
        let group = tcgetpgrp(file.rawValue)
        if group == getpgrp() || group == -1 && Errno.current == .inappropriateIOCTLForDevice { return file }
        try? file.close()
        return nil
    }

    /// Reads a line, of which the terminal returns one at a time; nil at the end of the input or the time.
    private static func read(_ file: FileDescriptor, until deadline: Instant) -> [UInt8]? {
        guard let waker = try? Waker(), (try? waker.wait(for: file.rawValue, until: deadline)) == .ready else {
            return nil
        }
        let line = try? unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return line.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The outcome of a question on a terminal.
package enum TerminalReply<Answer: Sendable & Equatable>: Sendable, Equatable {
    case answered(Answer)
    /// Dismissed, to be asked later.
    case dismissed
    /// There is no terminal, its input has ended, or the time is over.
    case unattended
}
