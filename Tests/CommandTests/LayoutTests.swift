import Foundation
import Testing
@testable import rigready

/// The text report on real terminals of several widths: `script` gives each run a pseudo-terminal.
@Suite struct LayoutTests {
    private func onTerminal(_ width: Int, _ words: String, environment: String = "") throws -> String {
        let line = "stty cols \(width) rows 50; \(environment) \(Program.url.path) \(words)"
        return try Tool.run(
            "/usr/bin/script", ["-qec", line, "/dev/null"], environment: ["TERM": "xterm"]
        ).output
    }

    private func plain(_ text: String) -> String { text.replacing(#/\u{1b}\[[0-9]*m/#, with: "") }

    @Test(arguments: [20, 30, 40, 60, 80, 132])
    func `no line is wider than the terminal`(width: Int) throws {
        for words in ["--rig demo", "sensors --rig demo", "explain impact --rig demo", "services"] {
            let lines = plain(try onTerminal(width, words)).split(whereSeparator: \.isNewline)
            #expect(lines.count > 5)
            for line in lines { #expect(line.count <= width, "\(words): \(line)") }
        }
    }

    @Test func `colour is used only on terminals that support it`() throws {
        #expect(try onTerminal(80, "--rig demo").contains("\u{1b}[32m"))
        #expect(try !onTerminal(80, "--rig demo", environment: "NO_COLOR=1").contains("\u{1b}"))
        #expect(try !onTerminal(80, "--rig demo", environment: "TERM=dumb").contains("\u{1b}"))
    }

    @Test func `a recording's text cannot control a terminal`() throws {
        let recording = try Program.run("record", "/dev/stdout", "--rig", "demo").output
            .replacing("\"host\":\"bench\"", with: #""host":"\u001b]0;x\u0007\u202e\nbench""#)
        try Program.withFile(recording, ending: "jsonl") { file in
            let run = try Program.run("--rig", file)
            #expect(run.status == 0)
            #expect(!run.output.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{7}" || $0 == "\u{202e}" })
            #expect(run.output.split(separator: "\n")[0].contains("bench"))
        }
    }

    @Test func `keys are shown whole where they are meant to be copied`() throws {
        let listing = try Program.run("sensors", "--rig", "demo").output
        #expect(listing.contains("uhid/0003:1209:0001/HID-SENSOR-200076"))
        #expect(listing.contains("locationReceiver"))
    }

    @Test(arguments: [
        ("", []), (" ", []), ("one two", ["one two"]), (" one", ["one"]), ("one ", ["one"]), ("one  two", ["one two"]),
        ("one two three", ["one two", "three"]), ("threefold", ["threefol", "d"]),
    ])
    func `no line has trailing spaces or is too wide`(text: String, lines: [String]) {
        #expect(text.wrapped(to: 8) == lines)
    }
}
