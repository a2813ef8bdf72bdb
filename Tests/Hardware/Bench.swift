import Foundation
import Support

/// The bench: one boot of a virtual machine with real kernel drivers, and the program's output in each scenario.
enum Bench {
    /// The program's output in one case.
    struct Case: Sendable {
        let name: String
        let report: Report
        let status: Int32
        let milliseconds: Int
        let complaints: String

        /// The requirement's status, with its cause if it has one: `met`, `unmet denied`, `unknown indeterminate`.
        func standing(_ id: String) -> String {
            guard let requirement = report.requirements.first(where: { $0.id == id }) else { return "missing" }
            return [requirement.standing, requirement.cause].compactMap { $0 }.joined(separator: " ")
        }

        func requirement(_ id: String) -> Report.Requirement? { report.requirements.first { $0.id == id } }

        func verdict(_ id: String) -> String { report.services.first { $0.id == id }?.verdict ?? "missing" }

        func sensors(_ kind: String) -> [Report.Sensor] { report.sensors.filter { $0.kind == kind } }

        func driver(_ name: String) -> Report.Driver? { report.drivers.first { $0.name == name } }
    }

    struct Failure: Error, CustomStringConvertible {
        /// Whether the machine ran, and a scenario did not show what it claims.
        var isOfScenario = false
        let description: String
    }

    /// The report as another program would parse it: no code is shared with the program under test.
    struct Report: Decodable, Sendable {
        struct Driver: Decodable, Sendable {
            let name: String
            let state: String
            let detail: String?
        }
        struct Reading: Decodable, Sendable {
            let x, y, z: Double?
            let unit: String?
            let steps: Int?
            let state, address: String?
            let softBlocked, hardBlocked: Bool?
            let fix: String?
            let latitude, longitude: Double?
            let simulated: Bool?
        }
        struct Sensor: Decodable, Sendable {
            let key, kind, name, availability, access: String
            let label, detail: String?
            let reading: Reading?
        }
        struct Requirement: Decodable, Sendable {
            let id, standing: String
            let cause, rootCause, detail, remedy: String?
            let causes, decidedBy: [String]
        }
        struct Service: Decodable, Sendable {
            let id, verdict: String
            let failures, warnings, unknown: [String]
        }
        struct Notice: Decodable, Sendable {
            let id, detail: String
        }
        struct Rig: Decodable, Sendable {
            let subject: String?
        }
        struct Authorization: Decodable, Sendable {
            let status, from, evidence: String
        }
        struct Authorizations: Decodable, Sendable {
            let location, motion, bluetooth, health: Authorization
        }
        let rig: Rig
        let drivers: [Driver]
        let authorizations: Authorizations
        let sensors: [Sensor]
        let requirements: [Requirement]
        let services: [Service]
        let notices: [Notice]
        let exitStatus: Int32
    }

    /// The repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The one boot; a failure if a scenario did not show what it claims.
    static let boot: Result<Void, Failure> = Result { () throws(Failure) in try start() }

    /// Every case of the one boot, also if a scenario failed: the others have shown theirs.
    static let cases: Result<[String: Case], Failure> = Result { () throws(Failure) in
        if case .failure(let failure) = boot, !failure.isOfScenario { throw failure }
        return try read(results)
    }

    /// The program under test.
    static var binary: String {
        ProcessInfo.processInfo.environment["RIGREADY_BINARY"] ?? root.appending(path: ".build/release/rigready").path
    }

    /// The package of an older version, which is upgraded from.
    static var olderPackage: String? { ProcessInfo.processInfo.environment["RIGREADY_OLDER_PACKAGE"] }

    static let results = root.appending(path: ".build/hardware-results")

    /// The recordings of the boot; next to each is the report of the same probe.
    static func recordings() throws -> [URL] { try recordingFiles("jsonl").sorted { $0.path < $1.path } }

    /// The names of the scenarios that kept a recording.
    static func recordedScenarios() throws -> Set<String> {
        Set(try recordingFiles("recorded").map { $0.deletingPathExtension().lastPathComponent })
    }

    private static func recordingFiles(_ kind: String) throws -> [URL] {
        _ = try cases.get()
        return try FileManager.default.contentsOfDirectory(
            at: results.appending(path: "recordings"), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == kind }
    }

    /// One case; throws if the bench did not reach it.
    static func `case`(_ name: String) throws -> Case {
        guard let found = try cases.get()[name] else { throw Failure(description: "the bench has no case \(name)") }
        return found
    }

    /// The report of the probe that was recorded under a name.
    static func recordedReport(_ name: String) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(text("recordings/\(name).json").utf8))
    }

    /// Another result file of the bench.
    static func text(_ file: String) throws -> String {
        _ = try cases.get()
        return try String(contentsOf: results.appending(path: file), encoding: .utf8)
    }

    /// The programs of `Examples/phone-app`, which use the package as any other would.
    private static func programs() throws(Failure) -> [String] {
        // Scripts/test has built them before, and nothing is compiled here.
        try run(["bash", "-c", "source Scripts/lib.sh; build_example phone-app"])
        return ["phone-app", "motion-app"].map { root.appending(path: ".build/examples/phone-app/debug/\($0)").path }
    }

    private static func start() throws(Failure) {
        let environment = ProcessInfo.processInfo.environment
        // Set manually to check the results of the last boot again.
        if environment["RIGREADY_BENCH_RESULTS"] == nil {
            let packages = root.appending(path: ".build/hardware-packages").path
            // Files of another version would be mixed with these, and an earlier failure's reason with a success.
            try? FileManager.default.removeItem(atPath: packages)
            try? FileManager.default.removeItem(at: results.appending(path: "reason"))
            for revision in ["1", "2"] {
                try run(["Scripts/package", "--binary", binary, "--output", packages, "--revision", revision])
            }
            try run(
                [
                    "Tests/Hardware/boot", "--binary", binary, "--packages", packages, "--results", results.path,
                    "--timeout", "1200",
                ]
                    + (olderPackage.map { ["--older", $0] } ?? []) + programs().flatMap { ["--program", $0] })
        }
    }

    private static func run(_ words: [String]) throws(Failure) {
        let end: ChildProcess.End?
        do {
            // The packages of the bench need not be small, and an emulated machine unpacks them.
            let environment = ProcessInfo.processInfo.environment.merging([
                "DPKG_DEB_COMPRESSOR_TYPE": "gzip", "DPKG_DEB_COMPRESSOR_LEVEL": "1",
            ]) { $1 }
            end = try ChildProcess(
                words, environment: environment, folder: root.path, output: .descriptor(STDERR_FILENO),
                errors: .descriptor(STDERR_FILENO)
            ).wait()
        } catch {
            throw Failure(description: "\(error)")
        }
        guard end != .exit(0) else { return }
        let reason = try? String(contentsOf: results.appending(path: "reason"), encoding: .utf8)
        let text = reason?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "see above"
        throw Failure(
            isOfScenario: end == .exit(1) && reason != nil,
            description: "\(words[0]): \(end.map { "\($0)" } ?? "no end"): \(text)")
    }

    private static func read(_ folder: URL) throws(Failure) -> [String: Case] {
        do {
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            var cases: [String: Case] = [:]
            for file in files where file.hasSuffix(".json") {
                let name = String(file.dropLast(5))
                func text(_ ending: String) throws -> String {
                    try String(contentsOf: folder.appending(path: "\(name).\(ending)"), encoding: .utf8)
                        .trimmingCharacters(in: .whitespacesAndNewlines)
                }
                let report = try JSONDecoder().decode(
                    Report.self, from: Data(contentsOf: folder.appending(path: file)))
                cases[name] = Case(
                    name: name, report: report, status: Int32(try text("status")) ?? -1,
                    milliseconds: Int(try text("ms")) ?? -1, complaints: try text("err"))
            }
            return cases
        } catch {
            throw Failure(description: "the bench's results cannot be read: \(error)")
        }
    }
}
