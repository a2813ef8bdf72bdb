/// One case: something that was expected of the rig, and what came of it.
struct Case {
    /// What came of it.
    enum Outcome {
        /// As expected; an account where it is not quite so.
        case passed(Account?)
        /// Not as expected.
        case failed(Account)
        /// It cannot be told.
        case errored(Account)
        /// Nobody asked; why.
        case skipped(String)
    }

    /// What is to be said of a case.
    struct Account {
        /// The word of the contract: a verdict, a cause.
        var word: String
        /// The whole in one line.
        var message: String
        /// The causes, the evidence and the remedies, line by line.
        var lines: [String]
    }

    /// What it is: a service, or a sensor by kind and key.
    var name: String
    /// The kind of thing, such as `rigready.services`.
    var className: String
    /// What came of it.
    var outcome: Outcome
    /// How long its drivers took; nil where nothing was asked of them.
    var seconds: Double?
}

extension Case {
    var isFailed: Bool { if case .failed = outcome { true } else { false } }
    var isErrored: Bool { if case .errored = outcome { true } else { false } }
    var isSkipped: Bool { if case .skipped = outcome { true } else { false } }
}
