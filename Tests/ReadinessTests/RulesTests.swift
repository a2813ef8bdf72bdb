import Readiness
import Testing

@Suite("Versions of the rules")
struct RulesTests {
    @Test(arguments: [
        ("1.x", "1.x"), ("1.X", "1.x"), ("1.5", "1.5"), ("2.0", "2.0"), ("2.14", "2.14"), ("2.9999", "2.9999"),
        ("2.4.0", "2.4"), ("2.10.1", "2.10"), ("1.5.2", "1.5"),
    ])
    func `versions of both major numbers are read`(text: String, description: String) {
        #expect(RulesVersion(text)?.description == description)
    }

    @Test(arguments: [
        "", "1", "2", ".", "2.", ".4", "2.x", "3.0", "0.9", "2.04", "2.-1", "2.+1", "2.4.", "2.4.x", "2.4.01",
        "2.4.0.0", "1.x.0", " 2.4", "2.4 ",
        "2.99999",
        "1.xx", "２.４", "2.４", "v2.4",
    ])
    func `other text is not a version`(text: String) {
        #expect(RulesVersion(text) == nil)
    }

    @Test func `a near miss of a version is suggested`() {
        #expect(RulesVersion.suggestion(for: "2.4.1.0")?.description == "2.4")
        #expect(RulesVersion.suggestion(for: "v2.4.0+")?.description == "2.4")
        #expect(RulesVersion.suggestion(for: "v2.6")?.description == "2.6")
        #expect(RulesVersion.suggestion(for: "2..4")?.description == "2.14")
        #expect(RulesVersion.suggestion(for: "1")?.description == "1.x")
        #expect(RulesVersion.suggestion(for: "3.0") == nil)
        #expect(RulesVersion.suggestion(for: "new") == nil)
    }

    @Test(arguments: [
        ("1.x", "1.x"), ("1.9", "1.x"), ("2.0", "2.0"), ("2.3", "2.0"), ("2.4", "2.4"), ("2.6", "2.4"),
        ("2.13", "2.4"), ("2.14", "2.14"), ("2.17", "2.14"),
    ])
    func `a version uses the newest profile that is not newer`(version: String, profile: String) throws {
        let found = try rules(version)
        #expect(found.profile.description == profile)
        #expect(found.version.description == version)
        #expect(found.rows == Rules(found.profile).rows)
    }

    @Test func `the profiles are the four in which the table changed, and the newest is the default`() {
        #expect(Rules.profiles.map(\.description) == ["1.x", "2.0", "2.4", "2.14"])
        // What changed since is only what an app declares.
        #expect(Rules.newest.profile.description == "2.14")
        #expect(Rules.newest.version.description == "2.15")
    }

    @Test func `services come with their versions, in table order`() throws {
        func ids(_ version: String) throws -> [Service] { try rules(version).rows.map(\.service) }
        let first: [Service] = [
            .driving, .distractionFreeDriving, .drivingBehaviour, .cycling, .walking, .pointsOfInterest,
        ]
        #expect(try ids("1.x") == first)
        #expect(try ids("2.0") == Service.allCases.filter { $0 != .deviceDiscovery && $0 != .health })
        #expect(try ids("2.4") == Service.allCases.filter { $0 != .health })
        #expect(try ids("2.14") == Service.allCases)
        for rules in Rules.profiles.map(Rules.init) {
            #expect(rules.services.withParents == rules.services)
            #expect(rules.rows.allSatisfy { $0.required.isDisjoint(with: $0.optional) })
        }
    }

    @Test func `the motion and background flags came with their versions`() throws {
        func flags(_ version: String) throws -> OptionFlags { try rules(version).flags }
        #expect(try flags("1.x") == [])
        #expect(try flags("2.3") == [])
        #expect(try flags("2.4") == .motionPermissionMandatory)
        #expect(try flags("2.5") == .motionPermissionMandatory)
        #expect(try flags("2.6") == .all)
        #expect(try flags("2.14") == .all)
    }

    @Test func `the newest table is the printed one, cell by cell`() {
        let required = Rules.newest.rows.map { $0.required.members.map(\.letters).joined(separator: " ") }
        let optional = Rules.newest.rows.map { $0.optional.members.map(\.letters).joined(separator: " ") }
        #expect(
            required == [
                "L P", "G A", "G A", "", "L P M", "M", "L P", "L P", "L P", "L P", "L P G A", "", "H HS",
            ])
        #expect(optional == ["B M", "", "", "BT", "B", "B", "B", "", "B", "B", "B M", "L P", ""])
    }

    @Test func `older rules require location for the assistance call`() throws {
        let row = try #require(rules("2.3").row(of: .assistanceCall))
        #expect(row.required == [.location, .preciseLocation])
        #expect(row.optional == [])
    }

    @Test func `only the first version has the whole-session rule`() {
        #expect(Rules.profiles.map { Rules($0).wholeSession } == [true, false, false, false])
    }
}

extension Requirement {
    /// Short names of the requirements.
    var letters: String {
        switch self {
        case .location: "L"
        case .preciseLocation: "P"
        case .backgroundLocation: "B"
        case .motion: "M"
        case .gyroscope: "G"
        case .accelerometer: "A"
        case .bluetooth: "BT"
        case .healthStore: "H"
        case .stepsRead: "HS"
        }
    }
}

/// The rules of a version, as written.
func rules(_ text: String) throws -> Rules { Rules(try #require(RulesVersion(text))) }
