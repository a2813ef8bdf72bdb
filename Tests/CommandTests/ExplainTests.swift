import Foundation
import LocalRig
import Readiness
import Rendering
import Testing
@testable import rigready

/// `rigready explain`: everything that does not run, some services, or one finding.
@Suite struct ExplainTests {
    private static let rigs = ["demo", "field-kit", "prototype-board"]

    /// The titles of the services explained, in their order.
    private func explained(_ text: String, of verdicts: [(title: String, verdict: String)]) -> [String] {
        text.split(separator: "\n").compactMap { line in
            verdicts.first { line.dropFirst(4).hasPrefix("\($0.title) \($0.verdict)") && !line.hasPrefix("    ") }?
                .title
        }
    }

    private func services(_ words: [String]) throws -> [(title: String, verdict: String)] {
        let services = try #require(
            try Program.run(words + ["--format", "json"]).document()["services"] as? [[String: Any]])
        return try services.map { service in
            let id = try #require(service["id"] as? String)
            return (try #require(Service(id: id)).title, try #require(service["verdict"] as? String))
        }
    }

    @Test func `a word that is a service and a requirement is explained as the service, with a remark`() throws {
        let run = try Program.run("explain", "location", "--rig", "field-kit")
        #expect(
            run.complaints
                == "rigready: explains the service walking location; for the sensors: rigready explain locationReceiver\n"
        )
        #expect(run.output.contains("walking location fails"))
        #expect(try Program.run("explain", "impact", "--rig", "field-kit").complaints == "")
        #expect(try Program.run("explain", "location", "--rig", "field-kit", "--quiet").complaints == "")
    }

    @Test(arguments: rigs) func `without a name everything that does not run is explained`(rig: String) throws {
        let all = try services(["check", "--rig", rig])
        let run = try Program.run("explain", "--rig", rig)
        let failing = all.filter { !["runs", "degraded"].contains($0.verdict) }.map(\.title)
        #expect(explained(run.output, of: all) == failing)
        #expect(run.status == (failing.isEmpty ? 0 : 1))
        if failing.isEmpty { #expect(run.output == "all 13 services run\n") }
        // The causes and what fixes them, as the report has them.
        let report = try Program.run("--rig", rig).output.split(separator: "\n")
        let shown = Set(run.output.split(separator: "\n"))
        #expect(
            report.filter { $0.contains(" of ") && $0.contains(" · ") && $0.hasPrefix("  ") }.allSatisfy {
                shown.contains($0)
            }
        )
    }

    @Test(arguments: rigs) func `the other formats are those of a check`(rig: String) throws {
        for format in ["json", "tap"] {
            let check = try Program.run("check", "--rig", rig, "--format", format)
            for words in [["explain"], ["explain", "motion.denied"]] {
                let run = try Program.run(words + ["--rig", rig, "--format", format])
                #expect(run.status == check.status)
                #expect(run.output.timelessCases == check.output.timelessCases, "\(words) \(format)")
            }
        }
    }

    @Test func `the services of a configuration are those that are asked for`() throws {
        try Program.withFile("services: [walking, health]\n") { file in
            let run = try Program.run("explain", "--rig", "field-kit", "--config", file)
            #expect(run.output.contains("✗ health fails") && !run.output.contains("walking"), "\(run.output)")
            #expect(run.status == 1)
        }
        try Program.withFile("services: [walking]\n") { file in
            let run = try Program.run("explain", "--rig", "field-kit", "--config", file)
            #expect(run.output == "walking runs\n" && run.status == 0)
        }
    }

    @Test func `what is degraded is explained only for a strict check`() throws {
        try Program.withFile("services: [assistanceCall]\n") { file in
            let words = ["explain", "--rig", "field-kit", "--config", file]
            let lenient = try Program.run(words), strict = try Program.run(words + ["--strict"])
            #expect(lenient.output == "assistance call runs, degraded\n" && lenient.status == 0)
            #expect(strict.output.contains("! assistance call degraded: no fix") && strict.status == 1)
        }
    }

    @Test func `an accepted finding is not explained`() throws {
        try Program.withFile("services: [places]\naccept: [{id: location, reason: in a lab, until: 2999-12-31}]\n") {
            file in
            let run = try Program.run("explain", "--rig", "field-kit", "--config", file)
            #expect(run.output == "places is accepted as it is\n" && run.status == 0)
        }
    }

    @Test func `several services are explained, and each evidence is shown once`() throws {
        let run = try Program.run("explain", "poi", "places", "--rig", "field-kit")
        let lines = run.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("  ✗ places fails") })
        #expect(lines.contains { $0.hasPrefix("  ✗ points of interest fails") })
        #expect(lines.filter { $0.contains("finding location.noFix") }.count == 1)
        #expect(lines.contains { $0.hasPrefix("    location ") && $0.hasSuffix("no fix; see places") }, "\(run.output)")
        #expect(run.status == 1)
    }

    @Test(arguments: [
        (
            "motion.denied", "prototype-board",
            ["motion access", "finding motion.denied", "· motion access denied ·", "→ "]
        ),
        ("denied", "prototype-board", ["finding motion.denied"]),
        ("motion.denied", "demo", ["This finding is not in the report of this rig."]),
        ("receiver.noFix", "field-kit", ["finding location.noFix", "1 of 4 · NMEA0183: no fix"]),
        ("controller.soft-blocked", "field-kit", ["bluetoothAdapter.softBlocked", "→ sudo rfkill unblock bluetooth"]),
        ("NOFIX", "field-kit", ["noFix", "gpsd reports no fix", "→ run again with --wait-fix 60"]),
        ("silent", "prototype-board", ["gyro_3d"]),
        ("noDriver:i2c-0/0-0069", "prototype-board", ["→ sudo modprobe bmi160_i2c"]),
        ("gyroscope", "field-kit", ["gyroscope", "unmet", "→ connect one"]),
        ("gyroscope", "demo", ["gyroscope", "met", "by i2c-0/0-0069"]),
        ("contradictoryFix", "demo", ["contradicts itself", "This finding is not in the report of this rig."]),
        ("foregroundOnly", "demo", ["Location is allowed only while in use.", "this user sits at the rig"]),
    ])
    func `a finding is explained, with what the rig has of it`(word: String, rig: String, parts: [String]) throws {
        let run = try Program.run("explain", word, "--rig", rig)
        for part in parts {
            let command = getuid() == 0 ? part.replacing("sudo ", with: "") : part
            #expect(run.output.contains(part) || run.output.contains(command), "\(part): \(run.output)")
        }
        #expect(try run.status == Program.run("--rig", rig).status)
    }

    @Test(arguments: [
        ("moton.denied", "motion.denied"), ("motion.denyed", "motion.denied"), ("denid", "denied"),
        ("impct", "impact"), ("giroscope", "gyroscope"), ("recever", "receiver"),
        ("contradictoryfx", "contradictoryFix"),
    ])
    func `the nearest service, kind or cause is suggested for another word`(word: String, nearest: String) throws {
        let run = try Program.run("explain", word, "--rig", "demo")
        #expect(run.status == 64 && run.output == "")
        #expect(run.complaints.contains("Did you mean '\(nearest)'?"), "\(run.complaints)")
    }

    @Test(arguments: [
        ["motion.denied", "dfd"], ["dfd", "denied"], ["denied", "silent"], ["", "dfd"], [""], ["motion."], [".denied"],
        ["nonsense:motion"], ["motion.contradictoryFix"],
    ])
    func `a finding stands alone, and other words are refused`(words: [String]) throws {
        let run = try Program.run(["explain", "--rig", "demo"] + words)
        #expect(run.status == 64 && run.output == "", "\(run.output)")
    }

    @Test func `a name means what it says`() throws {
        func id(_ word: String) -> String? { FindingQuery(named: word)?.id }
        for requirement in Requirement.allCases {
            for cause in Cause.allCases {
                let name = "\(requirement.id).\(cause.id)"
                #expect(id(name) == name && id(name.uppercased()) == name)
            }
        }
        for cause in Cause.allCases { #expect(id(cause.id) == cause.id && id("\(cause.id):x") == "\(cause.id):x") }
        for notice in Notice.ID.allCases { #expect(id(notice.rawValue) == notice.rawValue) }
        for kind in SensorKind.allCases where Requirement(id: kind.id) == nil {
            for name in kind.names { #expect(id("\(name).absent") == "\(kind.id).absent") }
        }
        for word in FindingQuery.words + FindingQuery.findings { #expect(id(word) != nil, "\(word)") }
        for word in ["", ".", ":", "denied.motion", "motion.denied.x", "driving", "x:denied"] {
            #expect(id(word) == nil)
        }
    }
}

/// The manual's tables of causes and notices.
@Suite struct FindingExplanationTests {
    private func row(_ id: String, _ explanation: FindingExplanation) -> String {
        "| \(id) | \(explanation.meaning) | \(explanation.detection) | \(explanation.fix) |"
    }

    @Test func `the manual has the words of the program, and no other row`() throws {
        let file = Tool.repository.appending(path: "Documentation/causes.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        func rows(below first: String) throws -> [String] {
            let head = try #require(lines.firstIndex { $0 == "| \(first) | meaning | detection | fix |" })
            return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { line in
                String(line).replacing(/\[([^\]]*)\]\([^)]*\)/) { "\($0.1)" }.filter { $0 != "`" }
            }
        }
        #expect(try rows(below: "cause") == Cause.allCases.map { row($0.id, $0.explanation) })
        let notices = try rows(below: "notice")
        #expect(notices.sorted() == Notice.ID.allCases.map { row($0.rawValue, $0.explanation) }.sorted())
    }

    @Test func `each text is a sentence`() {
        for explanation in Cause.allCases.map(\.explanation) + Notice.ID.allCases.map(\.explanation) {
            for text in [explanation.meaning, explanation.detection, explanation.fix] {
                #expect(text.wholeMatch(of: /(\p{Lu}|--|gpsd|rfkill|sysfs|bluetoothd).*[^ ]\./) != nil, "\(text)")
                #expect(!text.contains("|") && !text.contains("\n"))
            }
        }
    }
}

extension String {
    /// The lines without those that have a time.
    fileprivate var timelessCases: [Substring] {
        split(separator: "\n").filter { !$0.contains("elapsedMilliseconds") && !$0.contains("duration_ms") }
    }
}
