import Rendering
import Testing
@testable import Readiness

/// What the heading of each root cause says that its repair does for the services.
@Suite struct RepairWordsTests {
    /// A rig of one or more broken parts, and the words for each of its causes.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var services: [Service]
        var sensors: [Sensor]
        var change: @Sendable (inout Authorizations) -> Void = { _ in }
        let headings: [String]
        /// The lines below the headings.
        var lines: [[String]] = []
    }

    private static func sensor(
        _ key: String, _ kind: SensorKind, _ cause: Cause?, name: String, access: Access = .readable,
        remedies: [Remedy] = [.advice("look")]
    ) -> Sensor {
        Sensor(
            key: key, kind: kind, name: name, driver: kind == .locationReceiver ? "gpsd" : "iio",
            availability: cause.map { .unavailable($0) } ?? .available, access: access, remedies: remedies)
    }

    private static func receiver(_ cause: Cause?) -> Sensor { sensor("r", .locationReceiver, cause, name: "u-blox") }

    private static func motion(_ cause: Cause?, access: Access = .readable) -> [Sensor] {
        [
            sensor("a", .accelerometer, cause, name: "acc", access: access, remedies: [.advice("look at acc")]),
            sensor("g", .gyroscope, cause, name: "gyro", access: access, remedies: [.advice("look at gyro")]),
        ]
    }

    private static let chip = [SensorKind.accelerometer, .gyroscope].map {
        sensor(
            "c", $0, .noDriver, name: "bmi160", access: .unknown, remedies: [.command("sudo modprobe bmi160_i2c")])
    }

    private static let hub = [SensorKind.accelerometer, .gyroscope].map { sensor("hub", $0, .silent, name: "hub") }

    private static let examples: [Example] = [
        Example(
            testDescription: "alone", services: [.places], sensors: [receiver(.noFix)],
            headings: ["1 of 1 · u-blox: no fix · unlocks places"], lines: [[]]),
        Example(
            testDescription: "alone for several services", services: [.places, .pointsOfInterest],
            sensors: [receiver(.noFix)], headings: ["1 of 1 · u-blox: no fix · unlocks 2 services"],
            lines: [["unlocks places, points of interest"]]),
        Example(
            testDescription: "two together", services: [.impactDetection], sensors: chip + [receiver(.noFix)],
            headings: [
                "1 of 2 · bmi160: no driver · needed for impact detection, with 2",
                "2 of 2 · u-blox: no fix · needed for impact detection, with 1",
            ], lines: [[], []]),
        Example(
            testDescription: "three together", services: [.impactDetection],
            sensors: motion(.silent) + [receiver(.noFix)],
            headings: [
                "1 of 3 · u-blox: no fix · needed for impact detection, with 2 and 3",
                "2 of 3 · acc: silent · needed for impact detection, with 1 and 3",
                "3 of 3 · gyro: silent · needed for impact detection, with 1 and 2",
            ]),
        Example(
            testDescription: "one service alone, another one together",
            services: [.places, .impactDetection], sensors: chip + [receiver(.noFix)],
            headings: [
                "1 of 2 · u-blox: no fix · unlocks places",
                "2 of 2 · bmi160: no driver · needed for impact detection, with 1",
            ], lines: [["unlocks places", "needed for impact detection, with 2"], []]),
        Example(
            testDescription: "degraded, then complete", services: [.driving],
            sensors: motion(nil, access: .denied) + [receiver(nil)],
            headings: ["1 of 1 · motion access denied · completes driving (now degraded)"]),
        Example(
            testDescription: "first unlocked, then complete", services: [.driving],
            sensors: motion(nil) + [receiver(nil)],
            change: {
                $0.location = Authorization(.notDetermined, from: .grant, evidence: "location: not decided yet")
                $0.motion = Authorization(.denied, from: .grant, evidence: "motion: denied")
            },
            headings: [
                "1 of 2 · location not decided · unlocks driving",
                "2 of 2 · motion access denied · completes driving (degraded without it)",
            ]),
        Example(
            testDescription: "completed by two together", services: [.driving],
            sensors: motion(nil) + [receiver(nil)],
            change: {
                $0.location = Authorization(.authorizedWhenInUse, from: .grant, evidence: "location: when in use")
                $0.motion = Authorization(.denied, from: .grant, evidence: "motion: denied")
            },
            headings: [
                "1 of 2 · background location only while in use · completes driving, with 2 (now degraded)",
                "2 of 2 · motion access denied · completes driving, with 1 (now degraded)",
            ]),
        Example(
            testDescription: "an alternative", services: [.impactDetection],
            sensors: hub + chip + [receiver(nil)],
            headings: [
                "1 of 2 · bmi160: no driver · unlocks impact detection", "2 of 2 · hub: silent · alternative to 1",
            ], lines: [[], []]),
    ]

    private static func assess(
        _ example: Example, licence: ServiceSet? = nil, obstacles: [Obstacle] = [], isBlind: Bool = false
    ) throws -> Assessment {
        let gpsd = DriverReport(name: "gpsd", kinds: [.locationReceiver], state: .ok, access: .readable)
        let inventory = Inventory(
            depth: .sample, drivers: [gpsd], sensors: example.sensors, obstacles: obstacles)
        var authorizations = Authorizations(access: inventory)
        example.change(&authorizations)
        return Assessment(
            inventory,
            of: RigIdentity(host: "", kernel: "", boot: "", source: .live, user: "", uid: 1000, takenAt: ""),
            authorizations: authorizations,
            request: Assessment.Request(try Evaluator(of: ServiceSet(example.services), licence: licence)),
            isBlind: isBlind)
    }

    @Test(arguments: examples) func `a heading says what the repair does`(example: Example) throws {
        let causes = try Self.assess(example).rootCauses
        #expect(causes.withHeadings.map(\.heading) == example.headings)
        guard !example.lines.isEmpty else { return }
        #expect(causes.map { causes.effectLines(of: $0) } == example.lines)
    }

    @Test func `a partner that is not in the list has no number`() throws {
        let both = try #require(Self.examples.first { $0.testDescription == "two together" })
        let last = try Self.assess(both).rootCauses.suffix(1)
        #expect(Array(last).withHeadings.map(\.heading) == ["1 of 1 · u-blox: no fix · needed for impact detection"])
    }

    @Test func `the repair for a service without a licence unlocks nothing`() throws {
        let alone = try #require(Self.examples.first)
        let causes = try Self.assess(alone, licence: []).rootCauses
        #expect(causes.withHeadings.map(\.heading) == ["1 of 1 · u-blox: no fix · no service depends on this alone"])
    }

    @Test func `without a report the cause is that there is none`() throws {
        let nothing = Example(testDescription: "", services: [.places], sensors: [], headings: [])
        let obstacle = Obstacle(kind: .locationReceiver, cause: .indeterminate, detail: "no service publishes a report")
        func headings(isBlind: Bool) throws -> [String] {
            try Self.assess(nothing, obstacles: [obstacle], isBlind: isBlind).rootCauses.withHeadings.map(\.heading)
        }
        #expect(try headings(isBlind: true) == ["1 of 1 · no report of the service · unlocks places"])
        #expect(try headings(isBlind: false) == ["1 of 1 · location · unlocks places"])
    }

    @Test func `a service that runs has no doubt about what it requires`() throws {
        let unknown = Example(
            testDescription: "", services: [.assistanceCall, .places], sensors: [Self.receiver(.indeterminate)],
            headings: [])
        let assessment = try Self.assess(unknown)
        func words(_ service: Service) throws -> String {
            let result = try #require(assessment.services.first { $0.service == service })
            return "\(Mark(result.verdict).sign) \(assessment.reason(for: result))"
        }
        #expect(try words(.assistanceCall) == "✓ optional and unknown: location")
        #expect(try words(.places) == "? cannot tell: location")
    }
}
