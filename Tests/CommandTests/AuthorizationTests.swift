import Foundation
import Support
import Testing

/// The effect of grants and policy on a report.
@Suite struct AuthorizationTests {
    /// The report on the demo under grants and a policy.
    private func report(_ grants: String, _ policy: String = "", _ words: String...) throws -> [String: Any] {
        try Program.withFile(grants) { grants in
            try Program.withFile(policy) { policy in
                try Program.run(
                    (words.isEmpty ? ["check"] : words)
                        + ["--rig", "demo", "--format", "json", "--permissions", grants, "--policy", policy]
                ).document()
            }
        }
    }

    private func line(_ report: [String: Any], _ list: String, _ id: String) throws -> [String: Any] {
        let lines = try #require(report[list] as? [[String: Any]])
        return try #require(lines.first { $0["id"] as? String == id })
    }

    private func authorization(_ report: [String: Any], _ name: String) throws -> [String: Any] {
        let all = try #require(report["authorizations"] as? [String: Any])
        #expect(Set(all.keys) == ["location", "motion", "bluetooth", "health"])
        return try #require(all[name] as? [String: Any])
    }

    private func position(_ report: [String: Any]) throws -> [String: Any] {
        let sensors = try #require(report["sensors"] as? [[String: Any]])
        let receiver = try #require(sensors.first { $0["kind"] as? String == "locationReceiver" })
        return try #require(receiver["reading"] as? [String: Any])
    }

    @Test func `authorizations have the keys of the contract`() throws {
        let report = try report("motion: denied\n", "health: restricted\n")
        #expect(
            Set(try authorization(report, "location").keys)
                == ["status", "accuracy", "provisional", "from", "evidence"])
        #expect(Set(try authorization(report, "bluetooth").keys) == ["status", "state", "from", "evidence"])
        for (name, status, source) in [
            ("location", "authorizedAlways", "access"), ("motion", "denied", "grant"),
            ("bluetooth", "allowedAlways", "access"), ("health", "restricted", "policy"),
        ] {
            let one = try authorization(report, name)
            #expect(one["status"] as? String == status)
            #expect(one["from"] as? String == source)
            #expect((one["evidence"] as? String)?.isEmpty == false)
            if ["motion", "health"].contains(name) { #expect(Set(one.keys) == ["status", "from", "evidence"]) }
        }
        #expect(try authorization(report, "bluetooth")["state"] as? String == "poweredOn")
    }

    @Test func `a configuration may reduce location by default`() throws {
        let text = "services: [driving]\nNSLocationDefaultAccuracyReduced: true\n"
        try Program.withFile(text) { configuration in
            let words = ["check", "--config", configuration]
            func accuracy(_ grants: String) throws -> (status: String?, driving: String?) {
                let report = try Program.withFile(grants) { grants in
                    try Program.run(
                        words + ["--rig", "demo", "--format", "json", "--permissions", grants]
                    ).document()
                }
                return (
                    try authorization(report, "location")["accuracy"] as? String,
                    try line(report, "services", "driving")["verdict"] as? String
                )
            }
            let reduced = try accuracy("")
            #expect(reduced.status == "reducedAccuracy" && reduced.driving == "fails")
            // What the user decided holds.
            let full = try accuracy("location: always\n")
            #expect(full.status == "fullAccuracy" && full.driving == "runs")
        }
    }

    @Test func `explain has authorizations too`() throws {
        let report = try report("motion: denied\n", "", "explain", "cycling")
        #expect(try authorization(report, "motion")["from"] as? String == "grant")
        let motion = try line(report, "requirements", "motion")
        #expect(motion["cause"] as? String == "denied")
        let evidence = try #require(motion["evidence"] as? [[String: Any]])
        #expect((evidence.first?["said"] as? String)?.hasSuffix("motion: denied") == true)
        #expect(try line(report, "services", "cycling")["verdict"] as? String == "fails")
        let text = try Program.withFile("motion: denied\n") {
            try Program.run("explain", "cycling", "--rig", "demo", "--permissions", $0).output
        }
        #expect(text.contains("motion: denied"))
        #expect(text.contains("→ rigready permissions grant motion --permissions"))
    }

    @Test func `an undetermined requirement fails and its remedy is a grant where nobody can be asked`() throws {
        try Program.withFile("motion: not-determined\nlocation: not-determined\n") { grants in
            let run = try Program.run("--rig", "demo", "--permissions", grants, "--format", "json")
            #expect(run.status == 1)
            let report = try run.document()
            for (id, call) in [("motion", "grant motion"), ("location", "grant location --always")] {
                let requirement = try line(report, "requirements", id)
                #expect(requirement["standing"] as? String == "unmet")
                #expect(requirement["cause"] as? String == "notDetermined")
                #expect(requirement["remedy"] as? String == "rigready permissions \(call) --permissions \(grants)")
            }
            #expect(try line(report, "services", "walking")["failures"] as? [String] == ["motion"])
        }
    }

    @Test func `undetermined Bluetooth is unchecked and affects no verdict`() throws {
        let report = try report("bluetooth: not-determined\n")
        let bluetooth = try line(report, "requirements", "bluetooth")
        #expect(bluetooth["standing"] as? String == "unchecked")
        #expect(bluetooth["cause"] as? String == "notDetermined")
        #expect((bluetooth["evidence"] as? [[String: Any]])?.count == 1)
        #expect((bluetooth["remedy"] as? String)?.hasPrefix("rigready permissions grant bluetooth") == true)
        let service = try line(report, "services", "driving.deviceDiscovery")
        #expect(service["verdict"] as? String == "runs")
        #expect(service["unchecked"] as? [String] == ["bluetooth"])
        #expect(service["warnings"] as? [String] == [])
        #expect(report["exitStatus"] as? Int == 0)
        // Denied is different: then it is probed, with a warning.
        let denied = try self.report("bluetooth: denied\n")
        #expect(try line(denied, "services", "driving.deviceDiscovery")["warnings"] as? [String] == ["bluetooth"])
        #expect(try authorization(denied, "bluetooth")["state"] as? String == "unauthorized")
    }

    @Test(arguments: [
        ("location: denied\n", ""), ("location: not-determined\n", ""), ("", "location: restricted\n"),
    ])
    func `a position that is not allowed is not shown`(grants: String, policy: String) throws {
        for command in ["check", "sensors"] {
            let position = try position(report(grants, policy, command))
            #expect(position["latitude"] is NSNull && position["longitude"] is NSNull)
            #expect(position["altitude"] is NSNull)
            #expect(position["fix"] as? String == "3D")
        }
        // Nor anywhere in the text report.
        let shown = try #require(try position(report(""))["latitude"] as? Double)
        let degrees = "\(shown)".prefix(5)
        try Program.withFile(grants) { grants in
            try Program.withFile(policy) { policy in
                for words in [["check"], ["sensors"], ["explain", "places"], ["permissions"]] {
                    for format in ["text", "json"] {
                        let run = try Program.run(
                            words
                                + ["--rig", "demo", "--permissions", grants, "--policy", policy, "--format", format])
                        // A driver's duration may be any number.
                        let lines = run.output.split(separator: "\n").filter { !$0.contains("elapsedMilliseconds") }
                        #expect(!lines.contains { $0.contains(degrees) }, "\(words)")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        ("location: {status: always, accuracy: reduced}\n", "", "grant"),
        ("", "location: {accuracy: reduced}\n", "policy"),
    ])
    func `a reduced position is a tenth of a degree`(grants: String, policy: String, source: String) throws {
        let full = try position(report(""))
        let report = try report(grants, policy)
        let coarse = try position(report)
        for key in ["latitude", "longitude"] {
            let exact = try #require(full[key] as? Double)
            #expect(coarse[key] as? Double == (exact * 10).rounded() / 10)
            #expect(coarse[key] as? Double != exact)
        }
        let location = try authorization(report, "location")
        #expect(location["accuracy"] as? String == "reducedAccuracy")
        #expect(location["status"] as? String == "authorizedAlways")
        #expect(location["from"] as? String == source)
        #expect(try line(report, "requirements", "preciseLocation")["cause"] as? String == "reducedAccuracy")
        #expect(try line(report, "requirements", "location")["standing"] as? String == "met")
    }

    @Test func `a provisional Always is a notice`() throws {
        let report = try report("location: {status: always, provisional: {boot: x}}\n")
        #expect(try authorization(report, "location")["provisional"] as? Bool == true)
        #expect(try line(report, "notices", "provisional")["detail"] is String)
        #expect(try line(report, "requirements", "backgroundLocation")["standing"] as? String == "met")
    }

    @Test func `a recorded rig is evaluated without this user's grants`() throws {
        try Tool.withFolder { folder in
            let place = folder.appending(path: "rigready")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data("motion: denied\n".utf8).write(to: place.appending(path: "permissions.yaml"))
            let run = try Program.run(
                ["--rig", "demo", "--format", "json"], environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(try authorization(run.document(), "motion")["from"] as? String == "access")
        }
    }
}

/// Access as another user of this machine.
@Suite struct AccountTests {
    @Test(arguments: [
        (["--as", "nobody", "--rig", "demo"], "--rig"), (["--as", "no such user"], "there is no user 'no such user'"),
        (["--as", ""], "there is no user ''"), (["--as", "-1"], "--as"), (["--as", "4294967296"], "no user"),
    ])
    func `invalid arguments exit with 64`(words: [String], hint: String) throws {
        let run = try Program.run(words)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.complaints.contains(hint), "\(run.complaints)")
    }

    @Test func `root may ask as another user`() throws {
        guard geteuid() == 0 else { try Test.cancel("needs root") }
        for name in ["nobody", "65534"] {
            let report = try Program.run("--as", name, "--format", "json", "--depth", "presence").document()
            let rig = try #require(report["rig"] as? [String: Any])
            let user = try #require(rig["user"] as? [String: Any])
            #expect(user["name"] as? String == "nobody")
            #expect(user["uid"] as? Int == 65534)
            let notices = try #require(report["notices"] as? [[String: Any]])
            #expect(!notices.contains { $0["id"] as? String == "superuser" })
        }
    }

    @Test func `other users may ask only as themselves`() throws {
        guard geteuid() == 0 else { try Test.cancel("needs root, to become another") }
        let setpriv = try Tool.path("setpriv", package: "util-linux")
        try Tool.withFolder { folder in
            // The build folder may be inaccessible to others.
            let copy = folder.appending(path: "rigready").path
            try Tool.copy(Program.url, asProgram: URL(filePath: copy))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            func run(_ words: String...) throws -> Tool.Run {
                try Tool.run(
                    setpriv, ["--reuid=65534", "--regid=65534", "--clear-groups", copy] + words,
                    environment: ["HOME": "/nonexistent"], in: URL(filePath: "/"))
            }
            let root = try run("--as", "root", "--depth", "presence")
            #expect(root.status == 64)
            #expect(root.complaints.contains("--as root needs root"))
            #expect(try run("permissions", "--as", "nobody", "--depth", "presence").status == 0)
        }
    }
}
