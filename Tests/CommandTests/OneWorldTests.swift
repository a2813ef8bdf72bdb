import Foundation
import LocalRig
import PhoneKit
import PhoneSupport
import Readiness
import Rendering
import RigBluetooth
import RigHealth
import RigLocation
import RigMotion
import Testing
@testable import rigready_web

/// One world and one environment, and every face asked about it: the command, the library, the board, the libraries with
/// a phone's names, and the system services.
@Suite(.timeLimit(.minutes(10)))
struct OneWorldTests {
    private static let purposes = """
        purposes:
          location: To recognise trips.
          backgroundLocation: To recognise trips while nobody looks.
          motion: To tell walking from driving.
          bluetooth: To find the car.
          health: To count the steps of a walk.

        """

    /// The files of an environment; nil for one that is not there.
    struct Files: Sendable, CustomTestStringConvertible {
        var grants: String?
        var policy: String?
        var configuration = OneWorldTests.purposes
        var testDescription: String {
            "\(grants ?? "no grants"), \(policy ?? "no policy"), \(configuration.count) characters"
        }
    }

    /// What a face says of the permissions, in the words of the report.
    private struct Answer: Equatable, CustomStringConvertible {
        var location, accuracy, motion, bluetooth, health: String
        var description: String { "\(location), \(accuracy), \(motion), \(bluetooth), \(health)" }

        init(_ authorizations: [String: Any]) throws {
            func status(_ name: String) throws -> String {
                try #require((authorizations[name] as? [String: Any])?["status"] as? String)
            }
            (location, motion) = (try status("location"), try status("motion"))
            (bluetooth, health) = (try status("bluetooth"), try status("health"))
            accuracy = try #require((authorizations["location"] as? [String: Any])?["accuracy"] as? String)
        }

        init(json: String) throws {
            let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
            try self.init(try #require(document?["authorizations"] as? [String: Any]))
        }

        init(_ assessment: Assessment) throws { try self.init(json: try String(json: Report(assessment))) }
    }

    @Test(arguments: [
        Files(),
        Files(grants: "motion: denied\n"), Files(grants: "motion: allowed\nlocation: {status: when-in-use}\n"),
        Files(grants: "location: {status: not-determined}\nbluetooth: not-determined\n"),
        Files(grants: "location: {status: always, accuracy: reduced}\nhealth: denied\n"),
        Files(policy: "motion: restricted\n"),
        Files(policy: "location: {maximum: when-in-use}\nbluetooth: restricted\n"),
        Files(grants: "motion: allowed\n", policy: "motion: restricted\nhealth: restricted\n"),
        Files(configuration: ""),
        Files(grants: "location: {status: always}\n", configuration: purposes + "defaultAccuracyReduced: true\n"),
        Files(grants: "motion: not-determined\n", configuration: "services: [walking]\nrules: 2.11\n" + purposes),
    ])
    func `every face gives the same permissions, requirements and remedies`(files: Files) throws {
        try Tool.withFolder { folder in
            let bus = folder.appending(path: "sys")
            for number in 0..<2 { try FileBus.addDevice(number, to: bus) }
            var variables = ["RIGREADY_SYSFS": bus.path, "RIGREADY_GPSD": "127.0.0.1:1"]
            let texts = [
                ("RIGREADY_PERMISSIONS", files.grants), ("RIGREADY_POLICY", files.policy),
                ("RIGREADY_CONFIG", files.configuration),
            ]
            for (variable, text) in texts {
                let file = folder.appending(path: "\(variable).yaml")
                if let text { try Data(text.utf8).write(to: file) }
                variables[variable] = file.path
            }
            var options = LocalRig.Options { variables[$0] }
            options.depth = .state

            // The library.
            let assessment = try LocalRig(options).assess()
            let expected = try Answer(assessment)
            // The command.
            let run = try Program.run(["--depth", "state", "--format", "json"], environment: variables)
            #expect(try Answer(json: run.output) == expected, "\(run.complaints)")
            #expect(try Self.requirements(run.output) == Self.requirements(try String(json: Report(assessment))))
            let permissions = try Program.run(["permissions", "--format", "json"], environment: variables).document()
            let lines = try #require(permissions["permissions"] as? [[String: Any]])
            let statuses = Dictionary(
                uniqueKeysWithValues: lines.map { ($0["id"] as? String, $0["status"] as? String) })
            #expect(
                statuses == [
                    "location": expected.location, "motion": expected.motion, "bluetooth": expected.bluetooth,
                    "health": expected.health,
                ])
            // The board.
            #expect(try Answer(json: try Self.board(options)) == expected)
            // An app.
            let phone = PhoneRig(PhoneSettings(options, prompter: Nobody(), complain: { _ in }))
            defer { phone.end() }
            #expect(try Answer(phone.state.assessment) == expected)
            #expect(phone.state.assessment.requirements.map(\.remedies) == assessment.requirements.map(\.remedies))
            try PhoneRig.$substitute.withValue(phone) { try Self.checkApp(expected) }
            // The system services.
            let permissioner = SystemServicePermissioner(SystemServiceEnvironment(options))
            Self.check(permissioner, expected, assessment)
        }
    }

    /// The standing and the remedies of each requirement in a report.
    private static func requirements(_ json: String) throws -> [String] {
        let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return try #require(document?["requirements"] as? [[String: Any]]).map { line in
            let remedies = line["remedies"] as? [[String: Any]] ?? []
            return
                "\(line["id"] ?? ""): \(line["standing"] ?? line["status"] ?? "") \(remedies.map { "\($0["text"] ?? "")" })"
        }
    }

    /// The report that the board gives.
    private static func board(_ options: LocalRig.Options) throws -> String {
        let feed = try BoardFeed(try LocalRig(options), resample: nil, complain: { _ in })
        try feed.run { feed.end() }
        return try #require(feed.snapshot).report
    }

    /// The frameworks have no word for what could not be checked; it is never authorized.
    private static func named(_ status: String) -> String { status == "indeterminate" ? "notDetermined" : status }

    private static func checkApp(_ expected: Answer) throws {
        let location = CLLocationManager()
        #expect(String(describing: location.authorizationStatus) == named(expected.location))
        #expect(String(describing: location.accuracyAuthorization) == expected.accuracy)
        #expect(String(describing: CMMotionActivityManager.authorizationStatus()) == named(expected.motion))
        #expect(String(describing: CBCentralManager.authorization) == named(expected.bluetooth))
        let health = HKHealthStore().authorizationStatus(for: HKQuantityType(.stepCount))
        #expect((health == .notDetermined) == (named(expected.health) == "notDetermined"))
    }

    private static func check(
        _ permissioner: SystemServicePermissioner, _ expected: Answer, _ assessment: Assessment
    ) {
        func word(_ status: String) -> String {
            switch status {
            case "authorized", "allowedAlways", "authorizedAlways", "authorizedWhenInUse", "allowed": "granted"
            case "indeterminate": "unknown"
            default: status
            }
        }
        let authorizations = assessment.authorizations
        let services: [(SystemService, String, [Remedy])] = [
            (.coreMotion, expected.motion, authorizations.motion.remedies),
            (.bluetooth, expected.bluetooth, authorizations.bluetooth.remedies),
            (.healthKit(.steps), expected.health, authorizations.health.remedies),
            (.geoLocationWhenUsing(""), expected.location, authorizations.location.remedies),
        ]
        for (service, status, remedies) in services {
            let state = permissioner.state(of: service)
            // What is not there is absent, whatever a user decided.
            if state.status == .absent { continue }
            #expect(state.status.rawValue == word(status), "\(service.id)")
            #expect(state.status == .granted || state.remedies == remedies, "\(service.id)")
        }
    }
}
