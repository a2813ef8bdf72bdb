package import Permissions
internal import RigHost
internal import Synchronization

/// Answers as told, one question after the other, and keeps what it was asked; then answers nothing.
package final class Person: Asker {
    private let questions = Mutex<[Question]>([])
    private let answers: Mutex<[Question.Answer?]>

    /// Makes somebody who gives these answers.
    package init(_ answers: Question.Answer?...) { self.answers = Mutex(answers) }

    /// What it was asked so far.
    package var asked: [Question.Kind] { questions.withLock { $0.map(\.kind) } }

    /// The next answer.
    package func answer(to question: Question) -> Question.Answer? {
        questions.withLock { $0.append(question) }
        return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
