import Foundation
import LocalRig
import Readiness
import Rendering
import Testing
@testable import rigready

/// Text in ASCII: where the locale's characters are not UTF-8, and with `--ascii`.
@Suite struct AsciiTests {
    /// Calls, each with a symbol that it prints in UTF-8, if it prints any.
    private static let calls: [(words: [String], symbol: String?)] = [
        (["--rig", "demo"], "✓"), (["--rig", "field-kit"], "✗"), (["--rig", "prototype-board"], "→"),
        (["--rig", "field-kit", "--color", "always"], "✗"), (["explain", "dfd", "--rig", "prototype-board"], "✗"),
        (["sensors", "--rig", "demo"], "²"), (["services"], nil), (["permissions", "--rig", "prototype-board"], "→"),
        (["compare", "demo.jsonl", "--rig", "field-kit"], "→"), (["measure", "--rig", "demo"], "√"),
        (["watch", "--rig", "demo", "--for", "0.1"], nil),
        (["watch", "--rig", "field-kit", "--until", "runs", "--for", "0.1"], nil),
        (["fix", "--dry-run", "--rig", "prototype-board"], nil),
        (["history", "--file", "history.json", "--requirement", "gyroscope"], "→"), (["audit", "Info.plist"], "✗"),
        (["schema"], nil), (["record", "copy.jsonl", "--rig", "demo"], nil),
        (["fleet", "--broker", "mqtt://127.0.0.1:1"], nil),
        (
            ["consent", "--rig", "demo", "--service", "driving", "--permissions", "g.yaml", "--state", "s.yaml"], nil
        ),
        (
            ["permissions", "request", "motion", "--rig", "demo", "--config", "app.yaml", "--permissions", "g.yaml"],
            "→"
        ),
        (["check", "--help"], nil), (["consent", "--help"], "…"), (["record", "--help"], "°"),
        (["--rig", "demo", "sensors"], "…"), (["--service", "drivng"], nil), (["--rig", "no-such-rig-µ"], "µ"),
    ]

    private static let history = """
        {"schema": "rigready.history/1", "version": "0.2.0", "host": "bench", "begunAt": "2026-11-02T08:00:00.000Z",
         "watchedUntil": "2026-11-21T16:30:00.000Z", "since": null, "requirements": [
          {"id": "gyroscope", "standing": "unmet", "cause": "silent", "rootCause": null,
           "lastMet": "2026-11-20T09:41:07.310Z", "changes": 1, "isTruncated": false, "events": [
            {"at": "2026-11-20T09:41:07.310Z", "before": "met", "after": "silent"}]}]}
        """
    private static let information = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>NSMotionUsageDescription</key><string>To tell walking from driving.</string>
        </dict></plist>
        """

    /// Writes the files that the calls read into a folder, and passes the folder.
    private func withFiles(_ body: (URL) throws -> Void) throws {
        try Tool.withFolder { folder in
            for (name, text) in [
                ("history.json", Self.history), ("Info.plist", Self.information), ("g.yaml", "motion: denied\n"),
                ("app.yaml", "purposes:\n  motion: To tell walking from driving.\n"),
                ("demo.jsonl", try Program.run("record", "-", "--rig", "demo").output),
            ] {
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
            try body(folder)
        }
    }

    private func lines(_ run: Tool.Run) -> [String] {
        (run.output + run.complaints).components(separatedBy: "\n").map(ConsoleSample.timeless)
    }

    @Test(arguments: Self.calls)
    func `a locale without UTF-8 and the option --ascii leave only ASCII in text`(words: [String], symbol: String?)
        throws
    {
        try withFiles { folder in
            func run(_ words: [String], _ environment: [String: String] = [:]) throws -> Tool.Run {
                try Tool.run(Program.url.path, words, environment: environment, in: folder)
            }
            let usual = try run(words)
            if let symbol { #expect((usual.output + usual.complaints).contains(symbol), "\(usual)") }
            let plain = try run(words, ["LC_ALL": "C"])
            #expect(plain.status == usual.status, "\(plain)")
            #expect((plain.output + plain.complaints).utf8.allSatisfy { $0 < 0x80 }, "\(plain)")
            #expect(plain.output.isEmpty == usual.output.isEmpty)
            let asked = try run(words + ["--ascii"])
            #expect(lines(asked) == lines(plain) && asked.status == usual.status, "\(asked)")
        }
    }

    @Test(
        arguments: [
            ([:], false), (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8"], true), (["LANG": "C"], false),
            (["LANG": "de_DE.ISO-8859-1"], false), (["LC_CTYPE": "sr_RS.UTF-8@latin", "LANG": "C"], true),
            (["LC_CTYPE": "C", "LANG": "C.UTF-8"], false), (["LC_ALL": "POSIX", "LC_CTYPE": "C.UTF-8"], false),
            (["LC_ALL": "C.UTF-8", "LC_CTYPE": "C", "LANG": "C"], true), (["LC_MESSAGES": "C.UTF-8"], false),
        ] as [([String: String], Bool)])
    func `the variables count in the order of setlocale, and none is C`(variables: [String: String], isUTF8: Bool) {
        #expect(Terminal.hasUTF8 { variables[$0] } == isUTF8)
    }

    @Test(arguments: [
        (["LC_ALL": ""], true), (["LC_ALL": "", "LC_CTYPE": "", "LANG": ""], false), (["LANG": "C"], false),
        (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true),
    ])
    func `an empty variable is as one that is not set`(variables: [String: String], isUTF8: Bool) throws {
        let run = try Program.run(["--rig", "demo"], environment: variables)
        #expect(run.output.contains("  ✓ driving") == isUTF8 && run.output.contains("  + driving") != isUTF8)
    }

    @Test func `documents and files keep their characters, and other names lose theirs only in text`() throws {
        let recording = try Program.run("record", "-", "--rig", "field-kit").output
            .replacing("\"host\":\"bench\"", with: "\"host\":\"bänk\"")
        try Program.withFile(recording, ending: "jsonl") { file in
            func run(_ words: String...) throws -> Tool.Run {
                try Program.run(["--rig", file] + words, environment: ["LC_ALL": "C"])
            }
            #expect(try run().output.hasPrefix("b?nk - Linux"))
            for format in ["json", "junit", "html"] {
                #expect(try run("--format", format, "--ascii").output.contains("bänk"), "\(format)")
            }
            #expect(try run("--format", "html").output.contains("✗"))
            try Tool.withFolder { folder in
                let path = folder.appending(path: "rig.txt").path
                _ = try run("--output", "text=\(path)", "--quiet")
                let text = try String(contentsOfFile: path, encoding: .utf8)
                #expect(text.hasPrefix("bänk · Linux") && text.contains("✗"))
            }
        }
    }

    @Test(arguments: [("grants.yaml", true, false), ("bänk.yaml", true, true), ("bänk.yaml", false, false)])
    func `a command that cannot be copied is marked`(name: String, isASCII: Bool, isMarked: Bool) throws {
        try Tool.withFolder { folder in
            try "motion: denied\n".write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            let words = ["--rig", "demo", "--permissions", name] + (isASCII ? ["--ascii"] : [])
            let run = try Tool.run(Program.url.path, words, in: folder)
            #expect(run.output.contains("rigready permissions grant motion"), "\(run.output)")
            #expect(run.output.contains("do not copy this") == isMarked, "\(run.output)")
        }
    }

    // MARK: Layout

    @Test func `columns stay aligned where a symbol becomes several characters`() throws {
        let names = ["µ²-gauge…", "chip"]
        var page = Page(Terminal(colour: false, width: 100, isASCII: true))
        page.sensors(
            names.map { Sensor(key: "key", kind: .accelerometer, name: $0, driver: "iio", access: .readable) },
            isFull: true)
        let lines = page.text.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].contains("  u^2-gauge...  key  "), "\(page.text)")
        let columns = lines.map { line in line.firstRange(of: "  key  ").map { line[..<$0.lowerBound].count } }
        #expect(columns[0] != nil && Set(columns).count == 1, "\(page.text)")
    }

    @Test(arguments: [(20, 6), (50, 20), (80, 24), (132, 50), (300, 100)])
    func `the board is in ASCII, and none of its lines is wider than the screen`(width: Int, height: Int) throws {
        for rig in ["demo", "field-kit", "prototype-board"] {
            var board = BoardLayout(
                assessment: try LocalRig(recording: rig).assess(), events: ["12:00:00.000 location: met → denied"],
                terminal: Terminal(colour: false, width: width, height: height, isASCII: true))
            let sensor = try #require(board.assessment.sensors.first { $0.kind == .accelerometer })
            board.signals[sensor.signalName] = [[0, 1, 2, 3], [3, 2, 1, 0], [5, 5, 5, 5]]
            for line in board.lines {
                #expect(line.utf8.allSatisfy { $0 < 0x80 } && line.count <= width, "\(line)")
            }
            #expect(board.lines[0].hasPrefix(rig == "demo" ? "+ all 13" : "x 1"))
        }
    }

    @Test(arguments: [
        ("threefold", 9, "threefold"), ("threefold", 8, "thre... "), ("threefold", 3, "..."), ("ab", 1, "."),
    ])
    func `a text that is cut ends in dots that fit`(text: String, width: Int, expected: String) {
        #expect(text.padded(to: width, ellipsis: "...") == expected)
    }

    /// Colour repeats what a sign says.
    @Test func `results that differ in colour differ in their sign, also in ASCII`() {
        let signs = [Tone.good, .doubtful, .bad].map { Mark($0).sign } + [Mark(Verdict.degraded).sign]
        for signs in [signs, signs.map(\.inASCII)] {
            #expect(Set(signs).count == 4 && signs.allSatisfy { $0.count == 1 }, "\(signs)")
        }
    }
}
