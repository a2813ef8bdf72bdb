import Readiness
import Testing

@Suite("Verdicts and their reasons")
struct EvaluatorTests {
    func results(
        _ services: ServiceSet, _ statuses: RequirementStatuses, flags: OptionFlags = [], licence: ServiceSet? = nil,
        wholeSession: Bool? = nil
    ) throws -> [Service: ServiceResult] {
        let evaluator = try Evaluator(of: services, flags: flags, licence: licence, wholeSession: wholeSession)
        return Dictionary(uniqueKeysWithValues: evaluator.results(for: statuses).map { ($0.service, $0) })
    }

    @Test func `a sub-service adds its parent, which was not asked for`() throws {
        let results = try results(.of(.walkingLocation), RequirementStatuses(met: .all))
        #expect(results[.walking]?.asked == false)
        #expect(results[.walkingLocation]?.asked == true)
        #expect(results.count == 2)
    }

    @Test func `a failing parent blocks its children, which still list their own unmet requirements`() throws {
        let results = try results(
            .of(.distractionFreeDriving, .drivingBehaviour), RequirementStatuses(met: [.accelerometer]))
        let child = try #require(results[.distractionFreeDriving])
        #expect(child.verdict == .blocked)
        #expect(child.blockedBy == .service(.driving))
        #expect(child.blockedBy?.id == "driving")
        #expect(child.failures == .gyroscope)
    }

    @Test func `an unlicensed parent blocks a licensed child, and a licensed parent licenses no child`() throws {
        let child = try results(.of(.walkingLocation), RequirementStatuses(met: []), licence: .of(.walkingLocation))
        #expect(child[.walking]?.verdict == .unauthorized)
        #expect(child[.walking]?.failures == [])
        #expect(child[.walkingLocation]?.verdict == .blocked)
        #expect(child[.walkingLocation]?.blockedBy == .service(.walking))
        #expect(child[.walkingLocation]?.failures == [.location, .preciseLocation])
        let parent = try results(.of(.walkingLocation), RequirementStatuses(met: .all), licence: .of(.walking))
        #expect(parent[.walking]?.verdict == .runs)
        #expect(parent[.walkingLocation]?.verdict == .unauthorized)
        #expect(parent[.walkingLocation]?.blockedBy == nil)
    }

    @Test func `an undetermined parent leaves its children undetermined and blocks nothing`() throws {
        let statuses = RequirementStatuses(met: [.gyroscope, .accelerometer], unknown: [.location, .preciseLocation])
        let child = try #require(try results(.of(.distractionFreeDriving), statuses)[.distractionFreeDriving])
        #expect(child.verdict == .undetermined)
        #expect(child.blockedBy == nil)
        #expect(child.unknown == [])
    }

    @Test func `a child that fails by itself fails, although its parent is undetermined`() throws {
        let statuses = RequirementStatuses(met: [.gyroscope], unknown: [.location, .preciseLocation])
        #expect(try results(.of(.distractionFreeDriving), statuses)[.distractionFreeDriving]?.verdict == .fails)
    }

    @Test func `a degraded parent does not degrade its children`() throws {
        let statuses = RequirementStatuses(met: .all.subtracting(.motion))
        let results = try results(.of(.distractionFreeDriving), statuses)
        #expect(results[.driving]?.verdict == .degraded)
        #expect(results[.distractionFreeDriving]?.verdict == .runs)
    }

    @Test func `an unknown optional requirement is only listed, a mandatory one leaves the verdict open`() throws {
        let statuses = RequirementStatuses(met: .all.subtracting(.motion), unknown: .motion)
        let plain = try #require(try results(.of(.driving), statuses)[.driving])
        #expect(plain.verdict == .runs)
        #expect(plain.unknown == .motion)
        let promoted = try #require(
            try results(.of(.driving), statuses, flags: .motionPermissionMandatory)[.driving])
        #expect(promoted.verdict == .undetermined)
        #expect(promoted.required == [.location, .preciseLocation, .motion])
        #expect(promoted.optional == .backgroundLocation)
    }

    @Test func `a folded requirement is omitted only from rows that name its root`() throws {
        let statuses = RequirementStatuses(
            met: .all.subtracting([.location, .preciseLocation, .backgroundLocation, .healthStore, .stepsRead]),
            folded: [.preciseLocation, .backgroundLocation, .stepsRead])
        let results = try results(.of(.driving, .walking, .health, .assistanceCall), statuses)
        #expect(results[.driving]?.failures == .location)
        #expect(results[.driving]?.warnings == [])
        #expect(results[.walking]?.warnings == .backgroundLocation)
        #expect(results[.health]?.failures == .healthStore)
        #expect(results[.assistanceCall]?.warnings == .location)
    }

    @Test func `under the whole-session rule a failing service blocks all that do not fail themselves`() throws {
        let statuses = RequirementStatuses(met: .all.subtracting([.gyroscope, .motion, .backgroundLocation]))
        let results = try results(
            .of(.driving, .distractionFreeDriving, .places, .cycling, .walking), statuses,
            licence: .all.subtracting(.of(.places)),
            wholeSession: true)
        #expect(results[.distractionFreeDriving]?.verdict == .fails)
        #expect(results[.cycling]?.failures == .motion)
        #expect(results[.cycling]?.warnings == [])
        #expect(results[.driving]?.verdict == .blocked)
        #expect(results[.driving]?.blockedBy?.id == "session")
        #expect(results[.driving]?.warnings == [])
        #expect(results[.places]?.verdict == .unauthorized)
    }

    @Test func `under the whole-session rule an open verdict leaves all others open`() throws {
        let open = try results(
            .of(.cycling, .places), RequirementStatuses(met: .all.subtracting(.motion), unknown: .motion),
            wholeSession: true)
        #expect(open[.places]?.verdict == .undetermined)
        #expect(open[.places]?.blockedBy == nil)
        let quiet = try results(
            .of(.driving), RequirementStatuses(met: [.location, .preciseLocation], unknown: .motion), wholeSession: true
        )
        #expect(quiet[.driving]?.verdict == .runs)
        #expect(quiet[.driving]?.unknown == [])
    }

    @Test func `services and flags that the rules lack are refused, with the version that has them`() throws {
        let old = try rules("2.5")
        let error = try #require(throws: RulesError.self) {
            try Evaluator(of: .of(.health, .driving), rules: old, flags: .all)
        }
        #expect(error.services == .of(.health))
        #expect(error.flags == .backgroundLocationPermissionMandatory)
        #expect(
            error.description
                == "rules 2.5 have no health (since 2.14), no backgroundLocationPermissionMandatory (since 2.6)")
    }

    @Test func `the core's children are those of the vocabulary`() throws {
        let statuses = RequirementStatuses(met: RequirementSet.all.subtracting([.location, .preciseLocation, .motion]))
        let evaluator = try Evaluator()
        for service in Service.allCases {
            let parentFails = service.parent != nil
            #expect((evaluator.verdicts(for: statuses)[service] == .blocked) == parentFails, "\(service.id)")
        }
    }

    @Test func `a service that is not listed has no verdict`() throws {
        #expect(try Evaluator(of: .of(.places)).verdicts(for: RequirementStatuses(met: .all))[.driving] == nil)
    }
}
