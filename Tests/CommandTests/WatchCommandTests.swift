import Foundation
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

    @Test func `a rig that is ready too briefly is not ready`() throws {
        #expect(
            try Program.run("watch", "--rig", "demo", "--until", "runs", "--stable", "0.2", "--for", "20").status == 0)
        let run = try Program.run("watch", "--rig", "demo", "--until", "runs", "--stable", "20", "--for", "0.3")
        #expect(run.status == 2)
        #expect(run.complaints == "rigready: waited for 20.0 s without a change\n")
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

    /// Starts a watch, waits for its first line, performs an action, and returns status and lines.
    private func watch(
        _ words: [String], _ act: (Process) throws -> Void
    ) throws -> (status: Int32, reason: Process.TerminationReason, lines: [String]) {
        try Tool.withFolder { folder in
            let output = folder.appending(path: "out")
            _ = FileManager.default.createFile(atPath: output.path, contents: nil)
            let program = Process()
            program.executableURL = Program.url
            program.arguments = ["watch", "--rig", "demo"] + words
            program.environment = ["PATH": "/usr/bin:/bin"]
            program.standardOutput = try FileHandle(forWritingTo: output)
            program.standardError = FileHandle.nullDevice
            try program.run()
            func lines() throws -> [String] {
                String(decoding: try Data(contentsOf: output), as: UTF8.self).split(separator: "\n").map(String.init)
            }
            let deadline = Date(timeIntervalSinceNow: 30)
            while try lines().isEmpty, Date() < deadline { usleep(5000) }
            try act(program)
            while program.isRunning, Date() < deadline { usleep(2000) }
            if program.isRunning { kill(program.processIdentifier, SIGKILL) }
            program.waitUntilExit()
            return (program.terminationStatus, program.terminationReason, try lines())
        }
    }

    @Test(
        arguments: [(SIGINT, [], 0), (SIGTERM, ["--until", "runs", "--stable", "60"], 128 + SIGTERM)]
            as [(Int32, [String], Int32)])
    func `a signal ends it`(signal: Int32, words: [String], status: Int32) throws {
        let end = try watch(words) { kill($0.processIdentifier, signal) }
        #expect(end.reason == .exit)
        #expect(end.status == status)
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
                kill(program.processIdentifier, SIGTERM)
            }
            #expect(end.status == 0)
            #expect(end.lines.count == 3)
            #expect(end.lines.dropFirst().first?.contains("motion access: met → denied") == true)
            #expect(end.lines.last?.contains("motion access: denied → met") == true)
        }
    }
}
