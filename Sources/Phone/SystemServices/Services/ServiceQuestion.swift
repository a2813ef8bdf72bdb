public import Permissions

/// A question to a person, with the app's reason and the answers that it offers.
public struct ServiceQuestion: Sendable {
    /// One answer and what it means here.
    public struct Choice: Sendable {
        /// The answer.
        public let answer: PermissionAnswer
        /// What it means.
        public let meaning: String
    }

    /// The question in words.
    public let text: String
    /// Why it is asked, in the app's words.
    public let purpose: String
    /// The answers, in order.
    public let choices: [Choice]

    init(_ question: PermissionQuestion) {
        text = question.text
        purpose = question.purpose
        choices = question.answers.map { Choice(answer: $0, meaning: question.meaning(of: $0)) }
    }

    /// A question that no permission of a grant file stands for.
    init(plain service: SystemService) {
        text = service.id == "microphone" ? "Allow the recording of sound?" : "Allow notifications?"
        purpose = service.usage
        choices = [
            Choice(answer: .allow, meaning: "allow"), Choice(answer: .deny, meaning: "do not allow"),
        ]
    }
}

/// What a request came to: an accepted one is not yet a granted one.
public enum RequestResult: Sendable, Equatable {
    /// It may be used now.
    case granted
    /// The person said yes, or nothing stood against it, and still it cannot be used.
    case accepted(ServiceState)
    /// The person, the policy or the operating system said no.
    case refused(ServiceState)
    /// Nobody answered; nothing was recorded.
    case deferred
    /// Another question is open, here or in another process; this request had no effect.
    case busy
    /// Linux has nothing that backs it.
    case unsupported(ServiceState)
}
