import Foundation
import LocalRig
import Rendering
import Testing
@testable import Fleet
@testable import rigready

/// The headings of the tables for people.
@Suite struct HeadingTests {
    /// Checks that a text has these headings in one line, and that no cell of the rows below them crosses the left end of
    /// a column; what is below a row is indented more.
    private func check(_ text: String, _ headings: [String], rows: Int) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let place = try #require(
            lines.firstIndex { $0.split(separator: #/ {2,}/#).map(String.init) == headings }, "\(text)")
        let ends = try headings.map { heading in
            let range = try #require(lines[place].firstRange(of: heading))
            return lines[place][..<range.lowerBound].count
        }
        let table = lines[(place + 1)...].prefix { !$0.isEmpty }.filter { !$0.hasPrefix("      ") }
        #expect(table.count >= rows, "\(text)")
        for line in table {
            for end in ends where line.count > end {
                #expect(Array(line)[end - 1] == " ", "column \(end): \(line)")
            }
        }
    }

    @Test(
        arguments: [
            // Its states are below the keys.
            (["sensors", "--rig", "demo"], ["kind", "name", "key"], 6),
            (["--rig", "field-kit"], ["kind", "name", "key", "state"], 3),
            (["services"], ["service", "short name", "requirements"], 13),
            (["permissions", "--rig", "demo"], ["permission", "status", "decided by", "evidence"], 4),
        ] as [([String], [String], Int)])
    func `each column has a heading above it`(words: [String], headings: [String], rows: Int) throws {
        let run = try Program.run(words)
        try check(run.output, headings, rows: rows)
        // Only for people.
        #expect(try !Program.run(words + ["--format", "json"]).output.contains(headings.joined(separator: "  ")))
    }

    @Test func `the history has headings`() throws {
        var history = RequirementHistory(host: "bench", now: "2026-11-20T00:00:00.000Z")
        history.take(try LocalRig(recording: "demo").assess(), at: "2026-11-20T00:01:00.000Z", isFirst: true)
        try Program.withFile(try Output.document(history), ending: "json") { file in
            for words in [[], ["--requirement", "gyroscope"]] {
                let run = try Program.run(["history", "--file", file] + words)
                try check(run.output, ["requirement", "state and changes"], rows: words.isEmpty ? 9 : 1)
            }
        }
    }

    @Test func `the fleet has headings`() throws {
        let report = Report(try LocalRig(recording: "field-kit").assess())
        var rigs = FleetRigs()
        for (topic, payload) in [("report", Array(try JSONEncoder().encode(report))), ("state", Array("online".utf8))] {
            rigs.take(MQTTMessage(topic: "rigready/bench-1/\(topic)", payload: payload, isRetained: true))
        }
        let overview = FleetOverview(rigs.standings(asked: nil), broker: BrokerURL("mqtt://lab"), services: nil)
        try check(overview.text(on: .file), ["rig", "state", "last seen", "reason"], rows: 1)
    }

    @Test func `a table without rows has no headings`() {
        var page = Page(.file)
        page.sensors([], isFull: true)
        #expect(page.text == "  No sensor, controller or receiver was found.\n")
        let fleet = FleetOverview([], broker: BrokerURL("mqtt://lab"), services: nil).text(on: .file)
        #expect(!fleet.contains("last seen"))
    }

    @Test func `headings are faint`() throws {
        #expect(try Program.run("sensors", "--rig", "demo", "--color", "always").output.contains("\u{1b}[2mkind  "))
    }

    @Test(arguments: [
        ("motion: not-determined\nbluetooth: denied\n", "not decided", "denied"),
        ("location: {status: when-in-use, accuracy: reduced}\n", "allowed while in use, reduced", "allowed always"),
    ])
    func `permissions are in the words of a report, and in JSON in those of the frameworks`(
        grants: String, first: String, second: String
    ) throws {
        try Program.withFile(grants) { file in
            let words = ["permissions", "--rig", "demo", "--permissions", file]
            let text = try Program.run(words).output
            #expect(text.contains("  \(first)  ") && text.contains("  \(second)  "), "\(text)")
            for name in ["notDetermined", "authorized", "allowedAlways"] { #expect(!text.contains(name)) }
            let json = try Program.run(words + ["--format", "json"]).output
            #expect(json.contains("\"authorized"), "\(json)")
        }
    }
}
