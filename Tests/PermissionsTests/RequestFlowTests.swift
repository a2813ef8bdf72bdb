import LocalRig
import Readiness
import Testing

/// Requests common to all permissions; those for location have their own suites.
@Suite struct RequestFlowTests {
    static let purposes = Purposes(
        [
            .location: "To recognise trips.", .backgroundLocation: "While nobody looks.", .motion: "To tell walking.",
            .bluetooth: "To find the beacon.", .health: "To count the steps.",
        ],
        fullAccuracy: ["way": "To show the way."])

    static func flow(
        _ grants: Grants, _ policy: Policy = Policy(), at now: GrantContext = Sample.now,
        access: Authorizations = Sample.access(), purposes: Purposes = purposes
    ) -> RequestFlow { RequestFlow(Decisions(grants, policy, at: now), access: access, purposes: purposes) }

    private static let plain: [(PermissionRequest, Permission, PermissionQuestionKind, String)] = [
        (.motion, .motion, .motion, "To tell walking."), (.bluetooth, .bluetooth, .bluetooth, "To find the beacon."),
        (.health, .health, .health, "To count the steps."),
    ]

    private static func decision(_ grants: Grants, _ permission: Permission) -> PermissionDecision? {
        permission == .motion ? grants.motion : permission == .bluetooth ? grants.bluetooth : grants.health
    }

    @Test func `an undecided permission is asked once with its purpose`() throws {
        for (request, permission, kind, purpose) in Self.plain {
            for answer in [PermissionAnswer.allow, .deny] {
                var grants = Grants()
                grants.record(.notDetermined, about: permission)
                var flow = Self.flow(grants)
                guard case .ask(let question) = try flow.begin(request) else {
                    Issue.record("\(permission) is not asked")
                    continue
                }
                #expect(question.kind == kind && question.purpose == purpose)
                #expect(question.answers == [.allow, .deny])
                #expect(flow.grants == grants)
                // Only what the question offers is a valid answer.
                #expect(flow.answer(.once) == nil)
                #expect(flow.question == question)
                let outcome = flow.answer(answer)
                #expect(Self.decision(flow.grants, permission) == (answer == .allow ? .allowed : .denied))
                if answer == .allow { #expect(outcome == .granted) } else { #expect(outcome?.isRefused == true) }
                #expect(flow.question == nil)
                // It is decided now.
                #expect(try flow.begin(request).isSettled)
            }
        }
    }

    @Test func `a decided permission is not asked`() throws {
        for (request, permission, _, _) in Self.plain {
            var rows: [(Decisions, Authorizations, Bool)] = [(Decisions(at: Sample.now), Sample.access(), true)]
            for (decision, isGranted) in [(PermissionDecision.allowed, true), (.denied, false)] {
                var grants = Grants()
                grants.record(decision, about: permission)
                rows.append((Decisions(grants, at: Sample.now), Sample.access(), isGranted))
            }
            var undecided = Grants()
            undecided.record(.notDetermined, about: permission)
            rows.append(
                (Decisions(undecided, Policy(restricted: [permission]), at: Sample.now), Sample.access(), false))
            let refused = Sample.access(motion: .denied, bluetooth: .denied, health: .denied)
            rows.append((Decisions(undecided, at: Sample.now), refused, false))
            for (decisions, access, isGranted) in rows {
                var flow = RequestFlow(decisions, access: access, purposes: Self.purposes)
                guard case .settled(let outcome) = try flow.begin(request) else {
                    Issue.record("\(permission) is asked under \(decisions)")
                    continue
                }
                #expect((outcome == .granted) == isGranted)
                #expect(flow.grants == decisions.grants)
                #expect(flow.answer(.allow) == nil)
            }
        }
    }

    @Test func `a second request while one runs has no effect`() throws {
        let grants = Grants(location: LocationGrant(.notDetermined), motion: .notDetermined)
        var flow = Self.flow(grants)
        guard case .ask(let question) = try flow.begin(.motion) else { throw NotAsked() }
        for request in [PermissionRequest.motion, .location(always: true), .health, .bluetooth] {
            #expect(try flow.begin(request) == .waiting(question))
        }
        #expect(flow.question == question)
        #expect(flow.answer(.allow) == .granted)
        #expect(flow.grants.motion == .allowed)
        #expect(flow.grants.location == grants.location)
    }

    @Test func `a missing purpose is an error that names the keys`() throws {
        let rows: [(PermissionRequest, Purposes, String, String)] = [
            (.location(always: false), Purposes(), "location", "NSLocationWhenInUseUsageDescription"),
            (.location(always: true), Purposes(), "location", "NSLocationWhenInUseUsageDescription"),
            (
                .location(always: true), Purposes([.location: "Text."]), "backgroundLocation",
                "NSLocationAlwaysAndWhenInUseUsageDescription"
            ),
            (.motion, Purposes(), "motion", "NSMotionUsageDescription"),
            (.bluetooth, Purposes(), "bluetooth", "NSBluetoothAlwaysUsageDescription"),
            (.health, Purposes([.healthUpdate: "Twelve chars"]), "health", "NSHealthShareUsageDescription"),
            (
                .fullAccuracy(purpose: "way", seconds: 60), Purposes(fullAccuracy: ["other": "Text."]),
                "preciseLocation.way", "NSLocationTemporaryUsageDescriptionDictionary.way"
            ),
        ]
        let undecided = Grants(
            location: LocationGrant(.notDetermined), motion: .notDetermined, bluetooth: .notDetermined,
            health: .notDetermined)
        for (request, purposes, key, appleKey) in rows {
            var flow = Self.flow(undecided, purposes: purposes)
            let error = #expect(throws: RequestFlow.MissingPurpose.self) { try flow.begin(request) }
            #expect(error?.key == key && error?.appleKey == appleKey)
            #expect(error?.description.contains("purposes.\(key) (\(appleKey))") == true)
            #expect(flow.question == nil && flow.grants == undecided)
        }
    }
}

struct NotAsked: Error {}

extension RequestStep {
    var isSettled: Bool { if case .settled = self { true } else { false } }
}

extension RequestOutcome {
    var isRefused: Bool { if case .refused = self { true } else { false } }
}
