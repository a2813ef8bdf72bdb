extension Facts {
    /// The facts that judgements come to.
    public init(_ judgements: [Judgement]) {
        func those(_ isOne: (Judgement) -> Bool) -> RequirementSet {
            judgements.filter(isOne).reduce(into: []) { $0.formUnion(RequirementSet($1.requirement)) }
        }
        self.init(
            met: those { $0.standing == .met }, unknown: those { $0.standing == .unknown },
            unchecked: those { $0.standing == .unchecked }, folded: those { $0.rootCause != nil })
    }
}
