package import LocalRig
internal import Synchronization

/// Gives the set answers, one question after the other, and records the questions; then answers nothing.
package final class Person: Prompter {
    private let questions = Mutex<[PermissionQuestion]>([])
    private let answers: Mutex<[PermissionAnswer?]>

    /// Creates a prompter with these answers.
    package init(_ answers: PermissionAnswer?...) { self.answers = Mutex(answers) }

    /// The questions so far.
    package var asked: [PermissionQuestionKind] { questions.withLock { $0.map(\.kind) } }

    /// The next answer.
    package func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        questions.withLock { $0.append(question) }
        return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// A rig on which there is nobody to ask.
package struct Nobody: Prompter {
    /// Creates it.
    package init() {}
    /// No answer.
    package func answer(to question: PermissionQuestion) -> PermissionAnswer? { nil }
    /// False.
    package func canAsk(_ question: PermissionQuestion) -> Bool { false }
}
