extension Assessment {
    /// The SDK session that was set up and started on this rig with what is asked.
    ///
    /// It stays uninitialized under the whole-session rule if the licence lacks a service.
    package var session: ServiceSession { ServiceSession(request.evaluator, on: RequirementStatuses(requirements)) }
}

extension ServiceSession {
    /// Creates a session that was set up and started.
    init(_ evaluator: Evaluator, on statuses: RequirementStatuses) {
        self.init()
        _ = observe(statuses)
        _ = setUp(evaluator, start: true)
    }

    /// The running services that do not start by themselves in the background, since location is not allowed always.
    ///
    /// Health reads steps, and an assistance call is started by hand. Source: MOVE SDK for iOS, "Permissions Handling",
    /// Automatic Detection.
    var foregroundServices: ServiceSet {
        guard reach == .foregroundOnly else { return [] }
        return running.subtracting(ServiceSet(.assistanceCall)).subtracting(ServiceSet(.health))
    }
}

extension ServiceSession.State {
    /// The name that the SDK gives the state.
    package var id: String {
        if case .error = self { "error" } else { String(describing: self) }
    }

    /// The name that the page of SDK 1.x gives an error for want of a permission; nil for any other state.
    ///
    /// Source: MOVE SDK 1.x for iOS, "Permissions Handling".
    package var error: String? { reason == nil || reason == Self.sensorsInvalid ? nil : "permissionMissing" }

    private static let sensorsInvalid = "sensorsInvalid"

    /// The name that SDK 1.x gives the reason of an error; nil in every other state.
    ///
    /// Source: MoveSDK 1.x, "MoveSDKState".
    package var reason: String? {
        guard case .error(let missing) = self else { return nil }
        let reasons: [(RequirementSet, String)] = [
            ([.location, .backgroundLocation], "locationPermissionMissing"),
            (.preciseLocation, "locationPrecisionPermissionMissing"), (.motion, "motionPermissionMissing"),
        ]
        return reasons.first { !$0.0.isDisjoint(with: missing) }?.1 ?? Self.sensorsInvalid
    }
}
