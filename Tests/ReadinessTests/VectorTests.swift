import Readiness
import Testing

/// Services, conditions and options with the verdicts that the pages demand.
struct Vector: Sendable, CustomTestStringConvertible {
    let services: ServiceSet
    let condition: Condition
    var flags: OptionFlags = []
    var rules = "2.14"
    var licence: ServiceSet?
    var wholeSession: Bool?
    /// Verdict, failures and warnings of each service that the row names.
    let expected: [Service: Expectation]

    var testDescription: String { "\(services.members) \(condition) \(flags) \(rules)" }
}

/// What a vector expects of one service.
struct Expectation: Sendable {
    let verdict: Verdict
    var failures: [Requirement] = []
    var warnings: [Requirement] = []
    var blockedBy: Blocker?
}

/// The deviations from the expected result.
struct Condition: Sendable {
    var unmet: RequirementSet = []
    var unchecked: RequirementSet = []

    static let allSatisfied = Self()
    static let whenInUse = Self(unmet: .backgroundLocation)
    static let reduced = Self(unmet: .preciseLocation)
    static let locationDenied = Self(unmet: [.location, .preciseLocation, .backgroundLocation])
    static let motionDenied = Self(unmet: .motion)
    static func lacking(_ unmet: RequirementSet) -> Self { Self(unmet: unmet) }

    var statuses: RequirementStatuses {
        RequirementStatuses(
            met: .all.subtracting(unmet), unchecked: unchecked,
            folded: [.preciseLocation, .backgroundLocation, .stepsRead])
    }
}

extension ServiceSet {
    static func of(_ services: Service...) -> Self { Self(services.map { ServiceSet($0) }) }
}

@Suite("Conditions with their verdicts")
struct VectorTests {
    static let runs = Expectation(verdict: .runs)

    static let vectors: [Vector] = [
        Vector(services: .of(.driving), condition: .allSatisfied, expected: [.driving: runs]),
        Vector(
            services: .of(.driving), condition: .lacking([.backgroundLocation, .motion]),
            expected: [.driving: .init(verdict: .degraded, warnings: [.backgroundLocation, .motion])]),
        Vector(
            services: .of(.driving), condition: .lacking([.backgroundLocation, .motion]), flags: .all,
            expected: [.driving: .init(verdict: .fails, failures: [.backgroundLocation, .motion])]),
        Vector(
            services: .of(.driving), condition: .reduced,
            expected: [.driving: .init(verdict: .fails, failures: [.preciseLocation])]),
        Vector(
            services: .of(.driving, .distractionFreeDriving), condition: .lacking(.gyroscope),
            expected: [
                .driving: runs, .distractionFreeDriving: .init(verdict: .fails, failures: [.gyroscope]),
            ]),
        Vector(
            services: .of(.driving, .deviceDiscovery), condition: Condition(unchecked: .bluetooth),
            expected: [.driving: runs, .deviceDiscovery: runs]),
        Vector(
            services: .of(.driving, .deviceDiscovery), condition: .lacking(.bluetooth),
            expected: [.driving: runs, .deviceDiscovery: .init(verdict: .degraded, warnings: [.bluetooth])]),
        Vector(
            services: .of(.cycling), condition: .motionDenied,
            expected: [.cycling: .init(verdict: .fails, failures: [.motion])]),
        Vector(
            services: .of(.cycling), condition: .whenInUse, flags: .backgroundLocationPermissionMandatory,
            expected: [.cycling: .init(verdict: .fails, failures: [.backgroundLocation])]),
        Vector(
            services: .of(.walking), condition: .locationDenied,
            expected: [.walking: .init(verdict: .degraded, warnings: [.backgroundLocation])]),
        Vector(
            services: .of(.walking, .walkingLocation), condition: .locationDenied,
            expected: [
                .walking: .init(verdict: .degraded, warnings: [.backgroundLocation]),
                .walkingLocation: .init(verdict: .fails, failures: [.location]),
            ]),
        Vector(
            services: .of(.places), condition: .whenInUse, flags: .backgroundLocationPermissionMandatory,
            expected: [.places: runs]),
        Vector(
            services: .of(.impactDetection), condition: .lacking([.accelerometer, .motion]),
            expected: [.impactDetection: .init(verdict: .fails, failures: [.accelerometer], warnings: [.motion])]),
        Vector(
            services: .of(.impactDetection), condition: .motionDenied, flags: .motionPermissionMandatory,
            expected: [.impactDetection: .init(verdict: .fails, failures: [.motion])]),
        Vector(
            services: .of(.assistanceCall), condition: .locationDenied,
            expected: [.assistanceCall: .init(verdict: .degraded, warnings: [.location])]),
        Vector(
            services: .of(.assistanceCall), condition: .locationDenied, rules: "2.3",
            expected: [.assistanceCall: .init(verdict: .fails, failures: [.location])]),
        Vector(
            services: .of(.health), condition: .lacking([.healthStore]),
            expected: [.health: .init(verdict: .fails, failures: [.healthStore])]),
        Vector(
            services: .all, condition: .lacking(.all), licence: [],
            expected: Dictionary(
                uniqueKeysWithValues: Service.allCases.map { ($0, .init(verdict: .unauthorized)) })),
        Vector(
            services: .of(.driving, .walking), condition: .locationDenied, rules: "1.x",
            expected: [
                .driving: .init(verdict: .fails, failures: [.location]),
                .walking: .init(verdict: .blocked, blockedBy: .session),
            ]),
        Vector(
            services: .of(.driving, .walking), condition: .locationDenied,
            expected: [
                .driving: .init(verdict: .fails, failures: [.location]),
                .walking: .init(verdict: .degraded, warnings: [.backgroundLocation]),
            ]),
    ]

    @Test(arguments: vectors)
    func `each vector gives its verdicts and reasons`(_ vector: Vector) throws {
        let evaluator = try Evaluator(
            of: vector.services, rules: rules(vector.rules), flags: vector.flags,
            licence: vector.licence, wholeSession: vector.wholeSession)
        let results = evaluator.results(for: vector.condition.statuses)
        #expect(results.map(\.service) == vector.services.members)
        for result in results {
            let expected = try #require(vector.expected[result.service])
            #expect(result.verdict == expected.verdict)
            #expect(result.failures.members == expected.failures)
            #expect(result.warnings.members == expected.warnings)
            #expect(result.unknown.isEmpty)
            #expect(result.blockedBy == expected.blockedBy)
        }
    }

    @Test func `an unchecked requirement is listed and affects no verdict`() throws {
        let statuses = RequirementStatuses(met: [], unchecked: .all)
        #expect(statuses.unchecked == .bluetooth)
        let results = try Evaluator(of: .of(.deviceDiscovery), licence: .all).results(for: statuses)
        #expect(results.map(\.verdict) == [.fails, .blocked])
        #expect(results.map(\.unchecked) == [[], .bluetooth])
        let alone = try Evaluator(of: .of(.deviceDiscovery)).results(
            for: RequirementStatuses(met: .all, unchecked: .bluetooth))
        #expect(alone.map(\.verdict) == [.runs, .runs])
    }
}
