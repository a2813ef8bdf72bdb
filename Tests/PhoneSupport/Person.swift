package import Permissions
internal import Synchronization

/// Answers as told, one question after the other, and keeps what it was asked; then answers nothing.
package final class Person: Prompter {
    private let questions = Mutex<[PermissionQuestion]>([])
    private let answers: Mutex<[PermissionAnswer?]>

    /// Makes somebody who gives these answers.
    package init(_ answers: PermissionAnswer?...) { self.answers = Mutex(answers) }

    /// What it was asked so far.
    package var asked: [PermissionQuestionKind] { questions.withLock { $0.map(\.kind) } }

    /// The next answer.
    package func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        questions.withLock { $0.append(question) }
        return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
