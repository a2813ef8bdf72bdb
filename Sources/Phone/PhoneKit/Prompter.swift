package import Permissions

/// Who puts a question to the user.
package protocol Prompter: Sendable {
    /// The user's answer; nil where the question was put away, or where there is nobody to ask.
    ///
    /// Blocks, on a thread of its own; at most one question is open.
    func answer(to question: PermissionQuestion) -> PermissionAnswer?
}

/// Gives every question the same answer, for a rig without a terminal; a question that does not offer it is put away.
package struct FixedPrompter: Prompter {
    private let fixed: PermissionAnswer

    /// Makes one.
    package init(_ answer: PermissionAnswer) { fixed = answer }

    /// The fixed answer.
    package func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        question.answers.contains(fixed) ? fixed : nil
    }
}
