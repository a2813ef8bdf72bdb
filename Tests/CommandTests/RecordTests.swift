import Foundation
import Support
import Testing

/// The file that `record` writes, and the report that it prints of the same probe.
@Suite struct RecordTests {
    /// Records into a file for the duration of the body, which receives its path and the printed report.
    private func record(_ options: String..., body: (String, String) throws -> Void) throws {
        try Program.withFile("", ending: "jsonl.gz") { file in
            let run = try Program.run(["record", file, "--format", "json"] + options)
            #expect(run.status == 0)
            #expect(run.complaints.hasPrefix("rigready: wrote \(file): "))
            try body(file, run.output)
        }
    }

    @Test(arguments: [["--depth", "presence"], ["--depth", "state"], ["--timeout", "1", "--max-age", "3"]])
    func `this machine is replayed to the report of its probe`(options: [String]) throws {
        try Program.withFile("", ending: "jsonl") { file in
            let run = try Program.run(["record", file, "--format", "json"] + options)
            #expect(run.status == 0)
            let document = try run.document()
            #expect((document["rig"] as? [String: Any])?["source"] as? String == "live")
            // The options of the queries come from the file.
            let replay = try Program.run("--rig", file, "--format", "json")
            #expect(replay.output.difference(from: run.output) == nil)
        }
    }

    @Test func `an anonymous copy prints what its replay gives`() throws {
        try record("--rig", "prototype-board", "--anonymize") { file, report in
            #expect(!report.contains("developer"))
            let replay = try Program.run("--rig", file, "--format", "json")
            #expect(replay.output.difference(from: report) == nil)
        }
    }

    @Test func `a copy replays as its original`() throws {
        try record("--rig", "prototype-board") { file, report in
            let original = try Program.run("--rig", "prototype-board", "--format", "json").output
            #expect(report.difference(from: original) == nil)
            let replay = try Program.run("--rig", file, "--format", "json")
            #expect(replay.output.difference(from: original) == nil)
        }
    }

    @Test func `without a format nothing is printed`() throws {
        try Program.withFile("", ending: "jsonl") { file in
            let run = try Program.run("record", file, "--rig", "demo")
            #expect(run.status == 0)
            #expect(run.output == "")
        }
    }

    @Test func `a file states a longer time only where sensors had one`() throws {
        for (options, isStated) in [(["--timeout", "1"], false), ([], true)] {
            try Program.withFile("", ending: "jsonl") { file in
                #expect(try Program.run(["record", file] + options).status == 0)
                let header = try String(contentsOfFile: file, encoding: .utf8).prefix { $0 != "\n" }
                #expect(header.contains(#""longest":"#) == isStated, "\(header)")
            }
        }
    }
}
