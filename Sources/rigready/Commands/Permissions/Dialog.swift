import Readiness
import Glibc
import Permissions

/// Questions to whoever sits at the terminal.
enum Dialog {
    /// How a question ended.
    enum End {
        case answered(PermissionAnswer)
        /// Put away, to be asked another time.
        case dismissed
        /// The input is at its end: nobody is there any more.
        case left

        /// The answer, if one was given.
        var answer: PermissionAnswer? { if case .answered(let answer) = self { answer } else { nil } }
    }

    /// Whether there is somebody to ask.
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks on the terminal; three answers that are none put the question away.
    static func ask(_ text: String, _ purpose: String, _ choices: [(answer: PermissionAnswer, meaning: String)]) -> End
    {
        var lines = [text.singleLine, "  \(purpose.singleLine)"]
        for (number, choice) in choices.enumerated() {
            lines.append("  \(number + 1)  \(choice.meaning) (\(choice.answer.rawValue))")
        }
        for _ in 0..<3 {
            Output.prompt((lines + ["> "]).joined(separator: "\n"))
            guard let line = readLine() else { return .left }
            let word = line.singleLine.filter { $0 != " " }.lowercased()
            if word.isEmpty { return .dismissed }
            if let number = Int(word), choices.indices.contains(number - 1) {
                return .answered(choices[number - 1].answer)
            }
            if let choice = choices.first(where: { $0.answer.rawValue.hasPrefix(word) }) {
                return .answered(choice.answer)
            }
            lines = ["Please answer with one of the numbers, or press Return to be asked another time."]
        }
        return .dismissed
    }
}
