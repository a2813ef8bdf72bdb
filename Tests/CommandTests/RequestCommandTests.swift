import Foundation
import Support
import Testing

/// Requests for a permission, with and without an answer.
@Suite struct RequestCommandTests {
    static let purposes = """
        purposes:
          location: To recognise trips.
          backgroundLocation: While nobody looks.
          motion: To tell walking from driving.
          bluetooth: To find the beacon.
          health: To count the steps.
          preciseLocation:
            way: To show the way.
        """

    /// The arguments of a request on the demo rig, with its own grant file and configuration.
    private func withRequest(
        grants: String = "location: not-determined\nmotion: not-determined\n", purposes: String = purposes,
        _ body: (_ request: ([String]) throws -> Program.Run, _ grants: String) throws -> Void
    ) throws {
        try Program.withFile(purposes) { config in
            try Tool.withFolder { folder in
                let path = folder.appending(path: "g.yaml").path
                try grants.write(toFile: path, atomically: true, encoding: .utf8)
                try body(
                    { words in
                        try Program.run(
                            ["permissions", "request"] + words
                                + ["--rig", "demo", "--config", config, "--permissions", path])
                    }, path)
            }
        }
    }

    private func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `the answer decides the status`() throws {
        try withRequest { request, path in
            let refused = try request(["motion", "--answer", "deny"])
            #expect(refused.status == 1)
            #expect(refused.complaints.contains("motion is not granted: \(path): motion: denied"))
            #expect(try text(of: path).contains("motion: denied"))
            // It is decided: nothing is asked, whatever the answer would be.
            #expect(try request(["motion", "--answer", "allow"]).status == 1)
            let always = try request(["location", "--always", "--answer", "allow"])
            #expect(always.status == 0)
            #expect(always.output.hasPrefix("location: allowed always, provisional ("))
            #expect(try text(of: path).contains("provisional: {boot: "))
        }
        try withRequest { (request, path) throws in
            #expect(try request(["location", "--answer", "once"]).status == 0)
            #expect(try text(of: path).contains("once: {boot: "))
            #expect(try request(["location", "--always", "--answer", "allow"]).status == 1)
            #expect(try text(of: path).contains("once: {boot: "))
        }
    }

    @Test func `an answer that is not offered is refused`() throws {
        try withRequest { request, path in
            let run = try request(["motion", "--answer", "once"])
            #expect(run.status == 64)
            #expect(run.complaints.contains("takes allow or deny, not once"))
            #expect(try text(of: path).contains("motion: not-determined"))
        }
    }

    @Test func `without a terminal nothing is asked`() throws {
        try withRequest { request, path in
            let before = try text(of: path)
            let run = try request(["motion"])
            #expect(run.status == 2)
            #expect(run.output == "")
            #expect(run.complaints.contains("To tell walking from driving."))
            #expect(run.complaints.contains("--answer allow|deny"))
            #expect(try text(of: path) == before)
            // There is one document, whatever the outcome.
            for (words, status, motion) in [
                (["motion"], 2, "notDetermined"), (["motion", "--answer", "allow"], 0, "authorized"),
            ] as [([String], Int32, String)] {
                let run = try request(words + ["--format", "json"])
                #expect(run.status == status)
                let permissions = try #require(try run.document()["permissions"] as? [[String: Any]])
                #expect(permissions[1]["status"] as? String == motion)
            }
        }
    }

    @Test func `restricted and denied are never asked`() throws {
        try withRequest(grants: "motion: denied\n") { request, path in
            let run = try request(["motion", "--answer", "allow"])
            #expect(run.status == 1)
            #expect(run.complaints.contains("→ rigready permissions grant motion --permissions \(path)"))
            #expect(try text(of: path) == "motion: denied\n")
        }
        try Program.withFile("motion: restricted\n") { policy in
            try withRequest { request, path in
                let run = try request(["motion", "--answer", "allow", "--policy", policy, "--format", "json"])
                #expect(run.status == 1)
                #expect(run.complaints.contains("\(policy): motion is restricted"))
                let permissions = try #require(try run.document()["permissions"] as? [[String: Any]])
                #expect(permissions[1]["status"] as? String == "restricted")
                #expect(try text(of: path).contains("motion: not-determined"))
            }
        }
    }

    @Test func `a missing purpose names the file and the key`() throws {
        try withRequest(purposes: "purposes: {location: Text.}\n") { request, path in
            for (words, key) in [
                (["motion", "--answer", "allow"], "purposes.motion (NSMotionUsageDescription)"),
                (["location", "--always", "--answer", "allow"], "purposes.backgroundLocation"),
                (["location", "--full-accuracy", "way", "--answer", "allow"], "purposes.preciseLocation.way"),
            ] {
                let run = try request(words)
                #expect(run.status == 66)
                #expect(run.output == "")
                #expect(run.complaints.contains(".yaml: " + key), "\(run.complaints)")
            }
            #expect(try text(of: path).contains("motion: not-determined"))
        }
        try Tool.withFolder { folder in
            let path = folder.appending(path: "g.yaml").path
            let run = try Program.run("permissions", "request", "motion", "--rig", "demo", "--permissions", path)
            #expect(run.status == 64)
            #expect(run.complaints.contains("--config FILE"))
        }
    }

    @Test func `purposes may use the keys of the property list`() throws {
        let plist = """
            purposes:
              NSLocationWhenInUseUsageDescription: To recognise trips.
              NSLocationAlwaysUsageDescription: While nobody looks.
              NSMotionUsageDescription: To tell walking.
              NSHealthShareUsageDescription: To count the steps.
              NSLocationTemporaryUsageDescriptionDictionary: {way: To show the way.}
            """
        let grants = "location: not-determined\nmotion: not-determined\nhealth: not-determined\n"
        try withRequest(grants: grants, purposes: plist) { (request, _) throws in
            for words in [["motion"], ["health"], ["location", "--always"]] {
                #expect(try request(words + ["--answer", "allow"]).status == 0)
            }
        }
    }

    @Test func `a health text has twelve characters`() throws {
        for (text, status) in [("Eleven char", 66), ("Twelve chars", 0), ("Zwölf zählen", 0)] as [(String, Int32)] {
            try withRequest(grants: "health: not-determined\n", purposes: "purposes: {health: \(text)}\n") {
                request, _ in
                let run = try request(["health", "--answer", "allow"])
                #expect(run.status == status)
                if status == 66 { #expect(run.complaints.contains("expected a text of at least 12 characters")) }
            }
        }
    }

    @Test func `full accuracy is for a time and a purpose`() throws {
        try withRequest(grants: "location: {status: always, accuracy: reduced}\n") { request, path in
            let run = try request(
                ["location", "--full-accuracy", "way", "--for", "60", "--answer", "allow", "--format", "json"])
            #expect(run.status == 0)
            let permissions = try #require(try run.document()["permissions"] as? [[String: Any]])
            #expect(permissions[0]["accuracy"] as? String == "fullAccuracy")
            #expect(try text(of: path).contains("fullAccuracy: {purpose: \"way\", boot: "))
        }
    }

    @Test func `a second request while one is open has no effect`() throws {
        try withRequest { request, path in
            let lock = unsafe open(path + ".dialog", O_RDWR | O_CREAT, 0o600)
            try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
            defer { close(lock) }
            let run = try request(["motion", "--answer", "allow"])
            #expect(run.status == 2)
            #expect(run.complaints.contains("another request is waiting"))
            #expect(try text(of: path).contains("motion: not-determined"))
        }
    }
}

/// The same, on a terminal.
@Suite struct TerminalRequestTests {
    /// Types into a request for location on a pseudo-terminal; returns its status, and all output.
    private func type(_ typed: String, _ path: String, _ words: String = "location") throws -> Tool.Run {
        try Program.withFile(RequestCommandTests.purposes) { config in
            try Tool.answer(
                typed,
                to: [Program.url.path, "permissions", "request", words, "--rig", "demo", "--config", config]
                    + ["--permissions", path])
        }
    }

    @Test(
        arguments: [
            ("1\n", 0, "location: when-in-use"), ("allow\n", 0, "location: when-in-use"),
            ("A\n", 0, "location: when-in-use"),
            ("2\n", 0, "once: {boot: "), (" once \n", 0, "once: {boot: "), ("3\n", 1, "location: denied"),
            ("d\n", 1, "location: denied"), ("7\nperhaps\nonce\n", 0, "once: {boot: "),
            // Dismissed, or never understood: nothing is recorded.
            ("\n", 2, "location: not-determined"), ("\u{4}", 2, "location: not-determined"),
            ("x\ny\nz\n1\n", 2, "location: not-determined"),
        ] as [(String, Int32, String)])
    func `what is typed is the answer`(typed: String, status: Int32, expected: String) throws {
        try Program.withFile("location: not-determined\n") { path in
            let run = try type(typed, path)
            #expect(run.status == status, "\(run.output)")
            #expect(run.output.contains("Allow the use of this rig's location?"))
            #expect(run.output.contains("To recognise trips."))
            #expect(run.output.contains("1  while in use (allow)"))
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains(expected))
        }
    }

    @Test func `the purpose cannot move the cursor`() throws {
        let purposes = "purposes: {motion: \"calm\\e[2Jdown\\a\\r\\nnow\"}\n"
        try Program.withFile("motion: not-determined\n") { path in
            try Program.withFile(purposes) { config in
                let run = try Tool.answer(
                    "\n",
                    to: [Program.url.path, "permissions", "request", "motion", "--rig", "demo", "--config", config]
                        + ["--permissions", path])
                #expect(run.output.contains("calm"))
                #expect(!run.output.contains("\u{1b}") && !run.output.contains("\u{7}"))
            }
        }
    }

    @Test func `keys typed before the question do not answer it`() throws {
        try Program.withFile("motion: not-determined\n") { path in
            try Program.withFile(RequestCommandTests.purposes) { config in
                let call =
                    [Program.url.path, "permissions", "request", "motion", "--rig", "demo", "--config", config]
                    + ["--permissions", path]
                let run = try Tool.type([("> ", "\n")], ahead: "1\n1\nallow\n", into: call)
                #expect(run.status == 2, "\(run.output)")
                #expect(try String(contentsOfFile: path, encoding: .utf8) == "motion: not-determined\n")
            }
        }
        // A program that does not discard them is answered by them.
        let heedless = "printf '> '; read -r key; echo got $key"
        let control = try Tool.type([], ahead: "1\n", into: ["/bin/sh", "-c", heedless])
        #expect(control.output.contains("got 1"), "\(control)")
    }

    @Test func `an answer counts for the question that was shown`() throws {
        let script = try Tool.path("script", package: "bsdutils")
        try Program.withFile("location: not-determined\n") { path in
            try Program.withFile(RequestCommandTests.purposes) { config in
                let (input, output) = (Pipe(), Pipe())
                let line = "\(Program.url.path) permissions request location --always --rig demo --config \(config)"
                let process = try ChildProcess(
                    ["/usr/bin/timeout", "--foreground", "-s", "KILL", "60", script, "-qec"]
                        + ["\(line) --permissions \(path)", "/dev/null"],
                    input: .descriptor(input.fileHandleForReading.fileDescriptor),
                    output: .descriptor(output.fileHandleForWriting.fileDescriptor))
                try output.fileHandleForWriting.close()
                var shown = ""
                while !shown.contains("\n> ") {
                    let piece = output.fileHandleForReading.availableData
                    try #require(!piece.isEmpty, "\(shown)")
                    shown += String(decoding: piece, as: UTF8.self)
                }
                // Meanwhile another request is refused, but a grant is not.
                let second = try Program.run(
                    "permissions", "request", "location", "--answer", "deny", "--rig", "demo", "--config", config,
                    "--permissions", path)
                #expect(second.status == 2)
                let grant = try Program.run(
                    "permissions", "grant", "location", "--when-in-use", "--permissions", path)
                #expect(grant.status == 0)
                try input.fileHandleForWriting.write(contentsOf: Data("allow\n".utf8))
                let rest = try output.fileHandleForReading.readToEnd() ?? Data()
                // "Allow" was the answer to the first question; the second has not been asked.
                #expect(process.wait(60) == .exit(2))
                #expect(String(decoding: rest, as: UTF8.self).contains("the grants changed"))
                #expect(try String(contentsOfFile: path, encoding: .utf8).contains("location: when-in-use\n"))
            }
        }
    }
}
