import Foundation
import Support
import Testing

/// The watch as a program: its exit condition, its output, its signals.
///
/// What it sees of hardware is tested on the bench.
@Suite struct WatchCommandTests {
    @Test func `a ready rig ends the wait at once`() throws {
        let run = try Program.run("watch", "--rig", "demo", "--until", "runs")
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 1)
        #expect(run.output.hasSuffix("all 13 services run\n"))
        #expect(run.complaints == "")
    }

    @Test func `a rig that is ready for long enough opens the gate`() throws {
        #expect(
            try Program.run("watch", "--rig", "demo", "--until", "runs", "--stable", "0.2", "--for", "20").status == 0)
    }

    @Test(arguments: [("2", "1", 64), ("1", "1", 64), ("0.2", "20", 0)])
    func `a wait that cannot be long enough is refused`(stable: String, seconds: String, status: Int32) throws {
        let run = try Program.run("watch", "--rig", "demo", "--until", "runs", "--stable", stable, "--for", seconds)
        #expect(run.status == status)
        #expect((status == 64) == run.complaints.contains("--for must be longer than --stable"))
    }

    @Test func `an unmet wait reports what it waited for`() throws {
        let run = try Program.run(
            "watch", "--rig", "field-kit", "--until", "runs", "--for", "0.3", "--service", "dfd", "--service", "walking"
        )
        #expect(run.status == 1)
        #expect(run.complaints.split(separator: "\n").count == 1)
        #expect(run.complaints.contains("waited for driving.distractionFreeDriving"))
        #expect(run.complaints.contains("gyroscope"))
    }

    @Test(arguments: [("field-kit", "dfd", Int32(1)), ("demo", "dfd", 0)])
    func `a gate writes its last report`(rig: String, service: String, status: Int32) throws {
        try Tool.withFolder { folder in
            let files = ["json", "junit"].map { folder.appending(path: $0).path }
            let request = ["--rig", rig, "--service", service]
            let run = try Program.run(
                ["watch", "--until", "runs", "--for", "0.3"] + request
                    + ["--output", "json=\(files[0])", "--output", "junit=\(files[1])"])
            #expect(run.status == status)
            let check = try Program.run(request + ["--format", "junit"])
            // The time that each test took is that of its own probe.
            func cases(_ text: String) -> String { text.replacing(/time="[0-9.]+"/, with: "") }
            #expect(cases(try String(contentsOfFile: files[1], encoding: .utf8)) == cases(check.output))
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: files[0]))) as? [String: Any])
            #expect(report["exitStatus"] as? Int32 == status)
        }
    }

    @Test func `a gate that cannot write its report fails`() throws {
        let words = ["watch", "--rig", "demo", "--until", "runs", "--output", "json=/proc/none/report.json"]
        let run = try Program.run(words)
        #expect(run.status == 73 && run.complaints.contains("/proc/none/report.json"), "\(run.complaints)")
    }

    @Test func `a watch records nothing`() throws {
        let run = try Program.run("watch", "--rig", "demo", "--output", "record=/proc/none/rig.jsonl")
        #expect(run.status == 64 && run.complaints.contains("use rigready record FILE"))
    }

    @Test func `a strict wait names the services that are degraded`() throws {
        let words = ["watch", "--rig", "field-kit", "--until", "runs", "--for", "0.3", "--service", "assistanceCall"]
        let run = try Program.run(words + ["--strict"])
        #expect(run.status == 1 && run.complaints.contains("waited for assistanceCall (no fix"), "\(run.complaints)")
        #expect(try Program.run(words).status == 0)
    }

    @Test func `without a condition the time limit ends it with success`() throws {
        let run = try Program.run("watch", "--rig", "field-kit", "--for", "0.2")
        #expect(run.status == 0)
        #expect(run.complaints == "")
    }

    @Test func `as JSON it prints one report per line`() throws {
        let run = try Program.run("watch", "--rig", "demo", "--for", "0.2", "--format", "json")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 1)
        let report = try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
        #expect(report?["schema"] as? String == "rigready.report/1")
        #expect(report?["resample"] is NSNull)
        let notices = report?["notices"] as? [[String: Any]]
        #expect(notices?.contains { $0["id"] as? String == "resampleOff" } == true)
        let again = try Program.run("watch", "--rig", "demo", "--for", "0.2", "--format", "json", "--resample", "5")
        let other = try again.document()
        #expect(other["resample"] as? Double == 5)
        #expect((other["notices"] as? [[String: Any]])?.contains { $0["id"] as? String == "resampleOff" } == false)
    }

    @Test(arguments: [
        ["--until", "fails"], ["--stable", "3"], ["--for", "0"], ["--resample", "0"], ["--format", "tap"],
        ["--for", "x"],
    ])
    func `invalid arguments exit with 64`(words: [String]) throws {
        let run = try Program.run(["watch", "--rig", "demo"] + words)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.complaints != "")
    }

    /// Starts a watch, waits for its first lines, does something, and gives status and lines.
    private func watch(
        _ words: [String], of rig: [String] = ["--rig", "demo"], lines count: Int = 1,
        _ act: (ChildProcess) throws -> Void
    ) throws -> (end: ChildProcess.End?, lines: [String]) {
        try Tool.withFolder { folder in
            let output = folder.appending(path: "out")
            let program = try ChildProcess(
                [Program.url.path, "watch"] + rig + words, environment: Tool.environment, output: .file(output.path))
            func lines() throws -> [String] {
                String(decoding: try Data(contentsOf: output), as: UTF8.self).split(separator: "\n").map(String.init)
            }
            let deadline = Date(timeIntervalSinceNow: 30)
            while try lines().count < count, Date() < deadline { usleep(5000) }
            try act(program)
            program.wait(deadline.timeIntervalSinceNow)
            program.kill()
            return (program.end, try lines())
        }
    }

    @Test(
        arguments: [(SIGINT, [], 0), (SIGTERM, ["--until", "runs", "--stable", "60"], 128 + SIGTERM)]
            as [(Int32, [String], Int32)])
    func `a signal ends it`(signal: Int32, words: [String], status: Int32) throws {
        let end = try watch(words) { $0.send(signal) }
        #expect(end.end == .exit(status))
    }

    @Test func `an edited grant file is a change`() throws {
        try Tool.withFolder { folder in
            let grants = folder.appending(path: "later/grants.yaml")
            let end = try watch(["--permissions", grants.path, "--for", "25"]) { program in
                try FileManager.default.createDirectory(
                    at: grants.deletingLastPathComponent(), withIntermediateDirectories: true)
                for text in ["motion: denied\n", "motion: denied # the same\n", "motion: {\n", "motion: allowed\n"] {
                    try Data(text.utf8).write(to: grants, options: .atomic)
                    usleep(400_000)
                }
                program.send(SIGTERM)
            }
            #expect(end.end == .exit(0))
            #expect(end.lines.count == 3)
            #expect(end.lines.dropFirst().first?.contains("motion access: met → denied") == true)
            #expect(end.lines.last?.contains("motion access: denied → met") == true)
        }
    }

    @Test(.waits) func `a rig that was ready for too short a time does not open the gate later`() throws {
        try Tool.withFolder { folder in
            let grants = folder.appending(path: "grants.yaml")
            let words = ["--permissions", grants.path, "--until", "runs", "--stable", "8", "--for", "11"]
            let end = try watch(words) { _ in
                try Data("motion: denied\n".utf8).write(to: grants, options: .atomic)
            }
            #expect(end.end == .exit(1))
            #expect(end.lines.last?.contains("motion access: met → denied") == true)
        }
    }

    @Test(.waits) func `a rig that becomes ready too late does not open the gate`() throws {
        try Tool.withFolder { folder in
            let grants = folder.appending(path: "grants.yaml")
            try Data("motion: denied\n".utf8).write(to: grants)
            let words = ["--permissions", grants.path, "--until", "runs", "--stable", "8", "--for", "10"]
            let end = try watch(words) { _ in
                usleep(4_000_000)
                try Data("motion: allowed\n".utf8).write(to: grants, options: .atomic)
            }
            #expect(end.end == .exit(2))
            #expect(end.lines.last?.contains("motion access: denied → met") == true, "\(end.lines)")
        }
    }

    /// A gpsd whose receiver moves with each of thirty reports, has a 2D fix from then on, and moves still.
    private static let gpsd = """
        import json, socketserver, time
        class Peer(socketserver.StreamRequestHandler):
            def say(self, kind, **message):
                self.wfile.write(json.dumps({"class": kind, **message}).encode() + b"\\r\\n")
            def handle(self):
                device = {"class": "DEVICE", "path": "/dev/gps0", "driver": "u-blox", "activated": "2026-01-01T00:00:00Z"}
                self.say("VERSION", release="3.22", rev="3.22", proto_major=3, proto_minor=14)
                for line in self.rfile:
                    if not line.startswith(b"?DEVICES") and b'"enable":true' not in line: continue
                    self.say("DEVICES", devices=[device])
                    while line.startswith(b"?WATCH"):
                        Peer.count += 1
                        now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
                        self.say("TPV", device="/dev/gps0", mode=3 if Peer.count < 30 else 2, time=now,
                                 lat=52 + Peer.count / 10000, lon=13, eph=5)
                        time.sleep(0.05)
            count = 0
        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True
        with Server(("127.0.0.1", 0), Peer) as server:
            print(server.server_address[1], flush=True)
            server.serve_forever()
        """

    @Test func `nothing is printed while only readings change`() throws {
        try Tool.withPeer(Self.gpsd) { port in
            let end = try watch(
                ["--service", "places", "--resample", "0.1", "--for", "60"], of: ["--gpsd", "127.0.0.1:\(port)"],
                lines: 2
            ) { program in
                usleep(500_000)
                program.send(SIGTERM)
            }
            #expect(
                end.lines.map { $0.drop { $0 != " " }.dropFirst() } == ["places runs", "receiver /dev/gps0: 3D → 2D"])
        }
    }

    @Test(.waits) func `on a screen a gate counts down`() throws {
        let script = try Tool.path("script", package: "bsdutils")
        // Long enough for a screen between its start and its end on an overloaded machine.
        for (words, expected) in [
            ("--rig field-kit --until runs --for 4", /gives up in [1-4] s/),
            ("--rig demo --until runs --stable 4", /succeeds in [1-4] s/),
        ] {
            let run = try Tool.run(script, ["-qec", "\(Program.url.path) watch \(words)", "/dev/null"])
            #expect(run.output.contains(expected), "\(words)")
        }
    }

    @Test func `the screen is given back, with the report`() throws {
        let script = try Tool.path("script", package: "bsdutils")
        let run = try Tool.run(script, ["-qec", "\(Program.url.path) watch --rig demo --for 0.1", "/dev/null"])
        let parts = run.output.components(separatedBy: "\u{1b}[?25h\u{1b}[?1049l")
        try #require(parts.count == 2)
        #expect(parts[0].hasPrefix("\u{1b}[?1049h\u{1b}[?25l") && parts[0].contains("recorded, and read once"))
        #expect(parts[1].contains("all 13 services run") && parts[1].contains("distraction-free driving"))
    }
}
