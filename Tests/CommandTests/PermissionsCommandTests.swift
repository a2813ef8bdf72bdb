import Foundation
import Testing

/// The output of `permissions`, and the commands that change a record.
@Suite struct PermissionsCommandTests {
    private static let header =
        "# What the user allows; rigready permissions writes it. Without a record access alone decides.\n"

    private func lines(_ words: String...) throws -> [[String: Any]] {
        let run = try Program.run(["permissions", "--rig", "demo", "--format", "json"] + words)
        #expect(run.status == 0)
        let document = try run.document()
        #expect(Set(document.keys) == ["schema", "permissions"])
        #expect(document["schema"] as? String == "rigready.permissions/1")
        return try #require(document["permissions"] as? [[String: Any]])
    }

    private func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `the document is that of the contract`() throws {
        let lines = try lines()
        #expect(lines.map { $0["id"] as? String } == ["location", "motion", "bluetooth", "health"])
        for line in lines {
            #expect(Set(line.keys) == ["id", "status", "accuracy", "from", "evidence", "remedy"])
            #expect(line["from"] as? String == "access")
            #expect(line["remedy"] is NSNull)
            #expect((line["evidence"] as? String)?.isEmpty == false)
        }
        #expect(
            lines.map { $0["status"] as? String }
                == ["authorizedAlways", "authorized", "allowedAlways", "authorized"])
        #expect(lines.first?["accuracy"] as? String == "fullAccuracy")
        #expect(lines.dropFirst().allSatisfy { $0["accuracy"] is NSNull })
    }

    @Test func `every status has its name`() throws {
        let grants = "location: {status: when-in-use, accuracy: reduced}\nmotion: not-determined\nbluetooth: denied\n"
        try Program.withFile(grants) { grants in
            try Program.withFile("health: restricted\n") { policy in
                let lines = try lines("--permissions", grants, "--policy", policy)
                #expect(
                    lines.map { $0["status"] as? String }
                        == ["authorizedWhenInUse", "notDetermined", "denied", "restricted"])
                #expect(lines.map { $0["from"] as? String } == ["grant", "grant", "grant", "policy"])
                #expect(lines[0]["accuracy"] as? String == "reducedAccuracy")
                #expect(
                    lines[1]["remedy"] as? String == "rigready permissions grant motion --permissions \(grants)")
                #expect((lines[3]["evidence"] as? String)?.hasPrefix(policy) == true)
            }
        }
    }

    @Test func `the table has status, source, evidence and remedy`() throws {
        let run = try Program.run("permissions", "--rig", "demo")
        #expect(run.status == 0)
        #expect(run.complaints == "")
        let words = run.output.split(separator: "\n").map { $0.split(separator: #/ {2,}/#).map(String.init) }
        let rows = words.filter { ["location", "motion", "bluetooth", "health"].contains($0.first) }
        #expect(
            rows.map { Array($0.prefix(3)) } == [
                ["location", "allowed always", "access"], ["motion", "allowed", "access"],
                ["bluetooth", "allowed always", "access"], ["health", "allowed", "access"],
            ])
        try Program.withFile("motion: denied\nlocation: {status: always, provisional: {boot: x}}\n") { grants in
            let run = try Program.run("permissions", "--rig", "demo", "--permissions", grants)
            #expect(run.output.contains("allowed always, provisional"))
            #expect(run.output.contains("→ rigready permissions grant motion"))
        }
    }

    @Test func `the formats of cases are refused`() throws {
        let run = try Program.run("permissions", "--rig", "demo", "--format", "tap")
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.complaints.contains("tap is a format of check, explain,"))
    }

    // MARK: Changes

    @Test(arguments: [
        (["grant", "location", "--always"], "location: always\n"),
        (["grant", "location", "--when-in-use"], "location: when-in-use\n"),
        (["grant", "location", "--always", "--accuracy", "full"], "location: always\n"),
        (
            ["grant", "location", "--when-in-use", "--accuracy", "reduced"],
            "location:\n  status: when-in-use\n  accuracy: reduced\n"
        ),
        (["grant", "motion"], "motion: allowed\n"), (["grant", "bluetooth"], "bluetooth: allowed\n"),
        (["grant", "health"], "health: allowed\n"), (["revoke", "location"], "location: denied\n"),
        (["revoke", "health"], "health: denied\n"), (["reset", "location"], "location: not-determined\n"),
        (["reset", "bluetooth"], "bluetooth: not-determined\n"),
    ])
    func `a change is written and reported`(words: [String], expected: String) throws {
        try Tool.withFolder { folder in
            let path = folder.appending(path: "rig/permissions.yaml").path
            let run = try Program.run(["permissions"] + words + ["--permissions", path])
            #expect(run.status == 0)
            #expect(run.output == "")
            #expect(run.complaints.hasPrefix("rigready: \(path): \(words[1]): "))
            #expect(try text(of: path) == Self.header + expected)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `a grant for once applies to this boot only`() throws {
        try Tool.withFolder { folder in
            let path = folder.appending(path: "g.yaml").path
            #expect(
                try Program.run("permissions", "grant", "location", "--once", "--permissions", path).status == 0)
            #expect(try lines("--permissions", path)[0]["status"] as? String == "authorizedWhenInUse")
            let boot = try text(of: "/proc/sys/kernel/random/boot_id").filter { $0 != "\n" }
            let written = try text(of: path)
            #expect(written.contains("status: when-in-use") && written.contains("boot: \"\(boot)\""))
            try written.replacingOccurrences(of: boot, with: "another").write(
                toFile: path, atomically: true, encoding: .utf8)
            #expect(try lines("--permissions", path)[0]["status"] as? String == "notDetermined")
        }
    }

    @Test func `after forgetting, access alone decides`() throws {
        let all = "location: denied\nmotion: denied\nbluetooth: denied\nhealth: denied\n"
        try Program.withFile(all) { path in
            #expect(try Program.run("permissions", "forget", "motion", "--permissions", path).status == 0)
            #expect(
                try text(of: path) == Self.header + "location: denied\nbluetooth: denied\nhealth: denied\n")
            let run = try Program.run("permissions", "forget", "--permissions", path)
            #expect(run.status == 0)
            #expect(run.complaints.split(separator: "\n").count == 4)
            #expect(try text(of: path) == Self.header)
            #expect(try lines("--permissions", path).allSatisfy { $0["from"] as? String == "access" })
        }
    }

    @Test func `a grant that the policy overrides is reported as such`() throws {
        try Program.withFile("motion: restricted\n") { policy in
            try Tool.withFolder { folder in
                let path = folder.appending(path: "g.yaml").path
                let run = try Program.run(
                    "permissions", "grant", "motion", "--permissions", path, "--policy", policy)
                #expect(run.status == 0)
                #expect(run.complaints.contains("it has no effect: \(policy) restricts motion"))
            }
        }
    }

    @Test func `the default file is the user's own`() throws {
        try Tool.withFolder { folder in
            for environment in [
                ["HOME": folder.path], ["HOME": "/nowhere", "XDG_CONFIG_HOME": folder.path + "/.config"],
            ] {
                #expect(try Program.run(["permissions", "revoke", "health"], environment: environment).status == 0)
                let path = folder.appending(path: ".config/rigready/permissions.yaml").path
                #expect(try text(of: path) == Self.header + "health: denied\n")
                try FileManager.default.removeItem(atPath: path)
            }
        }
    }

    @Test(arguments: [
        (["grant"], "name"), (["grant", "camera"], "camera"),
        (["grant", "locaton", "--always"], "Did you mean 'location'?"),
        (["grant", "location"], "one of --when-in-use, --always and --once"),
        (["grant", "location", "--always", "--once"], "one of --when-in-use, --always and --once"),
        (["grant", "location", "--always", "--accuracy", "low"], "accuracy"),
        (["grant", "motion", "--always"], "only for location"),
        (["grant", "health", "--accuracy", "full"], "location"),
        (["revoke"], "name"), (["reset", "all"], "all"), (["forget", "location", "motion"], "motion"),
        (["request", "motion", "--always"], "only for location"),
        (["request", "location", "--always", "--full-accuracy", "way"], "two requests"),
        (["request", "location", "--for", "5"], "--full-accuracy"),
        (["request", "location", "--full-accuracy", "way", "--for", "0"], "--for"),
        (["request", "location", "--full-accuracy", "way", "--for", "nan"], "--for"),
        (["request", "motion", "--answer", "yes"], "answer"), (["request", "motion", "--as", "root"], "--as"),
        (["request", "motion", "--format", "junit"], "junit is a format of check,"),
        (["grnt", "motion"], "Did you mean 'grant'?"), (["forget", "blutooth"], "Did you mean 'bluetooth'?"),
    ])
    func `invalid arguments exit with 64`(words: [String], hint: String) throws {
        try Tool.withFolder { folder in
            let path = folder.appending(path: "g.yaml").path
            let run = try Program.run(["permissions"] + words + ["--permissions", path])
            #expect(run.status == 64)
            #expect(run.output == "")
            #expect(run.complaints.contains(hint), "\(run.complaints)")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    // MARK: Unusable files

    @Test func `an invalid file exits with 66 and is never overwritten`() throws {
        let content = "motion: alowed\n"
        try Program.withFile(content) { path in
            for words in [
                ["permissions"], ["check"], ["sensors"], ["explain", "dfd"], ["permissions", "request", "motion"],
            ] {
                let run = try Program.run(words + ["--rig", "demo", "--permissions", path, "--format", "json"])
                #expect(run.status == 66, "\(words)")
                #expect(run.output == "")
                #expect(run.complaints.contains("\(path):1:9: expected allowed, denied or not-determined"))
                #expect(run.complaints.contains("did you mean \"allowed\"?"))
            }
            for words in [["grant", "motion"], ["revoke", "motion"], ["reset", "motion"], ["forget"]] {
                let run = try Program.run(["permissions"] + words + ["--permissions", path])
                #expect(run.status == 66, "\(words)")
                #expect(run.complaints.contains("\(path):1:9"))
            }
            #expect(try text(of: path) == content)
        }
    }

    @Test func `an invalid policy exits with 66 and nothing is written`() throws {
        try Program.withFile("location: {maximum: never}\n") { policy in
            #expect(try Program.run("--rig", "demo", "--policy", policy).status == 66)
            try Tool.withFolder { folder in
                let path = folder.appending(path: "g.yaml").path
                let run = try Program.run(
                    "permissions", "grant", "motion", "--permissions", path, "--policy", policy)
                #expect(run.status == 66)
                #expect(run.complaints.contains("\(policy):1:21: expected always or when-in-use, found \"never\""))
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }
    }

    @Test func `a missing file is an empty one`() throws {
        let run = try Program.run(
            "permissions", "--rig", "demo", "--permissions", "/no/such/file", "--policy", "/no/such/policy")
        #expect(run.status == 0)
    }

    @Test func `a folder or pipe in its place exits with 66`() throws {
        try Tool.withFolder { folder in
            let run = try Program.run("permissions", "grant", "motion", "--permissions", folder.path)
            #expect(run.status == 66)
            #expect(run.complaints.contains(folder.path))
            let pipe = folder.appending(path: "pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            #expect(try Program.run("permissions", "grant", "motion", "--permissions", pipe).status == 66)
            let kind = try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType
            #expect(kind != .typeRegular)
        }
    }

    @Test func `an unwritable folder exits with 73`() throws {
        let run = try Program.run("permissions", "grant", "motion", "--permissions", "/proc/none/g.yaml")
        #expect(run.status == 73)
        #expect(run.complaints.contains("/proc/none/g.yaml"))
    }
}
