/// Shows the user a question and returns the answer.
public protocol Prompter: Sendable {
    /// The user's answer; nil where the question was dismissed, or where there is nobody to ask.
    ///
    /// It may block for as long as the question is open.
    func answer(to question: PermissionQuestion) -> PermissionAnswer?
}

/// Gives every question the same answer, for a rig without a terminal; a question that does not offer it is dismissed.
public struct FixedPrompter: Prompter {
    private let fixed: PermissionAnswer

    /// Makes one.
    public init(_ answer: PermissionAnswer) { fixed = answer }

    /// The fixed answer.
    public func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        question.answers.contains(fixed) ? fixed : nil
    }
}
