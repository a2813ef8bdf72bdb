import Foundation
import Support
import Glibc
import Testing

/// The words of `rigready fleet` and `watch --publish`, without a broker.
@Suite struct FleetCommandTests {
    @Test(arguments: [
        (["fleet"], "name a broker: --broker mqtt://HOST, or broker: in /etc/rigready/config.yaml."),
        (["fleet", "--broker", "http://h"], "--broker takes mqtt://HOST[:PORT] or mqtts://HOST[:PORT]."),
        (["fleet", "--broker", "mqtt://h/path"], "--broker takes mqtt://HOST[:PORT]"),
        (["fleet", "--broker", "mqtt://h:0"], "--broker takes mqtt://HOST[:PORT]"),
        (["fleet", "--broker", "mqtt://h", "--service", "drivng"], "Did you mean 'driving'?"),
        (["fleet", "--broker", "mqtt://h", "--pick", "--watch"], "--pick prints a name, and ends."),
        (["fleet", "--broker", "mqtt://h", "--pick", "--all"], "--pick needs one rig"),
        (["fleet", "--broker", "mqtt://h", "--forget", "a/b"], "--forget takes the name of a rig"),
        (["fleet", "--broker", "mqtt://h", "--forget", "a", "--all"], "--forget removes a rig"),
        (["fleet", "--broker", "mqtt://h", "--format", "tap"], "tap is a format of check,"),
        (["fleet", "--broker", "mqtt://h", "--quiet", "--pick"], "--quiet prints nothing, which --pick is for."),
        (["watch", "--publish", "lab"], "--publish takes mqtt://HOST[:PORT]"),
        (["watch", "--publish", "mqtt://h", "--name", "a b"], "--name takes up to 64 letters"),
        (["watch", "--name", "a"], "--name needs --publish."),
        (["watch", "--publish", "mqtt://h", "--format", "json"], "--publish publishes JSON"),
    ])
    func `wrong words are refused with what was expected`(words: [String], complaint: String) throws {
        let run = try Program.run(words)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.complaints.contains(complaint), "\(run.complaints)")
    }

    @Test(arguments: ["fleet --broker", "watch --publish"])
    func `a password on the command line is refused, and not repeated`(words: String) throws {
        let run = try Program.run(words.split(separator: " ").map(String.init) + ["mqtts://rig:horse@lab"])
        #expect(run.status == 64)
        #expect(run.complaints.contains("passwordFile") && !run.complaints.contains("horse"))
    }

    @Test(arguments: [
        ("rig\nhorse\n", 0o644, "every user may use this secret"), ("rig\n", 0o600, "expected two lines"),
        ("\nhorse\n", 0o600, "expected two lines"), ("rig\nhorse\nmore\n", 0o600, "expected two lines"),
        (nil, 0, "No such file or directory"),
    ])
    func `a password file that is not one of two lines, or not kept, is refused`(
        text: String?, mode: Int, complaint: String
    ) throws {
        try Tool.withFolder { folder in
            let secret = folder.appending(path: "secret")
            if let text {
                try Data(text.utf8).write(to: secret)
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: secret.path)
            }
            let configuration = folder.appending(path: "rig.yaml")
            try Data("broker: {urls: 'mqtt://127.0.0.1:1', passwordFile: secret}\n".utf8).write(to: configuration)
            for words in [["fleet"], ["watch", "--rig", "demo", "--publish", "mqtt://127.0.0.1:1"]] {
                let run = try Program.run(words + ["--config", configuration.path])
                #expect(run.status == 66)
                #expect(run.complaints.contains(complaint) && !run.complaints.contains("horse"), "\(run.complaints)")
            }
        }
    }

    @Test func `without libmosquitto the package is named, and the rig's own work goes on`() throws {
        try Tool.withFolder { folder in
            // The loader finds this one first, and cannot open it.
            try Data().write(to: folder.appending(path: "libmosquitto.so.1"))
            let environment = ["LD_LIBRARY_PATH": folder.path]
            let words = "libmosquitto is not installed (libmosquitto.so.1); apt-get install libmosquitto1"
            let fleet = try Program.run(["fleet", "--broker", "mqtt://127.0.0.1:1"], environment: environment)
            #expect(fleet.status == 2 && fleet.output == "")
            #expect(fleet.complaints == "rigready: \(words)\n")

            let (grants, kept) = (folder.appending(path: "grants.yaml"), folder.appending(path: "rig.json"))
            try Data("motion: allowed\n".utf8).write(to: grants)
            let watch = try RunningProgram(
                [
                    "watch", "--rig", "demo", "--permissions", grants.path, "--keep", kept.path, "--publish",
                    "mqtt://127.0.0.1:1",
                ], named: "watch", environment: environment, in: folder)
            #expect(RunningProgram.wait { watch.text.contains("not publishing: \(words); retrying") })
            func isKept(_ status: Int) -> Bool {
                guard let data = try? Data(contentsOf: kept) else { return false }
                let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
                return document?["exitStatus"] as? Int == status
            }
            #expect(RunningProgram.wait { isKept(0) }, "\(watch.text)")
            try Data("motion: denied\n".utf8).write(to: grants, options: .atomic)
            #expect(RunningProgram.wait { isKept(1) }, "\(watch.text)")
            #expect(watch.end(SIGTERM) == 0)
            // Told once, however often it is tried.
            #expect(watch.text.split(separator: "not publishing").count == 2, "\(watch.text)")
        }
    }

    @Test func `a message of any size takes no memory of who reads the fleet`() throws {
        let time = try Tool.path("time", package: "time")
        let publish = try Tool.path("mosquitto_pub", package: "mosquitto-clients")
        try Tool.withFolder { folder in
            let address = "127.0.0.1:\(try RunningGPSD.freePort())"
            let broker = try RunningProgram.mosquitto(at: address, in: folder)
            defer { broker.end(SIGKILL) }
            let parts = address.split(separator: ":").map(String.init)
            /// KiB at most, while the broker keeps what it has.
            func memory() throws -> Int {
                let report = folder.appending(path: "memory").path
                let words = [
                    "-q", "-f", "%M", "-o", report, Program.url.path, "fleet", "--broker", "mqtt://\(address)",
                ]
                let run = try Tool.run(time, words, in: folder, limit: 60)
                #expect(run.status <= 2, "\(run)")
                let text = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").last ?? ""
                return try #require(Int(text))
            }
            let usual = try memory()
            let big = folder.appending(path: "big")
            try Data(count: 100 << 20).write(to: big)
            for topic in ["report", "state", "run/driving"] {
                let sent = try Tool.run(
                    publish,
                    ["-h", parts[0], "-p", parts[1], "-r", "-q", "1", "-t", "rigready/bench/\(topic)", "-f", big.path],
                    limit: 60)
                #expect(sent.status == 0, "\(sent.complaints)")
            }
            let most = try memory()
            #expect(most - usual < 16 << 10, "\(most) KiB, \(usual) without the messages")
        }
    }

    @Test func `where no broker answers the status is 2, and the document says so`() throws {
        let run = try Program.run("fleet", "--broker", "mqtt://127.0.0.1:1", "--format", "json")
        #expect(run.status == 2)
        #expect(run.complaints.contains("mqtt://127.0.0.1:1: Connection refused (ECONNREFUSED)"))
        let document = try run.document()
        #expect(document["schema"] as? String == "rigready.fleet/1")
        #expect(document["broker"] is NSNull && (document["rigs"] as? [Any])?.isEmpty == true)
        #expect(document["exitStatus"] as? Int == 2)
    }
}
