import Foundation
import Testing

/// Files made to take memory and time: each is refused on one line, or read in bounds.
@Suite struct HostileFileTests {
    private static let start = #"{"schema":"rigready.recording/1","#
    private static let header =
        start + """
            "anonymized":false,"boot":"b","circumstances":null,"depth":"sample","drivers":["iio"],"gpsd":"h","grants":null,\
            "iio":[],"kernel":"k","maxAge":10,"minFix":"2D","policy":null,"simulated":true,\
            "takenAt":"2026-11-21T16:17:05.215Z","timeout":8,"uid":0,"user":"root","version":"0.1.0","waitFix":0,
            """
    private static let line = #"{"ask":"entries","at":0,"driver":"iio","list":[],"of":"/x"}"# + "\n"

    private static func repeated(_ text: String, to size: Int) -> String {
        String(repeating: text, count: size / text.utf8.count)
    }

    /// The file, and what it is given to.
    private static func made(_ name: String) -> (text: String, words: [String]) {
        let (rig, packed) = (["--rig"], 7 << 20)
        return switch name {
        case "values": (start + #""x":["# + repeated("1,", to: packed), rig)
        case "depth": (start + #""x":"# + repeated("[", to: packed), rig)
        case "lines": (header + #""host":"h","entries":100000}"# + "\n" + repeated(line, to: 7 << 20), rig)
        case "empty lines": (repeated("\n", to: packed), rig)
        case "one list":
            (
                header + #""host":"h","entries":1}"# + "\n"
                    + line.replacing("[]", with: "[" + repeated(#""","#, to: packed)), rig
            )
        case "many lists":
            (
                header + #""host":"h","entries":100}"# + "\n"
                    + repeated(
                        line.replacing("[]", with: "[" + repeated(#""","#, to: 30 << 10) + #""""# + "]"), to: packed),
                rig
            )
        case "size": (repeated("\n", to: 60 << 20), rig)
        case "name": (header + #""entries":0,"host":""# + repeated("h", to: 7 << 20) + "\"}\n", rig)
        case "report":
            (#"{"schema":"rigready.report/1","sensors":["# + repeated("1,", to: 3 << 20) + "1]}", ["compare"])
        case "manifest": ("- " + repeated("[", to: 900 << 10), ["compare"])
        case "configuration": ("services: [" + repeated("a,", to: 900 << 10), ["--rig", "demo", "--config"])
        default: ("motion: " + repeated("[", to: 900 << 10), ["--rig", "demo", "--permissions"])
        }
    }

    /// The most memory of a run in KiB, and its result.
    private func measured(_ words: [String], in folder: URL) throws -> (memory: Int, run: Tool.Run) {
        let time = try Tool.path("time", package: "time")
        let report = folder.appending(path: "memory").path
        let run = try Tool.run(time, ["-q", "-f", "%M", "-o", report, Program.url.path] + words, limit: 60)
        let text = try String(contentsOfFile: report, encoding: .utf8)
        return (try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines))), run)
    }

    @Test(arguments: [
        "values", "depth", "lines", "empty lines", "one list", "many lists", "size", "name", "report", "manifest",
        "configuration", "grants",
    ])
    func `a hostile file takes at most 64 MiB`(name: String) throws {
        try Tool.withFolder { folder in
            let usual = try measured(["--rig", "demo"], in: folder).memory
            let (text, words) = Self.made(name)
            var files = [folder.appending(path: "plain")]
            try Data(text.utf8).write(to: files[0])
            if words == ["--rig"] {
                #expect(try Tool.run("/bin/sh", ["-c", "gzip -9 < plain > packed"], in: folder).status == 0)
                files.append(folder.appending(path: "packed"))
            }
            for file in files {
                let rest = words == ["compare"] ? ["--rig", "demo"] : []
                let (memory, run) = try measured(words + [file.path] + rest, in: folder)
                #expect(memory - usual <= 64 << 10, "\(memory) KiB, \(usual) usually")
                // A rig without answers is read; everything else is refused.
                #expect(run.status == (name == "name" ? 2 : 66), "\(run.complaints.prefix(300))")
                if run.status == 66 {
                    #expect(run.output.isEmpty && run.complaints.count <= 400)
                    #expect(run.complaints.split(separator: "\n").count == 1)
                }
            }
        }
    }
}
