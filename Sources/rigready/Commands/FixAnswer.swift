import LocalRig

/// The answer to the question of `fix` whether to run a command.
enum FixAnswer: Sendable {
    case run, skip, quit

    /// The question.
    static let prompt = "  Run this command? [y]es, [s]kip, [q]uit: "

    /// The question again, after a line that is no answer; after `?`, with the meaning of each answer.
    static func nextPrompt(after line: [UInt8]) -> String {
        let hint =
            word(in: line) == "?"
            ? """
                y  run the command
                s  skip it (Return does the same)
                q  end fix, and run nothing else

            """
            : "  Answer y, s or q. Type ? for help.\n"
        return hint + prompt
    }

    /// The answer in a line, in upper or lower case; a blank line skips, and nil repeats the question.
    static func reply(in line: [UInt8]) -> TerminalReply<FixAnswer>? {
        if line.allSatisfy({ $0 <= 0x20 }) { return .dismissed }
        switch word(in: line) {
        case "y", "yes": return .answered(.run)
        case "s", "skip", "n", "no": return .answered(.skip)
        case "q", "quit": return .answered(.quit)
        default: return nil
        }
    }

    private static func word(in line: [UInt8]) -> String {
        String(decoding: line.drop { $0 <= 0x20 }.prefix { $0 > 0x20 }, as: UTF8.self).lowercased()
    }
}
