/// The statuses of the nine requirements on one rig, as bit masks; what is neither met, unknown nor unchecked is unmet.
///
/// The masks are made consistent: a requirement both met and unknown is unknown; only Bluetooth can be unchecked; the
/// precise location is no better than the location, nor the step count than its store; a requirement is folded under
/// its root only while both have the same status and are not met.
public struct RequirementStatuses: Sendable, Equatable {
    /// The met requirements.
    public private(set) var met: RequirementSet
    /// Those that cannot be determined.
    public private(set) var unknown: RequirementSet
    /// Those that are not checked and affect no verdict: Bluetooth while its authorization is undetermined, or none.
    public let unchecked: RequirementSet
    /// Those that only repeat their root cause, and are omitted from lists that name the root.
    public private(set) var folded: RequirementSet

    /// Creates statuses.
    public init(
        met: RequirementSet, unknown: RequirementSet = [], unchecked: RequirementSet = [],
        folded: RequirementSet = []
    ) {
        self.unchecked = unchecked.intersection(.bluetooth)
        self.unknown = unknown.subtracting(self.unchecked)
        self.met = met.subtracting(self.unknown).subtracting(self.unchecked)
        self.folded = []
        limit(.preciseLocation, by: .location)
        limit(.stepsRead, by: .healthStore)
        self.folded = folded.intersection(
            likeRoot(Self.locationLeaves, .location).union(likeRoot(.stepsRead, .healthStore)))
    }

    /// Those that are certainly not met.
    public var unmet: RequirementSet { RequirementSet.all.subtracting(met).subtracting(unknown).subtracting(unchecked) }

    /// The folded requirements whose root is in `row`.
    func folded(in row: RequirementSet) -> RequirementSet {
        var leaves: RequirementSet = []
        if row.contains(.location) { leaves.formUnion(Self.locationLeaves) }
        if row.contains(.healthStore) { leaves.formUnion(.stepsRead) }
        return folded.intersection(leaves)
    }

    private static let locationLeaves: RequirementSet = [.preciseLocation, .backgroundLocation]

    /// Makes the status of `leaf` no better than that of `root`.
    private mutating func limit(_ leaf: RequirementSet, by root: RequirementSet) {
        guard !met.contains(root) else { return }
        if !unknown.contains(root) {
            unknown.subtract(leaf)
        } else if met.contains(leaf) {
            unknown.formUnion(leaf)
        }
        met.subtract(leaf)
    }

    /// The `leaves` with the same status as an unmet or unknown `root`.
    private func likeRoot(_ leaves: RequirementSet, _ root: RequirementSet) -> RequirementSet {
        if met.contains(root) { return [] }
        return unknown.contains(root) ? leaves.intersection(unknown) : leaves.subtracting(met).subtracting(unknown)
    }
}

extension RequirementStatuses {
    /// Collects the statuses of results.
    public init(_ requirementResults: [RequirementResult]) {
        func those(_ isOne: (RequirementResult) -> Bool) -> RequirementSet {
            RequirementSet(requirementResults.filter(isOne).map(\.requirement))
        }
        self.init(
            met: those { $0.status == .met }, unknown: those { $0.status == .unknown },
            unchecked: those { $0.status == .unchecked }, folded: those { $0.rootCause != nil })
    }
}
