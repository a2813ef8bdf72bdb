/// What came of it.
enum CaseOutcome {
    /// As expected; an account where it is not quite so.
    case passed(CaseDescription?)
    /// Not as expected.
    case failed(CaseDescription)
    /// It cannot be told.
    case errored(CaseDescription)
    /// Nobody asked; why.
    case skipped(String)
}

/// What is to be said of a case.
struct CaseDescription {
    /// The word of the contract: a verdict, a cause.
    var word: String
    /// The whole in one line.
    var message: String
    /// The causes, the evidence and the remedies, line by line.
    var lines: [String]
}

/// One case: something that was expected of the rig, and what came of it.
struct Case {
    /// What it is: a service, or a sensor by kind and key.
    var name: String
    /// The kind of thing, such as `rigready.services`.
    var className: String
    /// What came of it.
    var outcome: CaseOutcome
    /// How long its drivers took; nil where nothing was asked of them.
    var seconds: Double?
}

extension Case {
    var isFailed: Bool { if case .failed = outcome { true } else { false } }
    var isErrored: Bool { if case .errored = outcome { true } else { false } }
    var isSkipped: Bool { if case .skipped = outcome { true } else { false } }
}
