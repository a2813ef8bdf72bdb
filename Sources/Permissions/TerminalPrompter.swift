internal import DriverKit
internal import Glibc
internal import Readiness
public import SystemPackage

/// Asks on a terminal, with the app's own reason; a question stays open for three attempts and ten minutes at most.
public struct TerminalPrompter: Prompter {
    private static let attempts = 3
    private static let seconds = 600.0

    /// The terminal to open; nil for standard input and standard error.
    private let path: FilePath?

    /// Asks on a terminal of its own, by default the one that this process was started from.
    ///
    /// The program's standard streams are left alone. Nothing is asked from the background of a shell.
    public init(on path: FilePath = "/dev/tty") { self.path = path }

    private init() { path = nil }

    /// Asks on standard error and reads standard input, where both are a terminal.
    public static let standardStreams = TerminalPrompter()

    /// Whether standard input and standard error are a terminal.
    public static var hasStandardTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// The answer, if one was given.
    public func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        if case .answered(let answer) = reply(to: question) { answer } else { nil }
    }

    /// Asks, and tells a dismissed question from one that nobody saw.
    public func reply(to question: PermissionQuestion) -> TerminalReply {
        guard let path else {
            guard Self.hasStandardTerminal else { return .unattended }
            return ask(question, TerminalStreams(input: .standardInput, output: .standardError))
        }
        guard let file = try? FileDescriptor.open(path, .readWrite, options: [.closeOnExec, .nonBlocking]) else {
            return .unattended
        }
        defer { try? file.close() }
        // A process in the background of its shell would be stopped; a terminal that is not the controlling one stops none.
        let group = tcgetpgrp(file.rawValue)
        guard group == getpgrp() || group == -1 && Errno.current == .inappropriateIOCTLForDevice else {
            return .unattended
        }
        return ask(question, TerminalStreams(input: file, output: file))
    }

    private func ask(_ question: PermissionQuestion, _ terminal: TerminalStreams) -> TerminalReply {
        let deadline = Instant.now.advanced(bySeconds: Self.seconds)
        var lines = [question.text, "  " + question.purpose.cleaned]
        for (number, answer) in question.answers.enumerated() {
            lines.append("  \(number + 1)  \(question.meaning(of: answer)) (\(answer.rawValue))")
        }
        for _ in 0..<Self.attempts {
            guard terminal.write((lines + ["> "]).joined(separator: "\n"), until: deadline),
                let line = terminal.readLine(until: deadline)
            else { return .unattended }
            let word = String(decoding: line.filter { $0 > 0x20 && $0 < 0x7f }, as: UTF8.self).lowercased()
            if line.allSatisfy({ $0 <= 0x20 }) { return .dismissed }
            if let number = Int(word), question.answers.indices.contains(number - 1) {
                return .answered(question.answers[number - 1])
            }
            if !word.isEmpty, let answer = question.answers.first(where: { $0.rawValue.hasPrefix(word) }) {
                return .answered(answer)
            }
            lines = ["Please answer with one of the numbers, or press Return to be asked another time."]
        }
        return .dismissed
    }
}

/// How a question on a terminal ended.
public enum TerminalReply: Sendable, Equatable {
    case answered(PermissionAnswer)
    /// Put away, to be asked another time.
    case dismissed
    /// There is no terminal, its input is at an end, or the time is over: nobody is there.
    case unattended
}

/// A terminal's two directions; every wait has a deadline.
private struct TerminalStreams {
    /// A line longer than this is no answer.
    private static let limit = 4096

    let input: FileDescriptor
    let output: FileDescriptor

    /// Writes a text whole; false where the terminal takes no more.
    func write(_ text: String, until deadline: Instant) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            guard wait(for: POLLOUT, of: output, until: deadline) else { return false }
            do {
                bytes = try bytes.dropFirst(unsafe bytes.withUnsafeBytes { try unsafe output.write($0) })
            } catch Errno.wouldBlock {
            } catch {
                return false
            }
        }
        return true
    }

    /// The next line without its end; nil at the end of the input.
    ///
    /// Read byte by byte, so that nothing behind the line is taken.
    func readLine(until deadline: Instant) -> [UInt8]? {
        var line: [UInt8] = []
        while line.count < Self.limit {
            guard wait(for: POLLIN, of: input, until: deadline) else { return nil }
            var byte: UInt8 = 0
            do {
                let count = try unsafe withUnsafeMutableBytes(of: &byte) { try unsafe input.read(into: $0) }
                if count == 0 { return line.isEmpty ? nil : line }
                if byte == UInt8(ascii: "\n") { return line }
                line.append(byte)
            } catch Errno.wouldBlock {
            } catch {
                return nil
            }
        }
        return line
    }

    private func wait(for events: CInt, of descriptor: FileDescriptor, until deadline: Instant) -> Bool {
        while true {
            let left = Instant.now.seconds(to: deadline)
            guard left > 0 else { return false }
            var set = pollfd(fd: descriptor.rawValue, events: CShort(events), revents: 0)
            let ready = unsafe poll(&set, 1, CInt(left * 1000 + 1))
            if ready > 0 { return true }
            if ready < 0, Errno.current != .interrupted { return false }
        }
    }
}
