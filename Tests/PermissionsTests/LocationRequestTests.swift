import LocalRig
import Readiness
import Testing

/// The requests for location: two-step Always, Allow Once, full accuracy for a time.
@Suite struct LocationRequestTests {
    private func flow(
        _ location: LocationGrant?, _ policy: Policy = Policy(), at now: GrantContext = Sample.now,
        access: Authorizations = Sample.access()
    ) -> RequestFlow { RequestFlowTests.flow(Grants(location: location), policy, at: now, access: access) }

    private func question(_ flow: inout RequestFlow, _ request: PermissionRequest) throws -> PermissionQuestion {
        guard case .ask(let question) = try flow.begin(request) else { throw NotAsked() }
        return question
    }

    // MARK: The first question

    @Test func `either level asks for when in use first`() throws {
        for always in [false, true] {
            var flow = flow(LocationGrant(.notDetermined))
            let question = try question(&flow, .location(always: always))
            #expect(question.kind == .locationWhenInUse)
            #expect(question.purpose == "To recognise trips.")
            #expect(question.answers == [.allow, .once, .deny])
        }
    }

    @Test func `a request for Always gives it provisionally`() throws {
        var flow = flow(LocationGrant(.notDetermined))
        _ = try question(&flow, .location(always: true))
        #expect(flow.answer(.allow) == .granted)
        #expect(flow.authorizations.location.status == .authorizedAlways)
        #expect(flow.authorizations.provisional)
        #expect(flow.grants.location?.provisional == Validity(boot: "boot-a", session: "3"))
        // The second question is not due yet.
        #expect(try flow.begin(.location(always: true)) == .settled(.granted))
    }

    @Test func `a request for when in use gives that`() throws {
        var flow = flow(LocationGrant(.notDetermined))
        _ = try question(&flow, .location(always: false))
        #expect(flow.answer(.allow) == .granted)
        #expect(flow.grants.location == LocationGrant(.whenInUse))
    }

    @Test func `a first refusal denies`() throws {
        for always in [false, true] {
            var flow = flow(LocationGrant(.notDetermined, isReduced: true))
            _ = try question(&flow, .location(always: always))
            #expect(flow.answer(.deny)?.isRefused == true)
            // The accuracy was a separate decision.
            #expect(flow.grants.location == LocationGrant(.denied, isReduced: true))
            #expect(try flow.begin(.location(always: always)).isSettled)
        }
    }

    // MARK: The second question

    @Test func `the second question is due after use outside an active session`() throws {
        var grant = LocationGrant(.always)
        grant.provisional = .once(Sample.now)
        #expect(!grant.isConfirmationDue(Sample.now))
        grant.wasUsedOutside = true
        #expect(grant.isConfirmationDue(Sample.now))
        for always in [false, true] {
            var flow = flow(grant)
            let question = try question(&flow, .location(always: always))
            #expect(question.kind == .locationConfirmation)
            #expect(question.purpose == "While nobody looks.")
            #expect(question.answers == [.allow, .deny])
        }
    }

    @Test(arguments: [Sample.afterSession, Sample.afterBoot])
    func `the second question is due when the granting session is over`(now: GrantContext) throws {
        var grant = LocationGrant(.always)
        grant.provisional = .once(Sample.now)
        #expect(!grant.isConfirmationDue(Sample.now))
        var flow = flow(grant, at: now)
        // It applies until the question is asked.
        #expect(flow.authorizations.location.status == .authorizedAlways)
        #expect(flow.authorizations.provisional)
        #expect(try question(&flow, .location(always: true)).kind == .locationConfirmation)
    }

    @Test func `a confirmed Always stays`() throws {
        var grant = LocationGrant(.always)
        grant.provisional = .once(Sample.now)
        grant.wasUsedOutside = true
        var flow = flow(grant)
        _ = try question(&flow, .location(always: true))
        #expect(flow.answer(.allow) == .granted)
        #expect(flow.authorizations.location.status == .authorizedAlways)
        #expect(!flow.authorizations.provisional)
        var later = self.flow(flow.grants.location, at: Sample.afterBoot)
        #expect(try later.begin(.location(always: true)) == .settled(.granted))
    }

    @Test func `a refused confirmation leaves when in use permanently`() throws {
        var grant = LocationGrant(.always, isReduced: true)
        grant.provisional = .once(Sample.now)
        grant.wasUsedOutside = true
        for always in [false, true] {
            var flow = flow(grant)
            _ = try question(&flow, .location(always: always))
            let outcome = flow.answer(.deny)
            #expect(always ? outcome?.isRefused == true : outcome == .granted)
            #expect(flow.authorizations.location.status == .authorizedWhenInUse)
            #expect(!flow.authorizations.provisional)
            #expect(flow.grants.location?.isReduced == true)
            // It was asked once and is not asked again.
            #expect(try flow.begin(.location(always: true)).isSettled)
        }
    }

    @Test func `Always is asked once from when in use`() throws {
        for answer in [PermissionAnswer.allow, .deny] {
            var flow = flow(LocationGrant(.whenInUse, isReduced: true))
            #expect(try flow.begin(.location(always: false)) == .settled(.granted))
            let question = try question(&flow, .location(always: true))
            #expect(question.kind == .locationAlways && question.answers == [.allow, .deny])
            #expect(question.purpose == "While nobody looks.")
            let outcome = flow.answer(answer)
            #expect(answer == .allow ? outcome == .granted : outcome?.isRefused == true)
            let expected: LocationStatus = answer == .allow ? .authorizedAlways : .authorizedWhenInUse
            #expect(flow.authorizations.location.status == expected)
            #expect(!flow.authorizations.provisional)
            #expect(flow.grants.location?.isReduced == true)
            #expect(try flow.begin(.location(always: true)).isSettled)
        }
    }

    // MARK: Once

    @Test func `Allow Once lasts until the login session ends`() throws {
        var flow = flow(LocationGrant(.notDetermined))
        _ = try question(&flow, .location(always: false))
        #expect(flow.answer(.once) == .granted)
        let grants = flow.grants
        #expect(grants.location?.once == Validity(boot: "boot-a", session: "3"))
        func status(_ now: GrantContext) -> LocationStatus {
            Sample.access().narrowed(by: Decisions(grants, at: now)).location.status
        }
        #expect(status(Sample.now) == .authorizedWhenInUse)
        // Another session of the same user sees it too, while the first is there.
        let elsewhere = GrantContext(boot: "boot-a", uptime: 9e9, session: "4", sessions: ["3", "4"])
        #expect(status(elsewhere) == .authorizedWhenInUse)
        #expect(status(Sample.afterSession) == .notDetermined)
        #expect(status(Sample.afterBoot) == .notDetermined)
        // After it has expired, it is asked again.
        var later = self.flow(grants.location, at: Sample.afterSession)
        #expect(try question(&later, .location(always: false)).kind == .locationWhenInUse)
    }

    @Test func `without a login session Allow Once lasts until the boot ends`() throws {
        let job = GrantContext(boot: "boot-a", uptime: 10)
        var flow = flow(LocationGrant(.notDetermined), at: job)
        _ = try question(&flow, .location(always: false))
        #expect(flow.answer(.once) == .granted)
        let grant = try #require(flow.grants.location)
        #expect(grant.once == Validity(boot: "boot-a"))
        #expect(grant.decision(Sample.afterSession) == .whenInUse)
        #expect(grant.decision(Sample.afterBoot) == .notDetermined)
        // If the boot is unknown, so is its end.
        let nowhere = GrantContext(boot: "", uptime: 10)
        #expect(LocationGrant(.whenInUse, once: .once(nowhere)).decision(nowhere) == .notDetermined)
    }

    @Test func `Always is ignored while it is allowed once`() throws {
        var flow = flow(LocationGrant(.whenInUse, once: .once(Sample.now)))
        guard case .settled(let outcome) = try flow.begin(.location(always: true)) else { throw NotAsked() }
        #expect(outcome.isRefused)
        #expect(try flow.begin(.location(always: false)) == .settled(.granted))
        #expect(flow.grants.location == LocationGrant(.whenInUse, once: .once(Sample.now)))
    }

    @Test func `Allow Once for a request for Always is not Always`() throws {
        var flow = flow(LocationGrant(.notDetermined))
        _ = try question(&flow, .location(always: true))
        #expect(flow.answer(.once)?.isRefused == true)
        #expect(flow.authorizations.location.status == .authorizedWhenInUse)
        #expect(flow.grants.location?.provisional == nil)
    }

    // MARK: Requests that never ask

    @Test func `what the user cannot change is never asked`() throws {
        var due = LocationGrant(.always)
        due.provisional = .once(Sample.now)
        due.wasUsedOutside = true
        let restricted = Policy(restricted: [.location])
        let requests: [PermissionRequest] = [
            .location(always: false), .location(always: true), .fullAccuracy(purpose: "way", seconds: 60),
        ]
        for grant in Sample.locationGrants + [due] {
            var refused = grant
            refused.decision = .denied
            refused.once = nil
            for request in requests {
                for var flow in [
                    flow(grant, restricted), flow(grant, access: Sample.access(location: .denied)), flow(refused),
                ] {
                    guard case .settled(let outcome) = try flow.begin(request) else {
                        Issue.record("\(request) is asked of \(grant)")
                        continue
                    }
                    #expect(outcome.isRefused)
                }
            }
        }
        for grant in [LocationGrant(.whenInUse), LocationGrant(.always), due] {
            var flow = flow(grant, Policy(isWhenInUseAtMost: true))
            guard case .settled(let outcome) = try flow.begin(.location(always: true)) else { throw NotAsked() }
            #expect(outcome.isRefused)
        }
    }

    // MARK: Full accuracy for a time

    @Test func `full accuracy is asked with its purpose and expires`() throws {
        for seconds in [1.0, 3600] {
            for decision in [LocationDecision.whenInUse, .always] {
                var flow = flow(LocationGrant(decision, isReduced: true))
                let question = try question(&flow, .fullAccuracy(purpose: "way", seconds: seconds))
                #expect(question.kind == .fullAccuracy && question.purpose == "To show the way.")
                #expect(question.answers == [.allow, .deny])
                #expect(flow.answer(.allow) == .granted)
                #expect(
                    flow.grants.location?.fullAccuracy
                        == .init(purpose: "way", lifetime: Validity(boot: "boot-a", until: 3600 + seconds)))
                func accuracy(_ boot: String, _ uptime: Double) -> LocationAccuracy {
                    let now = GrantContext(boot: boot, uptime: uptime)
                    return Sample.access().narrowed(by: Decisions(flow.grants, at: now)).accuracy.status
                }
                #expect(accuracy("boot-a", 3600 + seconds - 0.5) == .fullAccuracy)
                #expect(accuracy("boot-a", 3600 + seconds) == .reducedAccuracy)
                #expect(accuracy("boot-b", 1) == .reducedAccuracy)
                // While it lasts nothing is asked, for any purpose.
                #expect(try flow.begin(.fullAccuracy(purpose: "way", seconds: seconds)) == .settled(.granted))
            }
        }
    }

    @Test func `full accuracy is not asked where it would change nothing`() throws {
        let request = PermissionRequest.fullAccuracy(purpose: "way", seconds: 60)
        var full = flow(LocationGrant(.always))
        #expect(try full.begin(request) == .settled(.granted))
        var bare = flow(nil)
        #expect(try bare.begin(request) == .settled(.granted))
        var byPolicy = flow(LocationGrant(.always, isReduced: true), Policy(isReduced: true))
        guard case .settled(let outcome) = try byPolicy.begin(request) else { throw NotAsked() }
        #expect(outcome.isRefused)
        var undecided = flow(LocationGrant(.notDetermined, isReduced: true))
        #expect(try undecided.begin(request).isSettled)
    }

    @Test func `a refused time of full accuracy records nothing and may be asked again`() throws {
        let grant = LocationGrant(.always, isReduced: true)
        var flow = flow(grant)
        _ = try question(&flow, .fullAccuracy(purpose: "way", seconds: 60))
        #expect(flow.answer(.deny)?.isRefused == true)
        #expect(flow.grants.location == grant)
        #expect(try question(&flow, .fullAccuracy(purpose: "way", seconds: 60)).kind == .fullAccuracy)
    }
}
