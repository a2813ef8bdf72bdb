extension Assessment {
    /// The SDK session that was set up and started on this rig with what is asked.
    public var session: ServiceSession {
        let evaluator = request.evaluator
        var session = ServiceSession(rules: evaluator.rules)
        // The evaluator holds what the rules know, so nothing can be missing from them.
        _ = try? session.setUp(ServiceSession.Configuration(services: evaluator.asked), start: true)
        _ = session.observe(RequirementStatuses(requirements))
        return session
    }
}

extension ServiceSession.State {
    /// The name that the SDK gives the state.
    public var id: String {
        if case .error = self { "error" } else { String(describing: self) }
    }

    /// The name that SDK 1.x gives the reason of an error; nil in every other state.
    ///
    /// Source: MoveSDK 1.x, "MoveSDKState".
    public var reason: String? {
        guard case .error(let missing) = self else { return nil }
        let reasons: [(RequirementSet, String)] = [
            ([.location, .backgroundLocation], "locationPermissionMissing"),
            (.preciseLocation, "locationPrecisionPermissionMissing"), (.motion, "motionPermissionMissing"),
        ]
        return reasons.first { !$0.0.isDisjoint(with: missing) }?.1 ?? "sensorsInvalid"
    }
}
