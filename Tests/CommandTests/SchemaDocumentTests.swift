import Foundation
import LocalRig
import Rendering
import Support
import Testing
@testable import rigready

/// Every document that the program prints or writes, against its schema.
@Suite struct SchemaDocumentTests {
    private static let recordings: [String] = {
        let folder = Tool.repository.appending(path: "Tests/Recordings")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".jsonl.gz") }.sorted().map { folder.appending(path: $0).path }
    }()
    private static let embedded = ["demo", "field-kit", "prototype-board"]

    @Test(.waits) func `every document is what its schema says, and no more`() throws {
        var validation = SchemaValidation()
        try Tool.withFolder { folder in
            try Self.addRigs(to: &validation, in: folder)
            try Self.addReports(to: &validation, in: folder)
            try Self.addMeasurements(to: &validation, in: folder)
            try Self.addConsentAndAudit(to: &validation, in: folder)
            try Self.addHistory(to: &validation, in: folder)
            try validation.add("fleet", ["fleet", "--broker", "mqtt://127.0.0.1:1"], isChanged: true)
        }
        let result = try validation.result()
        #expect(result.faults == [])
        #expect(result.counts["report"] ?? 0 > 80 && result.counts["recording"] ?? 0 > 100, "\(result.counts)")
        let files: Set = ["configuration", "grants", "policy", "manifest"]
        #expect(Set(result.counts.keys) == Set(PublishedSchema.names).subtracting(files))

        // A schema that accepts everything would have no faults either.
        #expect(result.unnoticed["another type"] == nil, "\(result.unnoticed)")
        // What is in it is of no document.
        #expect(result.unnoticed["added"] == ["report": ["inventory"]])
        let missing = result.unnoticed["removed"] ?? [:]
        #expect(missing["report"] == ["inventory"] && missing.keys.sorted() == ["recording", "report"], "\(missing)")
        let optional: Set = [
            "longest", "measured", "measuredRate", "measuredMotion", "measuredPinned", "sudo", "grants.option",
            "policy.option", "circumstances.session", "node.entries", "node.right", "node.changed", "node.refusal",
            "person.loginGroups", "error.errno", "error.detail",
        ]
        #expect(missing["recording", default: []].isSubset(of: optional), "\(missing)")
        let free = result.unnoticed["another word"] ?? [:]
        for (schema, words) in [
            (
                "report",
                [
                    "schema", "takenAt", "depth", "rules", "rig.source", "drivers[].state", "sensors[].kind",
                    "sensors[].availability", "sensors[].access", "sensors[].reading.unit", "sensors[].reading.state",
                    "sensors[].reading.fix", "sensors[].reading.fixKind", "authorizations.location.status",
                    "authorizations.location.accuracy", "authorizations.motion.status", "authorizations.motion.from",
                    "authorizations.bluetooth.status", "authorizations.bluetooth.state", "authorizations.health.status",
                    "requirements[].id", "requirements[].standing", "requirements[].cause",
                    "requirements[].rootCause", "requirements[].remedies[].kind", "rootCauses[].cause",
                    "accepted[].id", "accepted[].until", "accepted[].state", "session.state", "session.reach",
                    "session.reason",
                    "session.error", "session.failures[].service", "session.failures[].reason", "services[].id",
                    "services[].verdict", "services[].blockedBy", "notices[].id",
                ]
            ),
            (
                "permissions",
                ["permissions[].id", "permissions[].status", "permissions[].accuracy", "permissions[].from"]
            ),
            (
                "rights",
                ["subjects[].kind", "subjects[].permissions[].id", "subjects[].permissions[].from"]
            ),
            ("comparison", ["findings[].id", "findings[].kind", "findings[].property"]),
            ("audit", ["findings[].severity"]), ("consent", ["permissions[].id", "permissions[].status"]),
            ("services", ["services[].id", "services[].parent"]),
            (
                "measurement",
                [
                    "sensors[].way", "sensors[].verdict", "sensors[].findings[].id", "sensors[].findings[].severity",
                    "sensors[].rangeSource", "sensors[].up", "sensors[].stuckRuns[].axis",
                ]
            ),
            (
                "history",
                [
                    "begunAt", "requirements[].standing", "requirements[].cause", "requirements[].events[].before",
                    "requirements[].events[].after",
                ]
            ),
            ("recording", ["depth", "minFix", "ask", "error.code"]),
        ] {
            #expect(free[schema, default: []].isDisjoint(with: words), "\(schema): \(free[schema] ?? [])")
        }
    }

    /// What the lists show of every recorded rig, and the recordings of the embedded ones.
    private static func addRigs(to validation: inout SchemaValidation, in folder: URL) throws {
        for rig in recordings + embedded {
            let isChanged = embedded.contains(rig)
            for (schema, words) in [
                ("report", ["check"]), ("sensors", ["sensors"]), ("permissions", ["permissions"]),
                ("comparison", ["compare", "demo"]),
            ] { try validation.add(schema, words + ["--rig", rig], isChanged: isChanged) }
        }
        for rules in ["1.x", "2.0", "2.4", "2.14"] {
            try validation.add("services", ["services", "--rules", rules], isChanged: true)
            try validation.add("report", ["--rig", "field-kit", "--rules", rules], isChanged: true)
        }
        let (grants, policy) = (folder.appending(path: "g.yaml").path, folder.appending(path: "p.yaml").path)
        try write(
            "location: {status: when-in-use, accuracy: reduced}\nmotion: denied\nhealth: not-determined\n", grants)
        try write("bluetooth: restricted\n", policy)
        for rig in embedded {
            let file = folder.appending(path: "\(rig).jsonl").path
            let words = ["--rig", rig, "--permissions", grants, "--policy", policy]
            try validation.add("report", words + ["--output", "record=\(file)"], isChanged: true)
            try validation.add("permissions", ["permissions"] + words, isChanged: true)
            try addLines(of: String(contentsOfFile: file, encoding: .utf8), file, to: &validation)
        }
        // Units and containers, which only root may evaluate.
        for rig in embedded {
            let assessment = try LocalRig(recording: rig).assess()
            let rights = RightsReport(
                of: rig, at: assessment.rig.takenAt,
                [
                    .init(
                        kind: "unit", name: "telematics.service", process: 7, user: "driver", assessment.authorizations),
                    .init(kind: "container", name: "bench", process: 8, failure: "there is no such process"),
                ])
            validation.add(.init(schema: "rights", from: rig, text: try Output.document(rights), isChanged: true))
        }
        // This machine, with decisions, and what older versions and captures have recorded.
        let live = folder.appending(path: "live.jsonl").path
        let files = ["--permissions", grants, "--policy", policy]
        try validation.add("report", ["record", live, "--depth", "presence"] + files)
        try addLines(of: String(contentsOfFile: live, encoding: .utf8), live, to: &validation)
        for file in recordings + [MeasureCommandTests.recording] {
            try addLines(of: Tool.run("/bin/gzip", ["-dc", file]).output, file, to: &validation, each: 20)
        }
    }

    /// The header of a recording, and the first line of so many of the rest.
    private static func addLines(
        of text: String, _ file: String, to validation: inout SchemaValidation, each step: Int = 1
    ) throws {
        let lines = text.split(separator: "\n")
        try #require(lines.count > 1, "\(file)")
        for index in [0] + stride(from: 1, to: lines.count, by: step) {
            validation.add(.init(schema: "recording", from: file, text: String(lines[index]), isChanged: true))
        }
    }

    /// The reports of other options and of other commands.
    private static func addReports(to validation: inout SchemaValidation, in folder: URL) throws {
        let configuration = folder.appending(path: "c.yaml").path
        try write(
            """
            accept:
              - {id: location, reason: it is indoors, until: 9999-12-31}
              - {id: gyroscope.absent, reason: it is away, until: 2020-01-01}
              - {id: motion, reason: none, until: 9999-12-31}
            """, configuration)
        for words in [
            ["--rig", "field-kit", "--licence", "walking"], ["--rig", "field-kit", "--depth", "presence"],
            ["--rig", "prototype-board", "--depth", "state"], ["--rig", "field-kit", "--config", configuration],
            ["--rig", "demo", "--sensor", "gyroscope=none"], ["--rig", "demo", "--strict", "--no-simulated"],
            ["explain", "dfd", "--rig", "field-kit"],
        ] { try validation.add("report", words, isChanged: true) }
        let kept = folder.appending(path: "kept.json").path
        try validation.add("report", ["watch", "--rig", "demo", "--resample", "0.2", "--for", "0.5"], isByLine: true)
        let watch = try Program.run("watch", "--rig", "field-kit", "--keep", kept, "--for", "0.3")
        #expect(watch.status == 0, "\(watch.complaints)")
        let text = try String(contentsOfFile: kept, encoding: .utf8)
        // What is in `inventory` is only for --cached.
        var document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(document["inventory"] is [String: Any])
        document["inventory"] = [String: Any]()
        let short = String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
        validation.add(.init(schema: "report", from: "watch --keep", text: text))
        validation.add(.init(schema: "report", from: "watch --keep", text: short, isChanged: true))
    }

    private static func addMeasurements(to validation: inout SchemaValidation, in folder: URL) throws {
        var files: [String] = []
        for rig in ["demo", MeasureCommandTests.recording] {
            try validation.add("measurement", ["measure", "--rig", rig], isChanged: true)
            files.append(folder.appending(path: "m\(files.count).json").path)
            try write(try #require(validation.documents.last).text, files[files.count - 1])
        }
        // A sensor with another rate.
        let text = try String(contentsOfFile: files[0], encoding: .utf8)
        var document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        var sensors = try #require(document["sensors"] as? [[String: Any]])
        for index in sensors.indices where sensors[index]["rate"] is [String: Any] {
            sensors[index]["rate"] = ["value": 1000, "uncertainty": 0.001]
        }
        document["sensors"] = sensors
        let other = folder.appending(path: "other.json")
        try JSONSerialization.data(withJSONObject: document).write(to: other)
        for pair in [[files[0], files[1]], [files[0], other.path]] {
            try validation.add("comparison", ["compare"] + pair, isChanged: true)
        }
    }

    private static func addConsentAndAudit(to validation: inout SchemaValidation, in folder: URL) throws {
        let answers = folder.appending(path: "a.yaml").path
        try write("motion: allow\nlocation: deny\n", answers)
        for rig in embedded {
            let files = ["grants.yaml", "state.yaml"].map { folder.appending(path: "\(rig)-\($0)").path }
            let others = ["microphone", "notifications", "health=stepCount,dateOfBirth"].flatMap { ["--with", $0] }
            let words = ["consent", "--rig", rig, "--answers", answers, "--permissions", files[0], "--state", files[1]]
            try validation.add("consent", words + ["--service", "driving", "--service", "health"], isChanged: true)
            try validation.add("consent", words + others, isChanged: true)
        }
        let list = folder.appending(path: "Info.plist")
        let entries = ["NSMotionUsageDescription": "", "CMMotionActivity": "Trips."]
        try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0).write(to: list)
        try validation.add("audit", ["audit", list.path], isChanged: true)
        try validation.add("audit", ["audit", list.path, "--service", "dfd"], isChanged: true)
    }

    /// A history with changes, as it is kept and as it is printed.
    private static func addHistory(to validation: inout SchemaValidation, in folder: URL) throws {
        let (file, grants) = (folder.appending(path: "history.json").path, folder.appending(path: "h.yaml").path)
        for decision in ["allowed", "denied", "not-determined"] {
            try write("motion: \(decision)\n", grants)
            let watch = try Program.run(
                "watch", "--rig", "field-kit", "--permissions", grants, "--history", file, "--for", "0.3")
            #expect(watch.status == 0, "\(watch.complaints)")
        }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        validation.add(.init(schema: "history", from: file, text: text, isChanged: true))
        for words in [[], ["--since", "7d"], ["--requirement", "motion"]] {
            try validation.add("history", ["history", "--file", file] + words, isChanged: true)
        }
    }

    private static func write(_ text: String, _ file: String) throws {
        try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    @Test(.waits) func `the document of a fleet, and the reports in it, are what their schemas say`() throws {
        let client = try Tool.path("mosquitto_sub", package: "mosquitto-clients")
        try Tool.withFolder { folder in
            let address = "127.0.0.1:\(try RunningGPSD.freePort())"
            let broker = try RunningProgram.mosquitto(at: address, in: folder)
            defer { broker.end(SIGKILL) }
            let words = ["fleet", "--broker", "mqtt://\(address)"]
            let rigs = try ["demo", "field-kit"].map { rig in
                try RunningProgram(
                    ["watch", "--rig", rig, "--publish", "mqtt://\(address)", "--name", rig], named: rig, in: folder)
            }
            defer { for rig in rigs { rig.end(SIGKILL) } }
            func count() throws -> Int {
                try (Program.run(words + ["--format", "json"]).document()["rigs"] as? [[String: Any]] ?? [])
                    .count { $0["online"] as? Bool == true && ($0["services"] as? [Any])?.isEmpty == false }
            }
            #expect(try RunningProgram.wait { try count() == 2 }, "\(rigs.map(\.text))")
            var validation = SchemaValidation()
            let port = address.split(separator: ":")[1].description
            let reports = try Tool.run(
                client, ["-h", "127.0.0.1", "-p", port, "-t", "rigready/+/report", "-C", "2", "-W", "20"])
            for text in reports.output.split(separator: "\n") {
                validation.add(.init(schema: "report", from: "a broker", text: String(text)))
            }
            try validation.add("fleet", words, isChanged: true)
            rigs[0].end(SIGKILL)
            try validation.add("fleet", words + ["--all", "--service", "dfd"], isChanged: true)
            try validation.add("fleet", words + ["--watch", "--for", "0.5"], isByLine: true)
            let result = try validation.result()
            #expect(result.faults == [])
            #expect(result.counts["report"] == 2 && result.counts["fleet"] ?? 0 > 2, "\(result.counts)")
            #expect(result.unnoticed.keys.sorted() == ["another word"], "\(result.unnoticed)")
            let free = result.unnoticed["another word"]?["fleet"] ?? []
            #expect(free.isDisjoint(with: ["schema", "takenAt", "rigs[].services[].verdict"]), "\(free)")
        }
    }
}
