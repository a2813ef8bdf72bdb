import Foundation
import Support
import Testing

/// Decisions are kept in recordings, and private data is kept out of reports and anonymous copies.
@Suite struct DiscretionTests {
    @Test func `a recording keeps the decisions and their remedies`() throws {
        try Tool.withFolder { folder in
            let home = folder.appending(path: "home/alice")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let grants = home.appending(path: "grants.yaml").path
            try Data("location: {status: when-in-use, accuracy: reduced}\nmotion: not-determined\n".utf8)
                .write(to: URL(filePath: grants))
            let file = folder.appending(path: "rig.jsonl").path
            let live = try Program.run("record", file, "--format", "json", "--permissions", grants)
            let replayed = try Program.run("--rig", file, "--format", "json")
            #expect(replayed.output.difference(from: live.output) == nil)
            #expect(replayed.output.contains("rigready permissions grant motion --permissions"))

            let copy = folder.appending(path: "copy.jsonl").path
            #expect(try Program.run("record", copy, "--rig", file, "--anonymize").status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("alice"))
            #expect(try !String(contentsOfFile: copy, encoding: .utf8).contains("alice"))
            #expect(try Program.run("--rig", copy, "--format", "json").output.contains("not decided yet"))
        }
    }

    @Test func `steps are not shown while health is denied`() throws {
        func reading(_ text: String) throws -> Any? {
            try Program.withFile(text) { file in
                let run = try Program.run("sensors", "--rig", "demo", "--permissions", file, "--format", "json")
                let sensors = try run.document()["sensors"] as? [[String: Any]]
                return sensors?.first { $0["kind"] as? String == "stepCounter" }?["reading"]
            }
        }
        #expect(try reading("health: denied\n") is NSNull)
        #expect(try reading("health: not-determined\n") is NSNull)
        #expect((try reading("health: allowed\n") as? [String: Any])?["steps"] as? Int == 1234)
    }

    @Test(.waits) func `a pipe of grants is waited for and never skipped`() throws {
        let program = Program.url.path
        let run = try Tool.run(
            "/bin/sh",
            [
                "-c",
                """
                mkfifo pipe mute; (sleep 0.3; echo 'location: denied' > pipe) &
                \(program) permissions --rig demo --permissions pipe; \(program) permissions --rig demo --permissions mute
                """,
            ])
        #expect(run.output.contains("location    denied"))
        #expect(run.status == 66)
        #expect(run.complaints.contains("mute: "))
    }

    @Test func `a closed output is a failure`() throws {
        for _ in 0..<5 {
            let run = try Tool.run(
                "/bin/sh", ["-c", "\(Program.url.path) --rig demo --format json >&- <&- 2>&-"])
            #expect(run.status == 73)
        }
    }
}
