package import Readiness

extension Authorizations {
    /// Narrows the operating system's access by the user's grants and the system's policy; nothing is widened.
    ///
    /// Reported first is what the policy restricts, then what access denies, since asking would not help there, then
    /// what a grant denies or leaves undecided. Source: Core Location, Authorization &
    /// Permissions Reference.
    package func narrowed(by decisions: Decisions) -> Authorizations {
        let grants = decisions.grants
        var narrowed = self
        narrowed.motion = decisions.narrow(motion, .motion, grants.motion)
        narrowed.bluetooth = decisions.narrow(bluetooth, .bluetooth, grants.bluetooth)
        narrowed.health = decisions.narrow(health, .health, grants.health)
        narrowed.location = decisions.narrow(location)
        if narrowed.location.status.refusal == nil {
            narrowed.accuracy = decisions.narrow(accuracy)
            narrowed.provisional =
                narrowed.location.status == .authorizedAlways && grants.location?.provisional != nil
        }
        if decisions.policy.isWritableByOthers {
            let file = decisions.policy.file ?? "the policy"
            narrowed.notices = [
                Notice(.writablePolicy, detail: "other users can write \(file) or its folder; the policy still applies")
            ]
        }
        return narrowed
    }
}

/// Derives each authorization with its source, evidence and remedies.
extension Decisions {
    /// Whether a request may turn while-in-use into Always: once, not while the permission is granted once, and not
    /// against the policy.
    package var mayAskForAlways: Bool {
        guard let grant = grants.location, grant.decision(now) == .whenInUse, grant.once == nil else { return false }
        return !grant.wasAskedForAlways && !policy.isWhenInUseAtMost
    }

    fileprivate func narrow(
        _ access: Authorization<AuthorizationStatus>, _ permission: Permission, _ decision: PermissionDecision?
    ) -> Authorization<AuthorizationStatus> {
        if policy.restricted.contains(permission) {
            return limited(.restricted, "\(permission.rawValue) is restricted")
        }
        guard access.status != .denied, let decision else { return access }
        return switch decision {
        case .denied: recorded(.denied, permission, "denied", PermissionChange(.grant, permission))
        case .notDetermined:
            recorded(.notDetermined, permission, "not decided yet", PermissionChange(.request, permission))
        // A grant does not tell whether the operating system allows it.
        case .allowed: access.status == .allowed ? recorded(.allowed, permission, "allowed") : access
        }
    }

    fileprivate func narrow(_ access: Authorization<LocationStatus>) -> Authorization<LocationStatus> {
        if policy.restricted.contains(.location) { return limited(.restricted, "location is restricted") }
        guard access.status.refusal == nil || access.status == .indeterminate else { return access }
        var left = access
        if let grant = grants.location {
            left = authorization(grant)
            // A grant does not tell whether the operating system allows it.
            if access.status == .indeterminate, left.status.refusal == nil { return access }
            if left.status == .authorizedAlways, access.status == .authorizedWhenInUse { left = access }
        }
        guard policy.isWhenInUseAtMost, left.status == .authorizedAlways else { return left }
        return limited(.authorizedWhenInUse, "location is allowed while in use at most")
    }

    private func authorization(_ grant: LocationGrant) -> Authorization<LocationStatus> {
        switch grant.decision(now) {
        case .denied:
            return recorded(.denied, .location, "denied", PermissionChange(.grant, .location, always: true))
        case .notDetermined:
            let isOpen = grant.decision == .notDetermined
            return recorded(
                .notDetermined, .location, isOpen ? "not decided yet" : "the permission granted once has expired",
                PermissionChange(.request, .location, always: true))
        case .whenInUse:
            return recorded(
                .authorizedWhenInUse, .location,
                grant.once == nil ? "allowed while in use" : "allowed once, while in use",
                PermissionChange(mayAskForAlways ? .request : .grant, .location, always: true))
        case .always:
            let mark =
                grant.provisional == nil
                ? "" : grant.isConfirmationDue(now) ? ", to be confirmed at the next request" : ", provisionally"
            return recorded(.authorizedAlways, .location, "always allowed" + mark)
        }
    }

    fileprivate func narrow(_ access: Authorization<LocationAccuracy>) -> Authorization<LocationAccuracy> {
        if policy.isReduced { return limited(.reducedAccuracy, "location is reduced") }
        guard access.status == .fullAccuracy else { return access }
        guard let grant = grants.location else {
            guard isReducedByDefault else { return access }
            let change = PermissionChange(.grant, .location, always: true, fullAccuracy: true)
            return Authorization(
                .reducedAccuracy, evidence: "the configuration reduces location by default",
                remedies: [.permission(change, file: grants.namedFile)])
        }
        guard grant.isReduced(now) else {
            return recorded(
                .fullAccuracy, .location, grant.isReduced ? "temporary full accuracy" : "full accuracy")
        }
        return recorded(
            .reducedAccuracy, .location, "reduced accuracy",
            PermissionChange(.grant, .location, always: grant.decision == .always, fullAccuracy: true))
    }

    /// What the policy leaves of an authorization.
    private func limited<Status>(_ status: Status, _ words: String) -> Authorization<Status> {
        let name = policy.file ?? "the policy"
        return Authorization(
            status, from: .policy, evidence: "\(name): \(words)",
            remedies: [.advice("no user can change it: ask the owner of \(name)")])
    }

    /// What the record says of an authorization.
    private func recorded<Status>(
        _ status: Status, _ permission: Permission, _ words: String, _ remedy: PermissionChange? = nil
    ) -> Authorization<Status> {
        Authorization(
            status, from: .grant, evidence: "\(grants.file ?? "the grants"): \(permission.rawValue): \(words)",
            remedies: remedy.map { [.permission($0, file: grants.namedFile)] } ?? [])
    }
}
