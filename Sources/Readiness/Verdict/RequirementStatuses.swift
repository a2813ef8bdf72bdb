/// How the nine requirements stand on one rig, as bit masks; whatever is neither met, unknown nor unchecked is unmet.
///
/// The masks are made consistent: what is called met and unknown is unknown; only Bluetooth can be unchecked; a precise
/// location is no better than the location, nor a step count than its store; a requirement is folded under its root only
/// while both stand alike and are not met.
public struct RequirementStatuses: Sendable, Equatable {
    /// What is met.
    public let met: RequirementSet
    /// What cannot be told.
    public let unknown: RequirementSet
    /// What is not looked at and enters no verdict: Bluetooth while its authorization is undetermined, or nothing.
    public let unchecked: RequirementSet
    /// What only repeats its root cause, and is left out of lists that name the root.
    public let folded: RequirementSet

    /// Makes facts.
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

    /// What is not met for certain.
    public var unmet: RequirementSet {
        RequirementSet(rawValue: ~(met.rawValue | unknown.rawValue | unchecked.rawValue))
    }

    /// The folded requirements of which the root is in `row`.
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

    /// Makes `leaf` stand no better than `root`.
    private static func limit(_ leaf: UInt16, by root: UInt16, _ good: inout UInt16, _ unsure: inout UInt16) {
        if good & root != 0 { return }
        if unsure & root != 0 { unsure |= good & leaf } else { unsure &= ~leaf }
        good &= ~leaf
    }

    /// Which of `leaves` stand as an unmet or unknown `root` does.
    private static func foldable(_ leaves: UInt16, under root: UInt16, _ good: UInt16, _ unsure: UInt16) -> UInt16 {
        if good & root != 0 { return 0 }
        return leaves & ~good & (unsure & root != 0 ? unsure : ~unsure)
    }
}
