import LocalRig
import Readiness

/// Values that several suites share.
enum Sample {
    /// A process of login session 3, an hour after the boot.
    static let now = GrantContext(boot: "boot-a", uptime: 3600, session: "3", sessions: ["3", "4"])

    /// The same moment after session 3 has ended.
    static let afterSession = GrantContext(boot: "boot-a", uptime: 3600, session: "4", sessions: ["4"])

    /// The same uptime of the next boot, whose sessions have the same names.
    static let afterBoot = GrantContext(boot: "boot-b", uptime: 3600, session: "3", sessions: ["3", "4"])

    /// The operating system's access, set by hand.
    static func access(
        location: LocationStatus = .authorizedAlways, motion: AuthorizationStatus = .allowed,
        bluetooth: AuthorizationStatus = .allowed, health: AuthorizationStatus = .allowed
    ) -> Authorizations {
        Authorizations(
            location: Authorization(location, evidence: "seen"), motion: Authorization(motion, evidence: "seen"),
            bluetooth: Authorization(bluetooth, evidence: "seen"), health: Authorization(health, evidence: "seen"))
    }

    /// Every form of a location grant: each decision with everything that dialogs leave behind, valid and expired.
    static let locationGrants: [LocationGrant] = LocationDecision.allCases.flatMap { decision in
        let shapes: [(inout LocationGrant) -> Void] = [
            { _ in },
            { $0.once = .once(now) },
            { $0.once = Validity(boot: "boot-b") },
            { $0.provisional = .once(now) },
            { $0.provisional = Validity(boot: "boot-b") },
            {
                $0.provisional = .once(now)
                $0.wasUsedOutside = true
            },
            { $0.wasAskedForAlways = true },
            { $0.fullAccuracy = .init(purpose: "way", lifetime: Validity(boot: "boot-a", until: 3601)) },
            { $0.fullAccuracy = .init(purpose: "way", lifetime: Validity(boot: "boot-a", until: 3600)) },
        ]
        return [false, true].flatMap { isReduced in
            shapes.map { shape in
                var grant = LocationGrant(decision, isReduced: isReduced)
                shape(&grant)
                return grant
            }
        }
    }

    /// Every policy about location.
    static let locationPolicies: [Policy] =
        [Policy(restricted: [.location])]
        + [false, true].flatMap { isAtMost in
            [false, true].map { Policy(isWhenInUseAtMost: isAtMost, isReduced: $0) }
        }
}
