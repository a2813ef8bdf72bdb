internal import Readiness

extension Report.SessionLine {
    init(_ assessment: Assessment) {
        let session = assessment.session
        let state = session.state
        let missing: RequirementSet = if case .error(let missing) = state { missing } else { [] }
        func problem(_ service: Service, _ requirements: RequirementSet) -> Report.SessionProblem {
            Report.SessionProblem(
                service: service.id, reason: "missingPermission",
                permissions: requirements.members.map { assessment.permission(for: $0) })
        }
        self.init(
            state: state.id, reason: state == .uninitialized ? "configMismatch" : state.reason, error: state.error,
            missing: missing.members.map(\.id), reach: String(describing: session.reach),
            failures: session.failures.map { failure in
                switch failure.reason {
                case .missing(let requirements): problem(failure.service, requirements)
                case .unauthorized:
                    Report.SessionProblem(service: failure.service.id, reason: "unauthorized", permissions: [])
                }
            },
            warnings: session.warnings.compactMap { warning in
                guard let service = warning.service, case .missing(let requirements) = warning.reason else {
                    return nil
                }
                return problem(service, requirements)
            })
    }
}

extension Assessment {
    /// The name that the SDK gives a missing requirement; it has none of its own for health.
    ///
    /// Source: MoveSDK 2.x, "MoveServiceFailure", `MovePermission`.
    fileprivate func permission(for requirement: Requirement) -> String {
        switch requirement {
        case .motion: "motionActivity"
        case .bluetooth where result(of: .bluetooth)?.cause.map { [.denied, .restricted].contains($0) } ?? false:
            "bluetoothScan"
        default: requirement.id
        }
    }
}
