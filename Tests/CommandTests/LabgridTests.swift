import Linux
import Foundation
import Support
import Testing

/// labgrid's own coordinator, exporter and client on rigs that publish to a real broker.
@Suite struct LabgridTests {
    private static let example = Tool.repository.appending(path: "Examples/labgrid")

    /// A program of labgrid, which Scripts/test installs from PyPI; without it the test is cancelled, and not passed.
    private static func path(_ name: String) throws -> String {
        let path = Tool.repository.appending(path: ".build/labgrid/bin/\(name)").path
        if !FileManager.default.isExecutableFile(atPath: path) {
            try Test.cancel("needs \(path): Scripts/test installs labgrid from PyPI")
        }
        return path
    }

    /// A lab: a broker, a coordinator, an exporter of two rigs' resources, a place for each, and the rigs.
    private final class Lab {
        let folder: URL
        let broker: String
        let environment: [String: String]
        let client: String
        private var programs: [RunningProgram] = []
        private(set) var rigs: [String: RunningProgram] = [:]

        init(in folder: URL) throws {
            self.folder = folder
            client = try LabgridTests.path("labgrid-client")
            let parts = [try LabgridTests.path("labgrid-coordinator"), try LabgridTests.path("labgrid-exporter")]
            // labgrid knows no other port than 1883, so the address is one of our own.
            broker = "127.\((1...3).map { _ in "\(Int.random(in: 2...250))" }.joined(separator: ".")):1883"
            let coordinator = "127.0.0.1:\(try RunningGPSD.freePort())"
            environment = [
                "LG_COORDINATOR": coordinator, "LABGRID_CLIENT": client, "HOME": folder.path, "USER": "tester",
                "NO_PROXY": "*",
            ]
            programs.append(try .mosquitto(at: broker, in: folder))
            programs.append(
                try RunningProgram(["-l", coordinator], program: parts[0], named: "coordinator", in: folder))
            let text = try String(contentsOf: LabgridTests.example.appending(path: "exporter.yaml"), encoding: .utf8)
            let resources = text.replacing("host: broker", with: "host: \(broker.prefix { $0 != ":" })")
            #expect(resources != text)
            try Data(resources.utf8).write(to: folder.appending(path: "exporter.yaml"))
            #expect(RunningProgram.wait { (try? client("resources").status) == 0 }, "\(programs[1].text)")
            programs.append(
                try RunningProgram(
                    ["-c", coordinator, "-n", "lab", "exporter.yaml"], program: parts[1], named: "exporter",
                    environment: environment, in: folder))
            #expect(try RunningProgram.wait { try client("resources").output.split(separator: "\n").count == 4 })
            for place in ["bench-07", "bench-08"] {
                #expect(try client("-p", place, "create").status == 0)
                #expect(try client("-p", place, "add-match", "lab/\(place)/*").status == 0)
            }
        }

        @discardableResult
        func client(_ words: String...) throws -> Tool.Run { try Tool.run(client, words, environment: environment) }

        func rig(_ name: String, _ words: String...) throws {
            rigs[name] = try RunningProgram(
                ["watch"] + words + ["--publish", "mqtt://\(broker)", "--name", name], named: name, in: folder)
        }

        /// Starts the pipeline of the example.
        func follow() throws -> RunningProgram {
            let line =
                "\(Program.url.path) fleet --broker mqtt://\(broker) --watch --format json | "
                + LabgridTests.example.appending(path: "fleet-tags").path
            // A group of its own, so that its end reaches both.
            let program = try RunningProgram(
                ["--wait", "/bin/bash", "-c", "echo $$ >group; \(line)"], program: "/usr/bin/setsid", named: "tags",
                environment: environment, in: folder)
            programs.append(program)
            return program
        }

        func tags(of place: String) throws -> [Substring] {
            let line = try client("-p", place, "show").output.split(separator: "\n").first { $0.contains("tags: ") }
            return (line?.split(separator: "tags: ").last ?? "").split(separator: ", ")
        }

        func waitForTags(_ wanted: String..., of place: String) throws -> Bool {
            try RunningProgram.wait { try Set(wanted.map { $0[...] }).isSubset(of: tags(of: place)) }
        }

        /// Whether both resources of bench-07 become available to a test of labgrid's, within some seconds.
        func isAvailable(within seconds: Int) throws -> Bool {
            let environmentFile = folder.appending(path: "env.yaml")
            try Data("targets:\n  main:\n    resources:\n      RemotePlace:\n        name: bench-07\n".utf8)
                .write(to: environmentFile)
            let script = """
                import sys
                from labgrid import Environment
                from labgrid.exceptions import NoResourceFoundError
                target = Environment("env.yaml").get_target()
                names = ("rig", "impactDetection")
                resources = [target.get_resource("MQTTResource", name=name, wait_avail=False) for name in names]
                try:
                    target.await_resources(resources, timeout=float(sys.argv[1]))
                    print("available")
                except NoResourceFoundError as error:
                    print("missing:", error)
                """
            let run = try Tool.run(
                try LabgridTests.path("python3"), ["-c", script, "\(seconds)"], environment: environment, in: folder,
                limit: 120)
            #expect(run.status == 0 && run.output != "", "\(run.complaints)")
            return run.output.hasPrefix("available")
        }

        func end() {
            for rig in rigs.values { rig.end(SIGTERM) }
            for program in programs.reversed() { program.end(SIGTERM) }
        }
    }

    @Test(.waits) func `places are tagged with what their rigs can do now, and a job gets one that can`() throws {
        try Tool.withFolder { folder in
            let lab = try Lab(in: folder)
            defer { lab.end() }
            let grants = folder.appending(path: "grants.yaml")
            try Data("location: always\n".utf8).write(to: grants)
            try lab.rig("bench-07", "--rig", "demo", "--permissions", grants.path)
            try lab.rig("bench-08", "--rig", "field-kit")
            let tagging = try lab.follow()
            #expect(try lab.waitForTags("rig_online=yes", "rig_ready=yes", "rig_impact_detection=runs", of: "bench-07"))
            #expect(
                try lab.waitForTags(
                    "rig_online=yes", "rig_ready=no", "rig_impact_detection=fails", "rig_walking=runs", of: "bench-08"),
                "\(tagging.text)")

            // labgrid's scheduler takes the place by its tags, and its client sees the resources by their topics.
            let reserved = try lab.client("reserve", "--wait", "--shell", "rig_impact_detection=runs")
            #expect(reserved.status == 0, "\(reserved.complaints)")
            let token = try #require(reserved.output.split(separator: "LG_TOKEN=").last).prefix { !$0.isWhitespace }
            let taken = try Tool.run(
                lab.client, ["-p", "+", "acquire"],
                environment: lab.environment.merging(["LG_TOKEN": String(token)]) { $1 })
            #expect(taken.status == 0, "\(taken.complaints)")
            #expect(try lab.client("who").output.contains("bench-07"))
            #expect(try lab.isAvailable(within: 60))

            // Impact detection needs location; the rig itself stays online.
            try Data("location: denied\n".utf8).write(to: grants, options: .atomic)
            #expect(try lab.waitForTags("rig_online=yes", "rig_impact_detection=fails", of: "bench-07"))
            #expect(try !lab.isAvailable(within: 5))
            try Data("location: always\n".utf8).write(to: grants, options: .atomic)
            #expect(try lab.waitForTags("rig_impact_detection=runs", of: "bench-07"))
            #expect(try lab.client("-p", "bench-07", "release").status == 0)

            // The name that the fleet picks is a place.
            let pick = "\(Program.url.path) fleet --broker mqtt://\(lab.broker) --service impact --pick"
            let line = "\(lab.client) -p \"$(\(pick))\" acquire"
            #expect(try Tool.run("/bin/bash", ["-c", line], environment: lab.environment).status == 0)
            #expect(try lab.client("who").output.contains("bench-07"))

            // A rig that loses its power.
            lab.rigs["bench-07"]?.end(SIGKILL)
            #expect(try lab.waitForTags("rig_online=no", "rig_impact_detection=unknown", of: "bench-07"))
            #expect(try !lab.isAvailable(within: 5))

            // What nobody keeps current says nothing.
            let group = try String(contentsOf: folder.appending(path: "group"), encoding: .utf8).filter(\.isNumber)
            kill(-(try #require(Int32(group))), SIGTERM)
            #expect(try lab.waitForTags("rig_online=unknown", "rig_walking=unknown", of: "bench-08"))
            #expect(try lab.tags(of: "bench-08").allSatisfy { $0.hasSuffix("=unknown") })
        }
    }

    private func place(_ document: String, client: String, _ words: String...) throws -> (Tool.Run, [String]) {
        let python = try Tool.path("python3", package: "python3")
        return try Tool.withFolder { folder in
            let script = folder.appending(path: "client")
            try Tool.write("#!/bin/sh\n\(client)\n", asProgram: script)
            let run = try Tool.run(
                python, [Self.example.appending(path: "fleet-tags").path] + words, input: document,
                environment: ["LABGRID_CLIENT": script.path, "CALLS": folder.appending(path: "calls").path])
            let calls = try? String(contentsOf: folder.appending(path: "calls"), encoding: .utf8)
            return (run, (calls ?? "").split(separator: "\n").map(String.init))
        }
    }

    private func document(_ rigs: String) -> String {
        "{\"schema\": \"rigready.fleet/1\", \"takenAt\": \"t\", \"rigs\": [\(rigs)], \"exitStatus\": 0}\n"
    }

    private let rig =
        "{\"name\": \"a\", \"online\": true, \"services\": "
        + "[{\"id\": \"driving.deviceDiscovery\", \"verdict\": \"degraded\"}]}"

    @Test func `only what changed is set, the place can have another name, and at the end nothing is known`() throws {
        let gone = rig.replacing("true", with: "null").replacing("degraded", with: "undetermined")
        let (run, calls) = try place(
            document(rig) + document(rig) + document(gone), client: "echo \"$@\" >>\"$CALLS\"; sleep 0.3", "--place",
            "a=desk")
        #expect(run.status == 1)
        let first = "-p desk set-tags rig_online=yes rig_ready=yes rig_driving_device_discovery=runs"
        let last = "-p desk set-tags rig_online=unknown rig_ready=unknown rig_driving_device_discovery=unknown"
        // Which of the documents that come at one moment are passed over does not matter; the end does.
        #expect([[first, last], [last]].contains(calls), "\(calls)")
        #expect(try place(document(rig), client: "echo \"$@\" >>\"$CALLS\"", "--only").1 == [])
    }

    @Test(arguments: [("False", "yes", "runs"), ("True", "no", "degraded")])
    func `a degraded service runs, unless it is strict`(isStrict: String, ready: String, service: String) throws {
        let script = """
            import importlib.machinery, json, sys
            tags = importlib.machinery.SourceFileLoader("tags", sys.argv[1]).load_module()
            print(tags.rig_tags(json.loads(sys.argv[2]), strict=\(isStrict)))
            """
        let python = try Tool.path("python3", package: "python3")
        let run = try Tool.run(python, ["-B", "-c", script, Self.example.appending(path: "fleet-tags").path, rig])
        let tags = "{'rig_online': 'yes', 'rig_ready': '\(ready)', 'rig_driving_device_discovery': '\(service)'}\n"
        #expect(run.output == tags, "\(run.complaints)")
    }

    @Test func `a place that labgrid does not have is told once`() throws {
        let (run, _) = try place(document(rig) + document(rig), client: "echo 'place a not found' >&2; exit 1")
        #expect(run.status == 1)
        #expect(run.complaints.split(separator: "\n").count { $0.hasPrefix("fleet-tags: a: place a not found") } == 1)
    }

    @Test(arguments: [
        "[]\n", "{}\n", "x\n", "{\"schema\": \"rigready.report/1\"}\n", "{\"schema\": \"rigready.fleet/1\"}\n",
    ])
    func `what is no fleet gives no tag`(input: String) throws {
        let (run, calls) = try place(input, client: "echo \"$@\" >>\"$CALLS\"")
        #expect(run.status == 66 && calls == [])
        #expect(run.complaints.hasPrefix("fleet-tags: not a document of rigready fleet: "))
        #expect(try place("", client: "true", "--plase", "a=b").0.status == 64)
    }
}
