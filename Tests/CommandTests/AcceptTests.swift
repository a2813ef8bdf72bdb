import Foundation
import Testing

/// Accepted findings: known, told with their reasons, and not counted until their day is over.
@Suite struct AcceptTests {
    private static let everything = """
        accept:
          - {id: location.noFix, reason: "no sky in the lab", until: 2026-12-31}
          - {id: gyroscope, reason: "RMA 4711: the board comes back", until: 2026-11-28}
          - {id: healthStore.absent, reason: "this kit counts no steps", until: 2027-02-28}
        """

    /// Runs a command on the field kit, which was recorded on 2026-11-28.
    private func run(_ accept: String, _ words: String..., with more: String = "") throws -> Program.Run {
        try Program.withFile(accept + "\n" + more) { file in
            try Program.run(words + ["--rig", "field-kit", "--config", file])
        }
    }

    private func document(_ accept: String, _ words: String...) throws -> (status: Int32, keys: [String: Any]) {
        let run = try Program.withFile(accept) { file in
            try Program.run(["--rig", "field-kit", "--config", file, "--format", "json"] + words)
        }
        return (run.status, try run.document())
    }

    @Test func `a rig whose findings are all accepted is ready`() throws {
        let (status, keys) = try document(Self.everything)
        #expect(status == 0 && keys["exitStatus"] as? Int == 0)
        // The verdicts stay what they are.
        let services = try #require(keys["services"] as? [[String: Any]])
        #expect(services.filter { ["fails", "blocked"].contains($0["verdict"] as? String) }.count == 11)
        #expect((keys["acceptedServices"] as? [String])?.count == 12)
        let accepted = try #require(keys["accepted"] as? [[String: Any]])
        #expect(accepted.map { $0["state"] as? String } == ["applies", "applies", "applies"])
        #expect(accepted.map { $0["id"] as? String } == ["location.noFix", "gyroscope", "healthStore.absent"])
        #expect(accepted[0]["requirements"] as? [String] == ["location", "preciseLocation"])
        #expect(accepted[1]["reason"] as? String == "RMA 4711: the board comes back")
        #expect(accepted[1]["until"] as? String == "2026-11-28")
    }

    @Test func `the text shows each accepted finding with its reason`() throws {
        let text = try run(Self.everything).output
        #expect(text.contains("1 of 13 services run, 12 accepted"), "\(text)")
        #expect(text.contains("no gyroscope (accepted)"))
        #expect(text.contains("no gyroscope was found"))
        #expect(text.contains(/accepted +gyroscope +RMA 4711: the board comes back \(until 2026-11-28\)/))
        let told = try run(Self.everything, "explain", "impact").output
        #expect(told.contains("finding gyroscope.absent"))
        #expect(told.contains("accepted until 2026-11-28: RMA 4711"))
    }

    @Test func `what is not accepted still counts`() throws {
        let accept = "accept: [{id: gyroscope, reason: r, until: 2026-12-31}]"
        let (status, keys) = try document(accept, "--service", "dfd,impact")
        #expect(status == 1 && keys["acceptedServices"] as? [String] == [])
        let other = "accept: [{id: location.absent, reason: r, until: 2026-12-31}]"
        let (second, found) = try document(other, "--service", "places")
        #expect(second == 1)
        #expect((found["accepted"] as? [[String: Any]])?.first?["state"] as? String == "unused")
    }

    @Test func `a finding is no longer accepted after its day`() throws {
        let accept = "accept: [{id: location.noFix, reason: the lab, until: 2026-11-27}]"
        let (status, keys) = try document(accept, "--service", "places")
        #expect(status == 1)
        #expect((keys["accepted"] as? [[String: Any]])?.first?["state"] as? String == "expired")
        #expect(try run(accept).output.contains(/expired +location\.noFix +the lab \(until 2026-11-27\)/))
    }

    @Test(arguments: [
        ("locationReceiver.noFix", "location.noFix"), ("receiver.noFix", "location.noFix"),
        ("controller.poweredOff", "bluetooth.poweredOff"), ("stepCounter", "healthStore"),
        ("location.noFx", "location.noFix"),
    ])
    func `a finding of a kind of sensor is corrected to that of its requirement`(id: String, meant: String) throws {
        let run = try run("accept: [{id: \(id), reason: r, until: 2026-12-31}]", "--service", "walking")
        #expect(
            run.status == 66 && run.complaints.hasSuffix("found \"\(id)\" (did you mean \"\(meant)\"?)\n"),
            "\(run.complaints)")
    }

    @Test func `strict counts a degraded service unless that is accepted`() throws {
        let accept = "accept: [{id: location, reason: r, until: 2026-12-31}]"
        #expect(try run("{}", "--service", "assistance", "--strict").status == 1)
        #expect(try run(accept, "--service", "assistance", "--strict").status == 0)
    }

    @Test func `the whole-session rule stops nothing for an accepted finding`() throws {
        let words = ["--rules", "1.x", "--service", "cycling,poi"]
        let accept = "accept: [{id: location, reason: r, until: 2026-12-31}]"
        #expect(try run("{}", words[0], words[1], words[2], words[3]).status == 1)
        #expect(try run(accept, words[0], words[1], words[2], words[3]).status == 0)
    }

    @Test func `an accepted service is skipped in JUnit and a TODO in TAP`() throws {
        let words = ["--service", "impact,places", "--sensor", "gyroscope=x", "--format"]
        let junit = try JUnitFile(
            try run(Self.everything, words[0], words[1], words[2], words[3], words[4], "junit").output)
        let impact = try junit.named("impactDetection")
        #expect(impact.result == "skipped")
        #expect(impact.message?.contains("accepted until 2026-11-28: RMA 4711") == true)
        #expect(impact.message?.contains("fails: no fix, no gyroscope") == true)
        #expect(try junit.named("gyroscope x").result == "skipped")
        #expect(junit.counts["failures"] == 0)
        let stream = try run(Self.everything, words[0], words[1], words[2], words[3], words[4], "tap").output
        let point = try TAPFile(stream).named("places")
        #expect(!point.ok && point.directive == "TODO")
        #expect(point.reason.contains("no sky in the lab"))
        let prove = try Tool.path("prove", package: "perl")
        let verdict = try Tool.withFolder { folder in
            try Data(stream.utf8).write(to: folder.appending(path: "rig.tap"))
            return try Tool.run(prove, ["rig.tap"], in: folder)
        }
        #expect(verdict.status == 0, "\(verdict.output)")
    }

    @Test func `a gate opens when everything left is accepted`() throws {
        let run = try run(Self.everything, "watch", "--until", "runs", "--for", "5")
        #expect(run.status == 0, "\(run.complaints)")
    }
}
