import DriverKit
import Foundation
import Measurement
import PhoneKit
import Readiness
import Rendering
import Support
import Testing
@testable import LocalRig
@testable import rigready

/// `rigready schema`, and the words and files that the schemas describe.
@Suite struct SchemaTests {
    // MARK: The command

    @Test func `without a name each schema is listed with its title`() throws {
        let run = try Program.run("schema")
        #expect(run.status == 0 && run.complaints == "")
        let names = run.output.split(separator: "\n").filter { !$0.hasPrefix("    ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(names == PublishedSchema.names)
        for schema in PublishedSchema.allCases {
            let title = try schema.title
            #expect(title.hasSuffix(".") && run.output.split { $0.isWhitespace }.joined(separator: " ").contains(title))
        }
    }

    @Test(arguments: PublishedSchema.names) func `a schema is printed as it is`(name: String) throws {
        let run = try Program.run("schema", name)
        #expect(run.status == 0 && run.complaints == "")
        #expect(try run.document()["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(try run.output == PublishedSchema.named(name).text)
    }

    @Test(arguments: [
        ("reprot", "there is no schema 'reprot'. Did you mean 'report'? See 'rigready schema'."),
        ("x", "there is no schema 'x'. See 'rigready schema'."),
        ("", "there is no schema ''. See 'rigready schema'."),
    ])
    func `an unknown name is refused, with a near one`(name: String, complaint: String) throws {
        let run = try Program.run("schema", name)
        #expect(run.status == 64 && run.output == "")
        #expect(run.complaints == "rigready: \(complaint)\n")
    }

    // MARK: The words

    /// What the program can write for each list of words.
    private static let vocabularies: [String: [String]] = [
        "acceptedState": Acceptance.State.allCases.map(\.rawValue),
        "access": Access.allCases.map(\.rawValue),
        "accuracy": LocationAccuracy.allCases.map(\.id),
        "adapterState": AdapterReading.State.allCases.map(\.id),
        "antennaFault": AntennaFault.allCases.map(\.rawValue),
        "auditSeverity": AuditFinding.Severity.allCases.map(\.rawValue),
        "authorizationStatus": AuthorizationStatus.allCases.map { $0.id(allowed: "authorized") },
        "availability": ["available"] + Cause.allCases.filter { $0 >= .unreachable }.map(\.id),
        "axis": ["x", "y", "z"],
        "blocker": Set(Service.allCases.compactMap(\.parent)).map(\.id) + [Blocker.session.id],
        "bluetoothStatus": AuthorizationStatus.allCases.map { $0.id(allowed: "allowedAlways") },
        "cause": Cause.allCases.map(\.id),
        "changeState": [RequirementStatus.met.rawValue, RequirementStatus.unchecked.rawValue]
            + Cause.allCases.map(\.id),
        "check": MeasurementFinding.Check.allCases.map(\.rawValue),
        "decidedFrom": AuthorizationSource.allCases.map(\.rawValue),
        "depth": Depth.allCases.map(\.rawValue),
        // Only a comparison of two assessments has changes that are neither better nor worse, and no document has one.
        "difference": Difference.ID.allCases.filter { $0 != .changed }.map(\.rawValue),
        "driverState": DriverReport.State.allCases.map(\.rawValue),
        "errorCode": [
            DriverError.Code.refused, .timedOut, .unanswered, .malformed, .closed, .unsupported, .cancelled,
            .notRecorded,
        ].map(\.rawValue),
        "fix": PositionReading.Fix.allCases.map(\.rawValue),
        "fixKind": PositionReading.FixKind.allCases.map(\.rawValue),
        "grantedAccuracy": ["full", "reduced"],
        "limit": ["allowed", "restricted"],
        "locationDecision": LocationDecision.allCases.map(\.rawValue),
        "locationMaximum": ["always", "when-in-use"],
        "locationStatus": LocationStatus.allCases.map(\.id),
        "notice": Notice.ID.allCases.map(\.rawValue),
        "permission": Permission.allCases.map(\.rawValue),
        "permissionDecision": PermissionDecision.allCases.map(\.rawValue),
        "property": Difference.Property.allCases.filter { $0.rawValue >= Difference.Property.verdict.rawValue }
            .map(\.id),
        "quality": MeasurementVerdict.allCases.map(\.rawValue),
        "qualityProfile": QualityProfile.allCases.map(\.rawValue),
        "rangeSource": ["chip", "format"],
        "reach": ServiceSession.Reach.allCases.map { String(describing: $0) },
        "remedyKind": [
            Remedy.command("true"), .option(.again), .permission(PermissionChange(.grant, .motion), file: nil),
            .advice("wait"),
        ].map { RemedyLine($0).kind },
        "request": Entry.Ask.allCases.map(\.rawValue),
        "requirement": Requirement.allCases.map(\.id),
        "sensorKind": SensorKind.allCases.map(\.id),
        "sensorKindName": SensorKind.allCases.flatMap(\.names),
        "service": Service.allCases.map(\.id),
        "sessionPermission": Requirement.allCases.map { $0 == .motion ? "motionActivity" : $0.id } + ["bluetoothScan"],
        "sessionProblem": ["missingPermission", "unauthorized"],
        "sessionReason": ["configMismatch"]
            + [RequirementSet.location, .preciseLocation, .motion, .bluetooth].compactMap {
                ServiceSession.State.error($0).reason
            },
        "sessionState": [ServiceSession.State.uninitialized, .ready, .running, .error([])].map(\.id),
        "severity": FindingSeverity.allCases.map(\.rawValue),
        "source": RigIdentity.Source.allCases.map(\.rawValue),
        "standing": RequirementStatus.allCases.map(\.rawValue),
        "subject": SensorKind.allCases.map(\.id) + ["requirement", "service"],
        "systemService": [
            SystemService.geoLocationWhenUsing(""), .geoLocationAlways(""), .coreMotion, .bluetooth, .healthKit(.steps),
            .localNotifications([]), .microphone,
        ].map(\.id),
        "systemServiceStatus": ServiceState.SystemServiceStatus.allCases.map(\.rawValue),
        "unit": AxesReading.Unit.allCases.map(\.rawValue),
        "verdict": Verdict.allCases.map(\.id),
        "way": [
            MeasurementMethod.buffer, .attributes(reason: "", remedies: []), .unmeasured(reason: "", remedies: []),
            .omitted(reason: "", remedies: []),
        ].map(\.id),
    ]

    /// The definitions of every schema by name, and with each the schema.
    private static func definitions() throws -> [(name: String, schema: String, value: [String: Any])] {
        try PublishedSchema.allCases.flatMap { schema in
            let document = try JSONSerialization.jsonObject(with: Data(schema.text.utf8)) as? [String: Any]
            let definitions = document?["$defs"] as? [String: [String: Any]] ?? [:]
            return definitions.map { ($0.key, schema.rawValue, $0.value) }
        }
    }

    @Test func `the words of the schemas are those of the program`() throws {
        var seen: Set<String> = []
        for (name, schema, value) in try Self.definitions() {
            guard let words = value["enum"] as? [Any] else { continue }
            seen.insert(name)
            if name == "exitStatus" {
                #expect(words as? [Int] == ReadinessStatus.allCases.map { Int($0.rawValue) })
                continue
            }
            let known = try #require(Self.vocabularies[name], "\(schema): \(name)")
            #expect(
                Set(words as? [String] ?? []) == Set(known) && words.count == Set(known).count, "\(schema): \(name)")
        }
        #expect(seen == Set(Self.vocabularies.keys).union(["exitStatus"]))
    }

    @Test func `what several schemas define is the same in each`() throws {
        for (name, definitions) in Dictionary(grouping: try Self.definitions(), by: \.name) {
            let first = try #require(definitions.first)
            for other in definitions {
                #expect(
                    NSDictionary(dictionary: other.value) == NSDictionary(dictionary: first.value),
                    "\(name) of \(first.schema) and \(other.schema)")
            }
        }
    }

    @Test func `the names of services and of findings are those that a configuration may have`() throws {
        /// What is in the schema behind some keys.
        func value(_ path: String...) throws -> Any? {
            let schema = try JSONSerialization.jsonObject(with: Data(PublishedSchema.configuration.text.utf8))
            return path.reduce(Optional(schema)) { value, key in (value as? [String: Any])?[key] }
        }
        let choices = try #require(try value("$defs", "serviceName", "anyOf") as? [[String: Any]])
        let words = try #require(choices.first?["enum"] as? [String])
        #expect(Set(words) == Set(Service.allCases.flatMap { [$0.id] + $0.names }))
        let pattern = try value("properties", "accept", "items", "properties", "id", "pattern") as? String
        func choice(_ words: [String]) -> String { "(" + words.joined(separator: "|") + ")" }
        #expect(pattern == "^\(choice(Requirement.allCases.map(\.id)))(\\.\(choice(Cause.allCases.map(\.id))))?$")
    }

    // MARK: The files

    /// The files that the pages of their schemas show, and others with every key that those lack.
    private static func files() throws -> [(schema: String, text: String)] {
        func blocks(_ page: String) throws -> [String] {
            let text = try String(
                contentsOf: Tool.repository.appending(path: "Sources/LocalRig/\(page)/README.md"), encoding: .utf8)
            return text.matches(of: #/(?m)^```yaml\n((?:.*\n)*?)```$/#).map { String($0.1) }
        }
        let (configurations, decisions) = (try blocks("Configuration"), try blocks("Permissions"))
        try #require(configurations.count == 2 && decisions.count == 2)
        return [
            ("configuration", configurations[0]), ("manifest", configurations[1]), ("grants", decisions[0]),
            ("policy", decisions[1]), ("configuration", ""), ("grants", "# none\n"), ("policy", ""),
            (
                "configuration",
                """
                timelineDetectionServices: [driving, walking]
                drivingServices: [distractionFreeDriving]
                walkingServices: [location]
                otherServices: [POINTS_OF_INTEREST]
                options: {motionPermissionRequired: true, backgroundLocationPermissionRequired: false, useBackendConfig: true}
                license: [dfd]
                require: {accelerometer: a, stepCounter: s, bluetoothAdapter: b, locationReceiver: r}
                broker: mqtt://lab
                rules: "2.10"
                purposes:
                  NSLocationWhenInUseUsageDescription: To recognise trips.
                  NSLocationAlwaysUsageDescription: To recognise trips.
                  NSMotionUsageDescription: To tell walking.
                  NSBluetoothPeripheralUsageDescription: To find the beacon.
                  NSHealthUpdateUsageDescription: To count the steps.
                  stepsRead: To count the steps.
                  NSLocationTemporaryUsageDescriptionDictionary: {directions: To show the way.}
                explicitServiceSession: true
                defaultAccuracyReduced: false
                """
            ),
            (
                "configuration",
                """
                timelineDetectionService: [driving]
                broker: [mqtt://one, 'mqtts://[::1]']
                NSLocationRequireExplicitServiceSession: true
                NSLocationDefaultAccuracyReduced: true
                purposes:
                  NSLocationAlwaysAndWhenInUseUsageDescription: To recognise trips.
                  NSBluetoothAlwaysUsageDescription: To find the beacon.
                  NSHealthShareUsageDescription: To count the steps.
                  healthUpdate: To count the steps.
                """
            ),
            (
                "configuration",
                "services: {driving: [dfd], walking: [], places: }\npurposes: {healthStore: To count steps.}"
            ),
            (
                "grants",
                """
                location:
                  status: always
                  accuracy: reduced
                  once: {boot: b, session: s, until: 12.5}
                  provisional: {boot: b}
                  usedOutside: true
                  askedForAlways: true
                  fullAccuracy: {purpose: p, boot: b, session: s, until: 1}
                """
            ),
            ("policy", "location: restricted\nhealth: allowed\nbluetooth: allowed\n"),
            ("manifest", "services: [dfd]\n"), ("manifest", "sensors: []\n"),
        ]
    }

    /// Whether the program reads a file.
    private func isRead(_ text: String, as schema: String) -> Bool {
        let bytes = Array(text.utf8)
        do {
            switch schema {
            case "configuration": _ = try RigConfiguration(parsing: bytes, file: "f")
            case "grants": _ = try Grants(parsing: bytes, file: "f")
            case "policy": _ = try Policy(parsing: bytes, file: "f")
            default: _ = try Baseline(manifest: bytes, file: "f")
            }
            return true
        } catch {
            return false
        }
    }

    @Test(.waits) func `a file that the program reads is valid, and one that it refuses is not`() throws {
        var validation = SchemaValidation()
        for (schema, text) in try Self.files() {
            #expect(isRead(text, as: schema), "\(text)")
            validation.add(.init(schema: schema, from: "a file", text: text, isYAML: true, isChanged: true))
        }
        for (schema, text) in [
            ("configuration", "services: [drivng]"), ("configuration", "services: []"),
            ("configuration", "services: {}"),
            ("configuration", "services: [driving]\notherServices: [places]"), ("configuration", "rules: 3.0"),
            ("configuration", "rules: \"2.014\""), ("configuration", "licence: [dfd]\nlicense: [dfd]"),
            ("configuration", "options: {motionPermissionMandatory: yes}"),
            ("configuration", "accept: [{id: gyroscope.absnt, reason: r, until: 2026-12-31}]"),
            ("configuration", "accept: [{id: gyroscope, until: 2026-12-31}]"),
            ("configuration", "quality: {gyroscope: {gravityWithin: 1}}"),
            ("configuration", "quality: {accelerometer: {maximumGaps: 0.5}}"), ("configuration", "broker: http://lab"),
            ("configuration", "broker: mqtt://rig:secret@lab"),
            ("configuration", "broker: {urls: mqtt://lab, keyFile: k}"),
            ("configuration", "purposes: {health: steps}"), ("configuration", "location: {maxError: 0}"),
            ("grants", "location: sometimes"), ("grants", "motion: always"), ("grants", "location: {accuracy: full}"),
            ("policy", "location: denied"), ("policy", "motion: {maximum: always}"), ("manifest", ""),
            ("manifest", "rules: 2.14"), ("manifest", "sensors: [{kind: gyroscope}]"),
            ("manifest", "sensors: [{kind: gyroscope, key: k, count: 1}]"),
        ] {
            #expect(!isRead(text, as: schema), "\(text)")
            validation.add(.init(schema: schema, from: "a file", text: text, isYAML: true, isRefused: true))
        }
        let result = try validation.result()
        #expect(result.faults == [])
        #expect(result.copies.count > 200)
        // Only the program can tell that drivingServices then lack their parent.
        for copy in result.copies where copy.change != "timelineDetectionServices removed" {
            #expect(isRead(copy.text, as: copy.schema) == copy.isValid, "\(copy.schema): \(copy.change): \(copy.text)")
        }
    }
}
