import Foundation
import Testing

/// The consent dialog, with and without answers.
@Suite struct ConsentCommandTests {
    private static let purposes = """
        services: [{driving: [deviceDiscovery]}, health]
        purposes:
          location: To recognise trips.
          backgroundLocation: While nobody looks.
          motion: To tell walking from driving.
          health: To count the steps.
        """

    /// A folder with a configuration; dialogs on the demo rig keep their files in it.
    private func withWalk(
        _ body: (_ walk: (_ answers: String?, _ words: [String]) throws -> Program.Run, _ folder: String) throws -> Void
    ) throws {
        try Tool.withFolder { folder in
            let path = folder.path
            try Self.purposes.write(toFile: path + "/app.yaml", atomically: true, encoding: .utf8)
            try body(
                { answers, words in
                    var call = [
                        "consent", "--rig", "demo", "--config", path + "/app.yaml", "--permissions", path + "/g.yaml",
                        "--state", path + "/state/consent.yaml",
                    ]
                    if let answers {
                        try answers.write(toFile: path + "/a.yaml", atomically: true, encoding: .utf8)
                        call += ["--answers", path + "/a.yaml"]
                    }
                    return try Program.run(call + words)
                }, path)
        }
    }

    private func lines(_ run: Program.Run) throws -> [[String: Any]] {
        let document = try run.document()
        #expect(Set(document.keys) == ["schema", "permissions", "exitStatus"])
        #expect(document["schema"] as? String == "rigready.consent/1")
        #expect((document["exitStatus"] as? NSNumber)?.int32Value == run.status)
        let lines = try #require(document["permissions"] as? [[String: Any]])
        for line in lines {
            #expect(
                Set(line.keys) == [
                    "id", "title", "services", "required", "purpose", "needs", "found", "status", "accepted", "granted",
                    "evidence", "remedy", "change",
                ])
        }
        return lines
    }

    private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    @Test func `the required services decide the questions`() throws {
        try withWalk { walk, folder in
            let run = try walk("", ["--format", "json"])
            #expect(run.status == 2)
            let lines = try lines(run)
            #expect(
                lines.map { $0["id"] as? String } == ["location", "locationAlways", "motion", "bluetooth", "health"])
            #expect(lines.map { $0["required"] as? Bool } == [true, false, false, false, true])
            #expect(lines.allSatisfy { $0["status"] as? String == "notDetermined" && $0["granted"] is NSNull })
            #expect(lines[0]["purpose"] as? String == "To recognise trips.")
            #expect(lines[3]["services"] as? [String] == ["driving.deviceDiscovery"])
            #expect(lines[4]["found"] as? String == "bma400")
            #expect(!FileManager.default.fileExists(atPath: folder + "/g.yaml"))
            let places = try walk("", ["--format", "json", "--with", "microphone", "--with", "notifications"])
            #expect(try self.lines(places).suffix(2).map { $0["id"] as? String } == ["notifications", "microphone"])
        }
    }

    @Test func `a walk names services of the system, health types included`() throws {
        try Tool.withFolder { folder in
            let files = ["--permissions", folder.path + "/g.yaml", "--state", folder.path + "/s.yaml"]
            func walk(_ words: String...) throws -> (status: Int32, lines: [[String: Any]]) {
                try "motion: allow\nhealth: deny\n".write(
                    toFile: folder.path + "/a.yaml", atomically: true, encoding: .utf8)
                let run = try Program.run(
                    ["consent", "--rig", "field-kit", "--answers", folder.path + "/a.yaml", "--format", "json"]
                        + files + words)
                return (run.status, try lines(run))
            }
            // Alone, --with names the whole walk.
            let some = try walk("--with", "health=stepCount,dateOfBirth", "--with", "motion")
            #expect(some.lines.map { $0["id"] as? String } == ["motion", "health"])
            #expect(some.lines.allSatisfy { $0["required"] as? Bool == false })
            #expect(some.lines[0]["status"] as? String == "granted")
            // This rig counts no steps, which is told beside the answer.
            #expect(some.lines[1]["status"] as? String == "absent" && some.lines[1]["accepted"] as? Bool == false)
            let evidence = try #require(some.lines[1]["evidence"] as? String)
            #expect(evidence.hasSuffix("; not on Linux: HKCharacteristicTypeIdentifierDateOfBirth"))
            #expect(some.status == 1)
            // Beside services it is added to what they need.
            let more = try walk("--service", "places", "--with", "health=height")
            #expect(more.lines.map { $0["id"] as? String } == ["location", "health"])
            #expect(more.lines[1]["status"] as? String == "unsupported")
        }
    }

    @Test func `answers are recorded and the dialog continues`() throws {
        try withWalk { walk, folder in
            let first = try walk("location: allow\nmotion: deny\n", [])
            #expect(first.status == 1)
            #expect(text(folder + "/g.yaml").contains("location: when-in-use\nmotion: denied\n"))
            #expect(text(folder + "/state/consent.yaml").hasSuffix("location: accepted\nmotion: refused\n"))
            // What was answered is not asked again; the rest is.
            let rest = "location: deny\nlocationAlways: allow\nmotion: allow\nbluetooth: allow\nhealth: allow\n"
            let second = try walk(rest, ["--format", "json"])
            #expect(second.status == 1)
            let lines = try lines(second)
            #expect(lines.map { $0["accepted"] as? Bool } == [true, true, false, true, true])
            #expect(lines.map { $0["granted"] as? Bool } == [true, true, false, true, true])
            #expect(text(folder + "/g.yaml").contains("status: always"))
            // Another answer, on request.
            let again = try walk("motion: allow\n", ["--again", "motion"])
            #expect(again.status == 0)
            #expect(again.output.contains("✓ motion") && again.output.contains("granted, accepted"))
        }
    }

    @Test func `accepted is distinguished from granted`() throws {
        try withWalk { walk, folder in
            let all = "location: allow\nlocationAlways: allow\nmotion: allow\nbluetooth: allow\nhealth: allow\n"
            #expect(try walk(all, []).status == 0)
            try Program.withFile("motion: restricted\n") { policy in
                let run = try walk("", ["--policy", policy, "--format", "json"])
                #expect(run.status == 1)
                let motion = try lines(run)[2]
                #expect(motion["accepted"] as? Bool == true && motion["granted"] as? Bool == false)
                #expect(motion["status"] as? String == "restricted")
            }
        }
    }

    @Test func `without a terminal nothing is asked`() throws {
        try withWalk { walk, folder in
            let run = try walk(nil, [])
            #expect(run.status == 2)
            #expect(run.complaints.contains("--answers FILE"))
            #expect(run.output.contains("? location while in use"))
            #expect(text(folder + "/state/consent.yaml") == "")
        }
    }

    @Test func `faults of files have a place`() throws {
        try withWalk { walk, folder in
            for (answers, expected) in [
                ("motion: once\n", "a.yaml:1:9: expected allow or deny, found \"once\""),
                ("location: perhaps\n", "a.yaml:1:11: expected allow, once or deny"),
                ("moton: allow\n", "(did you mean \"motion\"?)"), ("- motion\n", "a.yaml:1:1: expected a mapping"),
            ] {
                let run = try walk(answers, ["--format", "json"])
                #expect(run.status == 66)
                #expect(run.output == "")
                #expect(run.complaints.contains(expected), "\(run.complaints)")
            }
            try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
            try "motion: yes\n".write(toFile: folder + "/state/consent.yaml", atomically: true, encoding: .utf8)
            let run = try walk("motion: allow\n", [])
            #expect(run.status == 66)
            #expect(run.complaints.contains("state/consent.yaml:1:9: expected accepted or refused"))
            #expect(text(folder + "/state/consent.yaml") == "motion: yes\n")
            try FileManager.default.removeItem(atPath: folder + "/state/consent.yaml")
            try FileManager.default.createDirectory(
                atPath: folder + "/state/consent.yaml", withIntermediateDirectories: false)
            #expect(try walk("motion: allow\n", []).status == 66)
        }
    }

    @Test func `arguments are checked`() throws {
        for words in [
            ["--with", "moton"], ["--with", "health=height,,"], ["--again", "moton"], ["--as", "root"],
            ["--rig", "demo"],
        ] {
            let run = try Program.run(["consent"] + words)
            #expect(run.status == 64, "\(words)")
            #expect(run.output == "")
        }
        #expect(try Program.run("consent", "--again", "moton").complaints.contains("Did you mean 'motion'?"))
        #expect(try Program.run("consent", "--format", "tap").status == 64)
    }

    @Test func `a person is guided through and may leave`() throws {
        try withWalk { (walk, folder) throws in
            let call =
                [Program.url.path, "consent", "--rig", "demo", "--config", "\(folder)/app.yaml"]
                + ["--permissions", "\(folder)/g.yaml", "--state", "\(folder)/state/consent.yaml"]
            func type(_ typed: String) throws -> Tool.Run { try Tool.answer(typed, to: call) }
            let first = try type("allow\n\u{4}")
            #expect(first.status == 2)
            #expect(first.output.contains("1 of 5: location while in use"))
            #expect(first.output.contains("To recognise trips."))
            #expect(
                first.output.contains(
                    "later  rigready permissions grant location --when-in-use --permissions \(folder)/g.yaml, or"))
            #expect(text(folder + "/g.yaml").contains("location: when-in-use"))
            // It continues after what was answered. A dismissed question is asked another time.
            let second = try type("\nallow\n2\n\u{4}")
            #expect(second.status == 1)
            #expect(!second.output.contains("1 of 5:"))
            #expect(second.output.contains("2 of 5: location always") && second.output.contains("5 of 5: health data"))
            #expect(
                text(folder + "/state/consent.yaml")
                    .hasSuffix("location: accepted\nmotion: accepted\nbluetooth: refused\n"))
        }
    }
}
