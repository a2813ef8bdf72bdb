/// Whether a requirement is met.
public enum RequirementStatus: String, Sendable, Hashable {
    case met
    case unmet
    /// Cannot be determined; never counts as met, nor as absent.
    case unknown
    /// Not checked, because its authorization is undetermined; only for Bluetooth (seed 000).
    case unchecked
}

/// The status of one requirement on one rig, and why.
public struct RequirementResult: Sendable, Equatable {
    /// The requirement.
    public var requirement: Requirement
    /// The status.
    public var status: RequirementStatus
    /// Every cause, in report order; empty if the requirement is met.
    public var causes: [Cause] = []
    /// The requirement whose cause this one repeats.
    public var rootCause: Requirement?
    /// The keys of the sensors that determined the status.
    public var decidedBy: [String] = []
    /// The cause in one clause.
    public var detail: String?
    /// What fixes it: a command, or what to plug in.
    public var remedies: [Remedy] = []
    /// What was observed.
    public var evidence: [Evidence] = []

    /// The cause to report.
    public var cause: Cause? { causes.first }
}
