/// Whether a requirement is met, as far as can be told.
public enum RequirementStatus: String, Sendable, Hashable {
    case met
    case unmet
    /// Cannot be told from here; never read as met, nor as absent.
    case unknown
    /// Not looked at, because its authorization is undetermined; exists for Bluetooth alone (seed 000).
    case unchecked
}

/// How one requirement stands on one rig, and why.
public struct RequirementResult: Sendable, Equatable {
    /// The requirement.
    public var requirement: Requirement
    /// How it stands.
    public var status: RequirementStatus
    /// Every cause, in the order of telling, the first to be told first; empty where the requirement is met.
    public var causes: [Cause]
    /// The requirement whose cause this one only repeats.
    public var rootCause: Requirement?
    /// The keys of the sensors that decided it.
    public var decidedBy: [String]
    /// The cause in one clause.
    public var detail: String?
    /// What would mend it: a command, or what to plug in.
    public var remedies: [Remedy]
    /// What was seen.
    public var evidence: [Evidence]

    /// Makes a judgement.
    public init(
        _ requirement: Requirement, _ status: RequirementStatus, causes: [Cause] = [], rootCause: Requirement? = nil,
        decidedBy: [String] = [], detail: String? = nil, remedies: [Remedy] = [], evidence: [Evidence] = []
    ) {
        self.requirement = requirement
        self.status = status
        self.causes = causes
        self.rootCause = rootCause
        self.decidedBy = decidedBy
        self.detail = detail
        self.remedies = remedies
        self.evidence = evidence
    }

    /// The cause to tell.
    public var cause: Cause? { causes.first }
}
