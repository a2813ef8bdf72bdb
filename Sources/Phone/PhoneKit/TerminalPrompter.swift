internal import Readiness
internal import Linux
internal import DriverKit
internal import Glibc
package import Permissions
package import SystemPackage

/// Asks on the terminal that this process was started from, where it is in the foreground there.
///
/// Leaves the program's own standard input and output alone. A question stays open for ten minutes at most.
package struct TerminalPrompter: Prompter {
    private static let patience = 600.0

    private let path: FilePath

    /// Makes one; opens nothing.
    package init(on path: FilePath = "/dev/tty") { self.path = path }

    /// Asks with the app's own reason, up to three times.
    package func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        guard let file = try? FileDescriptor.open(path, .readWrite, options: [.closeOnExec, .nonBlocking]),
            let terminal = try? DescriptorChannel(file, subject: "the terminal")
        else { return nil }
        // One that asked from the background of its shell would be stopped; a terminal of others stops nobody.
        let group = tcgetpgrp(file.rawValue)
        guard group == getpgrp() || group == -1 && Errno.current == .inappropriateIOCTLForDevice else { return nil }
        let end = Instant.now.advanced(bySeconds: Self.patience)
        var lines = [question.text, "  " + question.purpose.singleLine]
        for (number, answer) in question.answers.enumerated() {
            lines.append("  \(number + 1)  \(question.meaning(of: answer)) (\(answer.rawValue))")
        }
        for _ in 0..<3 {
            let prompt = (lines + ["> "]).joined(separator: "\n")
            guard (try? terminal.send(Array(prompt.utf8), until: end)) != nil,
                let bytes = try? terminal.receive(limit: 4096, until: end)
            else { return nil }
            let word = String(decoding: bytes.filter { $0 > 0x20 && $0 < 0x7f }, as: UTF8.self).lowercased()
            if word.isEmpty { return nil }
            if let number = Int(word), question.answers.indices.contains(number - 1) {
                return question.answers[number - 1]
            }
            if let answer = question.answers.first(where: { $0.rawValue.hasPrefix(word) }) { return answer }
            lines = ["Please answer with one of the numbers, or press Return to be asked another time."]
        }
        return nil
    }
}
