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
