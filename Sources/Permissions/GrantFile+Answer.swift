public import Configuration
public import Readiness
internal import SystemPackage

extension LockedFile<Grants> {
    /// Names the grant file in its default place: `rigready/permissions.yaml` in the folder of configurations, which is
    /// `.config` in the home folder where none is named; nil where neither is an absolute path.
    public init?(home: String?, configurations: String?) {
        let folder = configurations.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home.map { $0 + "/.config" }
        guard let folder, folder.hasPrefix("/") else { return nil }
        self.init(FilePath(folder + "/rigready/permissions.yaml"))
    }

    /// Records an answer, on what stands on file by now: the question may have been open for long.
    ///
    /// `decisions` say the rest; `undecided` is a permission without a record that counts as not determined, since the person
    /// is asked even where access allows it. Nil where other grants have meanwhile made the question another one: an
    /// answer counts for the question that it was given to, and for no other. `now` is asked once the file is locked.
    public func record(
        _ answer: PermissionAnswer, to question: PermissionQuestion, of request: PermissionRequest,
        on decisions: Decisions,
        at now: @autoclosure () -> GrantContext = .live, access: Authorizations, purposes: Purposes,
        undecided: Permission? = nil
    ) throws(Failure) -> (flow: RequestFlow, outcome: RequestOutcome)? {
        try update { grants in
            var decisions = decisions
            let option = decisions.grants.option
            decisions.grants = undecided.map(grants.undecided) ?? grants
            decisions.grants.option = option
            decisions.now = now()
            var flow = RequestFlow(decisions, access: access, purposes: purposes)
            switch try? flow.begin(request) {
            case .settled(let outcome): return (flow, outcome)
            case .ask(question):
                guard let outcome = flow.answer(answer) else { return nil }
                grants = flow.grants
                grants.option = nil
                return (flow, outcome)
            case .ask, .waiting, nil: return nil
            }
        }
    }
}

extension Grants {
    /// The same, where a permission without a record counts as not determined.
    public func undecided(_ permission: Permission) -> Grants {
        var grants = self
        let isRecorded =
            switch permission {
            case .location: location != nil
            case .motion: motion != nil
            case .bluetooth: bluetooth != nil
            case .health: health != nil
            }
        if !isRecorded { grants.record(.notDetermined, about: permission) }
        return grants
    }
}
