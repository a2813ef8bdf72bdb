import Foundation

/// Programs on a pseudo-terminal.
extension Tool {
    private static func helper(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path
    }

    /// Runs a command and types each answer once its prompt is shown, `ahead` before the command starts.
    static func type(
        _ answers: [(prompt: String, answer: String)], ahead: String = "", into command: [String],
        environment: [String: String] = [:], in folder: URL? = nil
    ) throws -> Run {
        let python = try path("python3", package: "python3")
        let settings: [String: Any] = ["ahead": ahead, "answers": answers.map { [$0.prompt, $0.answer] }]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: settings), as: UTF8.self)
        return try run(
            python, [helper("typist.py"), text] + command, environment: environment, in: folder, limit: 120)
    }

    /// The same with the answers to this program's own questions, a line or a key each.
    static func answer(_ lines: String, to command: [String], environment: [String: String] = [:]) throws -> Run {
        var answers: [String] = []
        for character in lines {
            if answers.isEmpty || answers[answers.count - 1].hasSuffix("\n") { answers.append("") }
            answers[answers.count - 1].append(character)
        }
        return try type(answers.map { ("> ", $0) }, into: command, environment: environment)
    }

    /// Types a line and Tab in an interactive shell that has sourced a file; returns the line that the shell then has, and
    /// has run it.
    static func complete(
        _ line: String, in shell: String, sourcing file: URL, at folder: URL, path: String
    ) throws -> String {
        let python = try Tool.path("python3", package: "python3")
        _ = try Tool.path(shell, package: shell)
        let run = try run(
            python, [helper("tab.py"), shell, file.path, line], environment: ["PATH": path], in: folder, limit: 180)
        guard run.status == 0 else { throw Program.CommandFailure(description: run.complaints) }
        return run.output.trimmingCharacters(in: .newlines)
    }
}
