/// Shows the user a question and returns the answer.
public protocol Prompter: Sendable {
    /// Returns the user's answer; nil if the question was dismissed, or there is no one to ask.
    ///
    /// It may block for as long as the question is open.
    func answer(to question: PermissionQuestion) -> PermissionAnswer?
}

/// Answers every question the same, for a rig without a terminal; a question that does not offer the answer is
/// dismissed.
public struct FixedPrompter: Prompter {
    private let fixed: PermissionAnswer

    /// Creates a prompter with a fixed answer.
    public init(_ answer: PermissionAnswer) { fixed = answer }

    /// Returns the fixed answer.
    public func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        question.answers.contains(fixed) ? fixed : nil
    }
}
