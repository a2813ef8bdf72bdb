enum CaseOutcome {
    /// As expected; described if it is so with reservations.
    case passed(CaseDescription?)
    /// Not as expected.
    case failed(CaseDescription)
    /// Undetermined.
    case errored(CaseDescription)
    /// Not asked for, with the reason.
    case skipped(String)
    /// Not as expected, which is accepted, with the reason.
    case accepted(String)
}

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
    var outcome: CaseOutcome
    /// The duration of its drivers; nil if none was used.
    var seconds: Double?

    var isFailed: Bool { if case .failed = outcome { true } else { false } }
    var isErrored: Bool { if case .errored = outcome { true } else { false } }
    var isSkipped: Bool {
        switch outcome {
        case .skipped, .accepted: true
        case .passed, .failed, .errored: false
        }
    }
}

/// A result for a continuous integration server: a list of cases, written as JUnit XML or as TAP.
struct CaseList {
    var host: String
    var takenAt: String
    var properties: [(name: String, value: String)]
    var seconds: Double
    /// The cases; a name is unique in its class.
    var cases: [Case]
}
