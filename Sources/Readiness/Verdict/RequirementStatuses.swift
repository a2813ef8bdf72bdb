/// The statuses of the nine requirements on one rig, as bit masks; what is neither met, unknown nor unchecked is unmet.
///
/// The masks are made consistent: a requirement both met and unknown is unknown; only Bluetooth can be unchecked; the
/// precise location is no better than the location, nor the step count than its store; a requirement is folded under
/// its root only while both have the same status and are not met.
public struct RequirementStatuses: Sendable, Equatable {
    /// The met requirements.
    public let met: RequirementSet
    /// Those that cannot be determined.
    public let unknown: RequirementSet
    /// Those that are not checked and affect no verdict: Bluetooth while its authorization is undetermined, or none.
    public let unchecked: RequirementSet
    /// Those that only repeat their root cause, and are omitted from lists that name the root.
    public let folded: RequirementSet

    /// Creates statuses.
    public init(
        met: RequirementSet, unknown: RequirementSet = [], unchecked: RequirementSet = [],
        folded: RequirementSet = []
    ) {
        let aside = unchecked.rawValue & RequirementSet.bluetooth.rawValue
        var unsure = unknown.rawValue & ~aside
        var good = met.rawValue & ~unsure & ~aside
        Self.limit(Self.precise, by: Self.location, &good, &unsure)
        Self.limit(Self.steps, by: Self.store, &good, &unsure)

        let foldable = Self.foldable(Self.precise | Self.background, under: Self.location, good, unsure)
        let told = foldable | Self.foldable(Self.steps, under: Self.store, good, unsure)
        self.met = RequirementSet(rawValue: good)
        self.unknown = RequirementSet(rawValue: unsure)
        self.unchecked = RequirementSet(rawValue: aside)
        self.folded = RequirementSet(rawValue: folded.rawValue & told)
    }

    /// Those that are certainly not met.
    public var unmet: RequirementSet {
        RequirementSet(rawValue: ~(met.rawValue | unknown.rawValue | unchecked.rawValue))
    }

    /// The folded requirements whose root is in `row`.
    func folded(in row: RequirementSet) -> RequirementSet {
        var told: UInt16 = 0
        if row.rawValue & Self.location != 0 { told |= Self.precise | Self.background }
        if row.rawValue & Self.store != 0 { told |= Self.steps }
        return RequirementSet(rawValue: folded.rawValue & told)
    }

    private static let location: UInt16 = 1 << Requirement.location.rawValue
    private static let precise: UInt16 = 1 << Requirement.preciseLocation.rawValue
    private static let background: UInt16 = 1 << Requirement.backgroundLocation.rawValue
    private static let store: UInt16 = 1 << Requirement.healthStore.rawValue
    private static let steps: UInt16 = 1 << Requirement.stepsRead.rawValue

    /// Makes the status of `leaf` no better than that of `root`.
    private static func limit(_ leaf: UInt16, by root: UInt16, _ good: inout UInt16, _ unsure: inout UInt16) {
        if good & root != 0 { return }
        if unsure & root != 0 { unsure |= good & leaf } else { unsure &= ~leaf }
        good &= ~leaf
    }

    /// The `leaves` with the same status as an unmet or unknown `root`.
    private static func foldable(_ leaves: UInt16, under root: UInt16, _ good: UInt16, _ unsure: UInt16) -> UInt16 {
        if good & root != 0 { return 0 }
        return leaves & ~good & (unsure & root != 0 ? unsure : ~unsure)
    }
}

extension RequirementStatuses {
    /// Collects the statuses of results.
    public init(_ requirementResults: [RequirementResult]) {
        func those(_ isOne: (RequirementResult) -> Bool) -> RequirementSet {
            requirementResults.filter(isOne).reduce(into: []) { $0.formUnion(RequirementSet($1.requirement)) }
        }
        self.init(
            met: those { $0.status == .met }, unknown: those { $0.status == .unknown },
            unchecked: those { $0.status == .unchecked }, folded: those { $0.rootCause != nil })
    }
}
