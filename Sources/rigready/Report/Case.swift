/// The outcome of a case.
enum CaseOutcome {
    /// As expected; described if it is so with reservations.
    case passed(CaseDescription?)
    /// Not as expected.
    case failed(CaseDescription)
    /// Undetermined.
    case errored(CaseDescription)
    /// Not asked for, with the reason.
    case skipped(String)
}

/// The description of an outcome.
struct CaseDescription {
    /// A term of the contract: a verdict or a cause.
    var word: String
    /// The outcome on one line.
    var message: String
    /// The causes, the evidence and the remedies, one per line.
    var lines: [String]
}

/// One case: something that was expected of the rig, and the outcome.
struct Case {
    /// The subject: a service, or a sensor by kind and key.
    var name: String
    /// The category, such as `rigready.services`.
    var className: String
    /// The outcome.
    var outcome: CaseOutcome
    /// The duration of its drivers; nil if none was used.
    var seconds: Double?
}

extension Case {
    var isFailed: Bool { if case .failed = outcome { true } else { false } }
    var isErrored: Bool { if case .errored = outcome { true } else { false } }
    var isSkipped: Bool { if case .skipped = outcome { true } else { false } }
}
