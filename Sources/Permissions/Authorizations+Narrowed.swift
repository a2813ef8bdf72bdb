public import Readiness

extension Authorizations {
    /// What is left of the operating system's access after the user's grants and the system's policy; nothing widens.
    ///
    /// Told first is what the policy restricts, then what access denies, since asking would not help there, then what
    /// a grant denies or leaves undecided. Source: mission model 7.2 and 7.3; seed 003.
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

/// Writes down who decided, and what would change it.
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
            remedy: advice("no user can change it"))
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
                remedy: call("grant \(permission.rawValue)"))
        case .notDetermined:
            return Authorization(
                .notDetermined, from: .grant, evidence: undecided(permission),
                remedy: call("request \(permission.rawValue)"))
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
                remedy: advice("no user can change it"))
        }
        return left
    }

    private func authorization(_ grant: LocationGrant) -> Authorization<LocationStatus> {
        switch grant.decision(now) {
        case .denied:
            return Authorization(
                .denied, from: .grant, evidence: said(.location, "denied"), remedy: call("grant location --always"))
        case .notDetermined:
            return Authorization(
                .notDetermined, from: .grant,
                evidence: grant.decision == .notDetermined
                    ? undecided(.location) : said(.location, "the permission granted once has lapsed"),
                remedy: call("request location --always"))
        case .whenInUse:
            let isAskable = grant.once == nil && !grant.wasAskedForAlways
            return Authorization(
                .authorizedWhenInUse, from: .grant,
                evidence: said(.location, grant.once == nil ? "allowed while in use" : "allowed once, while in use"),
                remedy: call(isAskable ? "request location --always" : "grant location --always"))
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
                remedy: advice("no user can change it"))
        }
        guard access.status == .fullAccuracy, let grant = grants.location else { return access }
        if grant.isReduced(now) {
            let goal = grant.decision == .always ? "--always" : "--when-in-use"
            return Authorization(
                .reducedAccuracy, from: .grant, evidence: said(.location, "reduced accuracy"),
                remedy: call("grant location \(goal) --accuracy full"))
        }
        return Authorization(
            .fullAccuracy, from: .grant,
            evidence: said(.location, grant.isReduced ? "full accuracy for a time" : "full accuracy"))
    }

    private var policyName: String { policy.file ?? "the policy" }
    private var grantsName: String { grants.file ?? "the grants" }

    private func said(_ permission: Permission, _ words: String) -> String {
        "\(grantsName): \(permission.rawValue): \(words)"
    }

    private func undecided(_ permission: Permission) -> String {
        said(permission, "nobody has decided yet")
    }

    private func advice(_ words: String) -> String { "\(words): ask who keeps \(policyName)" }

    /// A call that changes the record; the file is named where it is not the one in the default place.
    private func call(_ words: String) -> String {
        "rigready permissions \(words)" + (grants.option.map { " \($0)" } ?? "")
    }
}
