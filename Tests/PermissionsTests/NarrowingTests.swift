import Support
import LocalRig
import Readiness
import Testing

/// Which decision is reported if several apply.
@Suite struct NarrowingTests {
    private typealias Told = (status: AuthorizationStatus, from: AuthorizationSource)

    /// The order of reporting for the permissions without levels: policy, access, grant.
    @Test(arguments: [Permission.motion, .bluetooth, .health], [AuthorizationStatus.allowed, .denied])
    func `the first refusal is reported`(permission: Permission, access: AuthorizationStatus) {
        let rows: [(PermissionDecision?, Bool, Told)] = [
            (nil, true, (.restricted, .policy)), (.allowed, true, (.restricted, .policy)),
            (.denied, true, (.restricted, .policy)), (.notDetermined, true, (.restricted, .policy)),
            (nil, false, (access, .access)),
            (.allowed, false, access == .allowed ? (.allowed, .grant) : (.denied, .access)),
            (.denied, false, access == .allowed ? (.denied, .grant) : (.denied, .access)),
            (.notDetermined, false, access == .allowed ? (.notDetermined, .grant) : (.denied, .access)),
        ]
        for (decision, isRestricted, expected) in rows {
            var grants = Grants()
            if let decision { grants.record(decision, about: permission) }
            let policy = Policy(restricted: isRestricted ? [permission] : [])
            let narrowed = Sample.access(motion: access, bluetooth: access, health: access)
                .narrowed(by: Decisions(grants, policy, at: Sample.now))
            for other in [Permission.motion, .bluetooth, .health] {
                let told = narrowed.told(of: other)
                let wanted = other == permission ? expected : (access, .access)
                #expect(told == wanted, "\(other) of \(String(describing: decision)), restricted: \(isRestricted)")
            }
            #expect(narrowed.location.from == .access)
        }
    }

    @Test func `the first refusal of location is reported`() {
        let rows: [(LocationStatus, LocationDecision?, Policy, LocationStatus, AuthorizationSource)] = [
            (.denied, .always, Policy(restricted: [.location]), .restricted, .policy),
            (.authorizedAlways, .denied, Policy(restricted: [.location]), .restricted, .policy),
            (.denied, .denied, Policy(), .denied, .access),
            (.denied, .notDetermined, Policy(), .denied, .access),
            (.denied, .always, Policy(isWhenInUseAtMost: true), .denied, .access),
            (.authorizedAlways, .denied, Policy(isWhenInUseAtMost: true), .denied, .grant),
            (.authorizedAlways, .notDetermined, Policy(isWhenInUseAtMost: true), .notDetermined, .grant),
            (.authorizedAlways, .whenInUse, Policy(isWhenInUseAtMost: true), .authorizedWhenInUse, .grant),
            (.authorizedAlways, .always, Policy(isWhenInUseAtMost: true), .authorizedWhenInUse, .policy),
            (.authorizedAlways, nil, Policy(isWhenInUseAtMost: true), .authorizedWhenInUse, .policy),
            (.authorizedAlways, .always, Policy(), .authorizedAlways, .grant),
            (.authorizedAlways, nil, Policy(), .authorizedAlways, .access),
            (.authorizedWhenInUse, .always, Policy(), .authorizedWhenInUse, .access),
            (.authorizedWhenInUse, .whenInUse, Policy(), .authorizedWhenInUse, .grant),
        ]
        for (access, decision, policy, status, source) in rows {
            let grants = Grants(location: decision.map { LocationGrant($0) })
            let told = Sample.access(location: access).narrowed(by: Decisions(grants, policy, at: Sample.now)).location
            #expect(told.status == status && told.from == source, "\(access) \(String(describing: decision))")
        }
    }

    @Test func `accuracy is narrowed by policy then grant`() {
        func told(_ isReduced: Bool?, _ policy: Policy, _ access: LocationAccuracy = .fullAccuracy)
            -> Authorization<LocationAccuracy>
        {
            var start = Sample.access()
            start.accuracy.status = access
            let grants = Grants(location: isReduced.map { LocationGrant(.always, isReduced: $0) })
            return start.narrowed(by: Decisions(grants, policy, at: Sample.now)).accuracy
        }
        let policy = Policy(isReduced: true)
        #expect(told(nil, Policy()).status == .fullAccuracy)
        #expect(told(nil, Policy()).from == .access)
        #expect(told(true, Policy()).status == .reducedAccuracy)
        #expect(told(true, Policy()).from == .grant)
        #expect(told(false, Policy()).from == .grant)
        for isReduced in [nil, false, true] {
            #expect(told(isReduced, policy).status == .reducedAccuracy)
            #expect(told(isReduced, policy).from == .policy)
        }
        #expect(told(false, Policy(), .reducedAccuracy).status == .reducedAccuracy)
        #expect(told(false, Policy(), .reducedAccuracy).from == .access)
    }

    @Test func `a configuration reduces location until the user allows more`() {
        func told(_ grant: LocationGrant?, _ policy: Policy = Policy()) -> Authorization<LocationAccuracy> {
            var decisions = Decisions(Grants(location: grant), policy, at: Sample.now)
            decisions.isReducedByDefault = true
            return Sample.access().narrowed(by: decisions).accuracy
        }
        #expect(told(nil).status == .reducedAccuracy && told(nil).from == .access)
        #expect(told(nil).remedy == "rigready permissions grant location --always --accuracy full")
        #expect(told(LocationGrant(.whenInUse)).status == .fullAccuracy)
        #expect(told(LocationGrant(.always, isReduced: true)).from == .grant)
        #expect(told(nil, Policy(isReduced: true)).from == .policy)
    }

    @Test func `a remedy is the command that would fix it`() {
        func remedy(_ location: LocationGrant) -> String? {
            let grants = Grants(namedFile: "bench.yaml", location: location)
            return Sample.access().narrowed(by: Decisions(grants, at: Sample.now)).location.remedy
        }
        let ask = "rigready permissions request location --always --permissions bench.yaml"
        let allow = "rigready permissions grant location --always --permissions bench.yaml"
        #expect(remedy(LocationGrant(.notDetermined)) == ask)
        #expect(remedy(LocationGrant(.whenInUse)) == ask)
        #expect(remedy(LocationGrant(.denied)) == allow)
        #expect(remedy(LocationGrant(.always)) == nil)
        // If a question would not be asked again, a request is no remedy.
        #expect(remedy(LocationGrant(.whenInUse, once: .once(Sample.now))) == allow)
        var asked = LocationGrant(.whenInUse)
        asked.wasAskedForAlways = true
        #expect(remedy(asked) == allow)
    }

    @Test func `evidence names the file`() {
        let policy = Policy(file: "/etc/rigready/policy.yaml", restricted: [.health])
        let grants = Grants(file: "bench.yaml", motion: .denied)
        let told = Sample.access().narrowed(by: Decisions(grants, policy, at: Sample.now))
        #expect(told.motion.evidence == "bench.yaml: motion: denied")
        #expect(told.health.evidence == "/etc/rigready/policy.yaml: health is restricted")
        #expect(told.health.remedy?.contains("/etc/rigready/policy.yaml") == true)
        #expect(told.bluetooth.evidence == "seen")
    }

    @Test func `only Always can be provisional`() {
        for grant in Sample.locationGrants {
            for policy in Sample.locationPolicies {
                let told = Sample.access().narrowed(by: Decisions(Grants(location: grant), policy, at: Sample.now))
                let expected = told.location.status == .authorizedAlways && grant.provisional != nil
                #expect(told.provisional == expected, "\(grant)")
            }
        }
    }
}

extension Authorizations {
    fileprivate func told(of permission: Permission) -> (AuthorizationStatus, AuthorizationSource) {
        let one = permission == .motion ? motion : permission == .bluetooth ? bluetooth : health
        return (one.status, one.from)
    }
}
