package import Permissions

/// Who puts a question to the user.
package protocol Asker: Sendable {
    /// The user's answer; nil where the question was put away, or where there is nobody to ask.
    ///
    /// Blocks, on a thread of its own; at most one question is open.
    func answer(to question: Question) -> Question.Answer?
}

/// Gives every question the same answer, for a rig without a terminal; a question that does not offer it is put away.
package struct FixedAsker: Asker {
    private let fixed: Question.Answer

    /// Makes one.
    package init(_ answer: Question.Answer) { fixed = answer }

    /// The fixed answer.
    package func answer(to question: Question) -> Question.Answer? { question.answers.contains(fixed) ? fixed : nil }
}
