public import Readiness

extension Authorizations {
    /// Narrows the operating system's access by the user's grants and the system's policy; nothing is widened.
    ///
    /// Reported first is what the policy restricts, then what access denies, since asking would not help there, then
    /// what a grant denies or leaves undecided. Source: mission model 7.2 and 7.3; seed 003.
    public func narrowed(by decisions: Decisions) -> Authorizations {
        let clerk = AuthorizationNarrower(grants: decisions.grants, policy: decisions.policy, now: decisions.now)
        let grants = decisions.grants
        var narrowed = self
        narrowed.motion = clerk.narrow(motion, .motion, grants.motion)
        narrowed.bluetooth = clerk.narrow(bluetooth, .bluetooth, grants.bluetooth)
        narrowed.health = clerk.narrow(health, .health, grants.health)
        narrowed.location = clerk.narrow(location)
        if [.authorizedAlways, .authorizedWhenInUse].contains(narrowed.location.status) {
            narrowed.accuracy = clerk.narrow(accuracy)
            narrowed.provisional =
                narrowed.location.status == .authorizedAlways && grants.location?.provisional != nil
        }
        return narrowed
    }
}

/// Derives each authorization with its source, evidence and remedies.
private struct AuthorizationNarrower {
    let grants: Grants
    let policy: Policy
    let now: GrantContext

    private func refusal<Status>(
        of permission: Permission, as restricted: Status
    ) -> Authorization<Status>? {
        guard policy.restricted.contains(permission) else { return nil }
        return Authorization(
            restricted, from: .policy, evidence: "\(policyName): \(permission.rawValue) is restricted",
            remedies: advice("no user can change it"))
    }

    func narrow(
        _ access: Authorization<AuthorizationStatus>, _ permission: Permission, _ decision: PermissionDecision?
    ) -> Authorization<AuthorizationStatus> {
        if let refusal = refusal(of: permission, as: AuthorizationStatus.restricted) { return refusal }
        guard access.status == .allowed, let decision else { return access }
        switch decision {
        case .denied:
            return Authorization(
                .denied, from: .grant, evidence: said(permission, "denied"),
                remedies: change(.grant, permission))
        case .notDetermined:
            return Authorization(
                .notDetermined, from: .grant, evidence: undecided(permission),
                remedies: change(.request, permission))
        case .allowed:
            return Authorization(.allowed, from: .grant, evidence: said(permission, "allowed"))
        }
    }

    func narrow(_ access: Authorization<LocationStatus>) -> Authorization<LocationStatus> {
        if let refusal = refusal(of: .location, as: LocationStatus.restricted) { return refusal }
        guard access.status == .authorizedAlways || access.status == .authorizedWhenInUse else { return access }
        var left = access
        if let grant = grants.location {
            left = authorization(grant)
            if left.status == .authorizedAlways, access.status == .authorizedWhenInUse { left = access }
        }
        if policy.isWhenInUseAtMost, left.status == .authorizedAlways {
            left = Authorization(
                .authorizedWhenInUse, from: .policy,
                evidence: "\(policyName): location is allowed while in use at most",
                remedies: advice("no user can change it"))
        }
        return left
    }

    private func authorization(_ grant: LocationGrant) -> Authorization<LocationStatus> {
        switch grant.decision(now) {
        case .denied:
            return Authorization(
                .denied, from: .grant, evidence: said(.location, "denied"),
                remedies: change(.grant, .location, always: true))
        case .notDetermined:
            return Authorization(
                .notDetermined, from: .grant,
                evidence: grant.decision == .notDetermined
                    ? undecided(.location) : said(.location, "the permission granted once has expired"),
                remedies: change(.request, .location, always: true))
        case .whenInUse:
            let isAskable = grant.once == nil && !grant.wasAskedForAlways
            return Authorization(
                .authorizedWhenInUse, from: .grant,
                evidence: said(.location, grant.once == nil ? "allowed while in use" : "allowed once, while in use"),
                remedies: change(isAskable ? .request : .grant, .location, always: true))
        case .always:
            let mark =
                grant.provisional == nil
                ? "" : grant.isConfirmationDue(now) ? ", to be confirmed at the next request" : ", provisionally"
            return Authorization(.authorizedAlways, from: .grant, evidence: said(.location, "always allowed" + mark))
        }
    }

    func narrow(_ access: Authorization<LocationAccuracy>) -> Authorization<LocationAccuracy> {
        if policy.isReduced {
            return Authorization(
                .reducedAccuracy, from: .policy, evidence: "\(policyName): location is reduced",
                remedies: advice("no user can change it"))
        }
        guard access.status == .fullAccuracy, let grant = grants.location else { return access }
        if grant.isReduced(now) {
            return Authorization(
                .reducedAccuracy, from: .grant, evidence: said(.location, "reduced accuracy"),
                remedies: change(.grant, .location, always: grant.decision == .always, fullAccuracy: true))
        }
        return Authorization(
            .fullAccuracy, from: .grant,
            evidence: said(.location, grant.isReduced ? "temporary full accuracy" : "full accuracy"))
    }

    private var policyName: String { policy.file ?? "the policy" }
    private var grantsName: String { grants.file ?? "the grants" }

    private func said(_ permission: Permission, _ words: String) -> String {
        "\(grantsName): \(permission.rawValue): \(words)"
    }

    private func undecided(_ permission: Permission) -> String {
        said(permission, "not decided yet")
    }

    private func advice(_ words: String) -> [Remedy] { [.advice("\(words): ask the owner of \(policyName)")] }

    /// The remedy that changes the record.
    private func change(
        _ action: PermissionChange.Action, _ permission: Permission, always: Bool? = nil, fullAccuracy: Bool = false
    ) -> [Remedy] {
        let change = PermissionChange(action, permission, always: always, fullAccuracy: fullAccuracy)
        return [.permission(change, file: grants.namedFile)]
    }
}
