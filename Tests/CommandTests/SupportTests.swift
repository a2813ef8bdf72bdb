import Foundation
import Glibc
import Readiness
import Support
import Testing
@testable import rigready

/// `rigready support`: one archive for a ticket, without what identifies the rig.
@Suite struct SupportTests {
    /// The files of a recorded rig, of which this machine has no journal.
    private static let recorded = members.filter { $0 != "journal.txt" }
    private static let members = [
        "README.txt", "configuration.txt", "journal.txt", "recording.jsonl.gz", "report.html", "report.json",
        "system.txt",
    ]

    /// A place to run the program: its folder, a folder of programs that comes first on the PATH, and TMPDIR.
    private struct Place {
        let folder, bin, scratch: URL

        init(in root: URL) throws {
            folder = root.appending(path: "here")
            bin = root.appending(path: "bin")
            scratch = root.appending(path: "tmp")
            for new in [folder, bin, scratch] {
                try FileManager.default.createDirectory(at: new, withIntermediateDirectories: false)
            }
        }

        /// The names in a folder.
        func names(in folder: URL) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        }

        /// Runs `rigready support`; `isAlone` leaves only the programs in `bin` on the PATH.
        func run(_ words: [String], isAlone: Bool = false, environment: [String: String] = [:]) throws -> Tool.Run {
            let path = bin.path + (isAlone ? "" : ":/usr/bin:/bin")
            let own = ["PATH": path, "TMPDIR": scratch.path, "HOME": "/home/annika"]
            let run = try Tool.run(
                Program.url.path, ["support"] + words, environment: own.merging(environment) { $1 }, in: folder,
                limit: 60)
            // Whatever happens, no temporary file is left.
            #expect(try names(in: scratch) == [])
            return run
        }

        /// The files of an archive.
        func unpacked(_ archive: String) throws -> [String: String] {
            let target = folder.appending(path: "unpacked-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
            let file = folder.appending(path: archive).path
            let tar = try Tool.run("/usr/bin/tar", ["-xzf", file, "-C", target.path])
            try #require(tar.status == 0, "\(tar.complaints)")
            let inner = try #require(try names(in: target).first)
            #expect(inner.wholeMatch(of: /rigready-support-\d{4}-\d\d-\d\d/) != nil, "\(inner)")
            let root = target.appending(path: inner)
            return try Dictionary(
                uniqueKeysWithValues: names(in: root).map { name -> (String, String) in
                    let file = root.appending(path: name)
                    guard name.hasSuffix(".gz") else { return (name, try String(contentsOf: file, encoding: .utf8)) }
                    return (name, try Tool.run("/bin/gzip", ["-dc", file.path]).output)
                })
        }
    }

    private func withPlace(_ body: (Place) throws -> Void) throws {
        try Tool.withFolder { try body(Place(in: $0)) }
    }

    @Test func `the archive has a recording with its report, and names every file`() throws {
        try withPlace { place in
            let run = try place.run(["--rig", "prototype-board", "--service", "impact"])
            #expect(run.status == 0, "\(run.complaints)")
            let archive = try #require(try place.names(in: place.folder).first)
            #expect(archive.wholeMatch(of: /rigready-support-\d{4}-\d\d-\d\d\.tar\.gz/) != nil, "\(archive)")
            let file = place.folder.appending(path: archive).path
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            // It has no name of a user, and nobody else may read what it unpacks to.
            let list = try Tool.run("/usr/bin/tar", ["--numeric-owner", "-tvzf", file]).output.split(separator: "\n")
            #expect(list.count == Self.recorded.count + 1)
            #expect(list.allSatisfy { $0.contains(" 0/0 ") && $0.prefix(10).hasSuffix("------") }, "\(list)")

            let files = try place.unpacked(archive)
            #expect(files.keys.sorted() == Self.recorded)
            for name in Self.recorded {
                #expect(run.output.contains(name) && files["README.txt", default: ""].contains(name), "\(name)")
                for secret in ["developer", "annika"] {
                    #expect(!files[name, default: ""].contains(secret), "\(name): \(secret)")
                }
            }
            #expect(run.output.hasPrefix("wrote \(archive): 6 files"))
            #expect(!(run.output + files["README.txt", default: ""]).contains("journal"))
            #expect(files["system.txt", default: ""].hasPrefix("rigready \(Release.version)\nLinux "))
            #expect(files["report.html", default: ""].hasPrefix("<!DOCTYPE html>"))
        }
    }

    @Test func `the report is that of the recording`() throws {
        try withPlace { place in
            #expect(try place.run(["a.tar.gz", "--rig", "field-kit", "--service", "impact"]).status == 0)
            let tar = try Tool.run(
                "/usr/bin/tar", ["-xzf", "a.tar.gz", "--strip-components=1"], in: place.folder)
            #expect(tar.status == 0, "\(tar.complaints)")
            let report = try String(contentsOf: place.folder.appending(path: "report.json"), encoding: .utf8)
            let recording = place.folder.appending(path: "recording.jsonl.gz").path
            let replay = try Program.run("--rig", recording, "--service", "impact", "--format", "json")
            #expect(replay.output.difference(from: report) == nil)
            #expect(try replay.document()["exitStatus"] as? Int == 1)
        }
    }

    @Test(.waits) func `the decisions and pins of this machine are in no file`() throws {
        try withPlace { place in
            let home = place.bin.appending(path: "home/annika")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let grants = home.appending(path: "grants.yaml")
            try Data("motion: denied\n".utf8).write(to: grants)
            let run = try place.run([
                "a.tar.gz", "--depth", "presence", "--permissions", grants.path, "--sensor",
                "controller=00:AA:BB:CC:DD:EE",
            ])
            #expect(run.status == 0, "\(run.complaints)")
            for (name, text) in try place.unpacked("a.tar.gz") where name != "journal.txt" {
                for secret in ["annika", "00:aa:bb"] {
                    #expect(!text.lowercased().contains(secret), "\(name): \(secret)")
                }
            }
        }
    }

    // MARK: The configuration

    @Test(arguments: [
        ("services: [walking]\npurposes: {motion: For annika.}", "rig.yaml is a valid configuration."),
        ("services: [walking]\nbroker: mqtt://annika:hunter2@lab", "rig.yaml is not valid: line 2, column 9. "),
        ("broker: {annika: hunter2}", "rig.yaml is not valid: line 1, column 10. "),
    ])
    func `the configuration is described, and its contents are in no file`(text: String, sentence: String) throws {
        try withPlace { place in
            try Data(text.utf8).write(to: place.folder.appending(path: "rig.yaml"))
            let run = try place.run(["a.tar.gz", "--rig", "demo", "--config", "rig.yaml"])
            #expect(run.status == 0 && !run.complaints.contains("hunter2"), "\(run.complaints)")
            let files = try place.unpacked("a.tar.gz")
            #expect(files["configuration.txt"]?.hasPrefix(sentence) == true, "\(files["configuration.txt"] ?? "")")
            for (name, text) in files {
                #expect(!text.contains("annika") && !text.contains("hunter2"), "\(name)")
            }
        }
    }

    @Test func `a configuration that cannot be read is named without the home folder`() throws {
        try withPlace { place in
            let run = try place.run(["a.tar.gz", "--rig", "demo", "--config", "/home/annika/rig.yaml"])
            #expect(run.status == 0, "\(run.complaints)")
            let text = try place.unpacked("a.tar.gz")["configuration.txt"] ?? ""
            #expect(text.hasPrefix("The configuration cannot be read: ~/rig.yaml: No such file"), "\(text)")
        }
    }

    // MARK: The journal

    @Test(.waits) func `the journal has its last lines, without passwords`() throws {
        try withPlace { place in
            let script = """
                #!/bin/sh
                [ "$*" = "-u rigready -n 500 --no-pager -o short-iso --no-hostname" ] || exit 9
                seq 9000
                printf '\\033[2Jfalse\\n'
                echo "not publishing: mqtt://rig:hunter2@lab:1883"
                echo "Hint: token=hunter2" >&2
                """
            try Tool.write(script, asProgram: place.bin.appending(path: "journalctl"))
            #expect(try place.run(["a.tar.gz", "--depth", "presence"]).status == 0)
            let text = try place.unpacked("a.tar.gz")["journal.txt"] ?? ""
            let lines = text.split(separator: "\n")
            #expect(lines.count == 501 && lines.first == "# journalctl: Hint: token=[removed]", "\(lines.prefix(3))")
            #expect(lines.suffix(3) == ["9000", "[2Jfalse", "not publishing: mqtt://[removed]@lab:1883"])
        }
    }

    @Test(.waits) func `without a journal its file says why`() throws {
        let cases: [(script: String?, sentence: String)] = [
            (nil, "# There is no journal: journalctl is not on the PATH."),
            ("#!/bin/sh\necho no journal files >&2\nexit 1\n", "# journalctl failed with status 1: no journal files"),
            ("#!/bin/sh\nkill -9 $$\n", "# journalctl was ended by signal 9"),
        ]
        for (script, sentence) in cases {
            try withPlace { place in
                for name in ["tar", "gzip", "uname"] {
                    try FileManager.default.createSymbolicLink(
                        at: place.bin.appending(path: name), withDestinationURL: URL(filePath: "/bin/\(name)"))
                }
                if let script { try Tool.write(script, asProgram: place.bin.appending(path: "journalctl")) }
                let run = try place.run(["a.tar.gz", "--depth", "presence"], isAlone: true)
                #expect(run.status == 0, "\(run.complaints)")
                let text = try place.unpacked("a.tar.gz")["journal.txt"] ?? ""
                #expect(text.hasPrefix(sentence), "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("publishing to mqtt://lab:1883", "publishing to mqtt://lab:1883"),
        ("mqtt://rig:hunter2@lab:1883: refused", "mqtt://[removed]@lab:1883: refused"),
        ("'mqtts://a:b@x,mqtts://c:d@y'", "'mqtts://[removed]@y'"),
        ("mqtt://rig:p@ss/w?rd@lab", "mqtt://[removed]@lab"), ("http://token@lab", "http://[removed]@lab"),
        ("rig:hunter2@lab", "[removed]@lab"), ("mail anna@lab at 12:30", "mail anna@lab at 12:30"),
        ("password=hunter2 next", "password=[removed] next"), ("Password: hunter2 next", "Password: [removed] next"),
        (#"{"token":"hunter2","a":1}"#, #"{"token":[removed]"#), ("SECRET: ", "SECRET: "),
        ("--token=hunter2  two", "--token=[removed]  two"),
        (
            "/etc/p: every user may use this secret; chmod o= /etc/p",
            "/etc/p: every user may use this secret; chmod o= /etc/p"
        ),
        ("passwordFile: /etc/p", "passwordFile: /etc/p"), ("", ""), ("@", "@"), ("://@", "://[removed]@"),
    ])
    func `secrets are removed from a line`(line: String, expected: String) {
        #expect(ServiceJournal.withoutSecrets(line) == expected)
    }

    @Test func `the journal is bounded, and a cut line is left out`() {
        let long = "mqtt://rig:" + String(repeating: "p", count: 2 << 20) + "hunter2@lab"
        #expect(ServiceJournal.lines(of: Array("\(long)\nlast\n".utf8)) == ["last"])
        let many = (1...2000).map { "\($0)\n" }.joined()
        let lines = ServiceJournal.lines(of: Array(many.utf8))
        #expect(lines.count == 500 && lines.first == "1501" && lines.last == "2000")
        #expect(ServiceJournal.lines(of: [0xff, 0x0a, 0x00, 0x0a, 0x0a]) == ["\u{fffd}", ""])
        #expect(ServiceJournal.lines(of: []) == [])
    }

    @Test(.waits) func `the output of a command is kept, apart from its errors`() throws {
        let outcome = try ShellProcess.run("echo one; echo two >&2", seconds: 20, keepsOutput: true)
        #expect(outcome == .init(end: .exited(0), said: "two", output: Array("one\n".utf8)))
        #expect(try ShellProcess.run("seq 90000", seconds: 20, keepsOutput: true).output.count == 528_894)
        #expect(try ShellProcess.run("exit 3", seconds: 20, keepsOutput: true) == .init(end: .exited(3), said: ""))
    }

    // MARK: The file

    @Test func `an existing file is replaced only with --force, and is private then`() throws {
        try withPlace { place in
            let file = place.folder.appending(path: "a.tar.gz")
            try Data("before".utf8).write(to: file)
            #expect(unsafe chmod(file.path, 0o644) == 0)
            let refused = try place.run(["a.tar.gz", "--rig", "demo"])
            #expect(refused.status == 73 && refused.output == "" && !refused.complaints.contains("recording"))
            #expect(refused.complaints.contains("a.tar.gz: the file exists; "), "\(refused.complaints)")
            #expect(try String(contentsOf: file, encoding: .utf8) == "before")
            let forced = try place.run(["a.tar.gz", "--rig", "demo", "--force", "--quiet"])
            #expect(forced.status == 0 && forced.output == "" && forced.complaints == "", "\(forced.complaints)")
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
            #expect(try place.unpacked("a.tar.gz").count == Self.recorded.count)
        }
    }

    @Test func `without tar nothing is written, and the package is named`() throws {
        try withPlace { place in
            let run = try place.run(["a.tar.gz", "--rig", "demo"], isAlone: true)
            #expect(run.status == 73 && run.complaints.contains("install the package tar"), "\(run.complaints)")
            #expect(try place.names(in: place.folder) == [])
            try Tool.write("#!/bin/sh\necho no space >&2\nexit 2\n", asProgram: place.bin.appending(path: "tar"))
            let failed = try place.run(["a.tar.gz", "--rig", "demo"])
            #expect(
                failed.status == 73 && failed.complaints.contains("cannot be packed: no space"), "\(failed.complaints)")
            #expect(try place.names(in: place.folder) == [])
        }
    }

    @Test(arguments: [
        (["-"], 64, "not to standard output"), (["no/such/folder/a.tar.gz"], 73, "no/such/folder/a.tar.gz: "),
        (["a.tar.gz", "--rig", "/no/such/rig"], 66, "/no/such/rig: "),
    ])
    func `a call that cannot work says why and writes nothing`(words: [String], status: Int, reason: String) throws {
        try withPlace { place in
            let run = try place.run(words)
            #expect(Int(run.status) == status && run.output == "")
            #expect(run.complaints.contains(reason), "\(run.complaints)")
            #expect(try place.names(in: place.folder) == [])
        }
    }

    @Test func `a folder for temporary files that does not exist is named`() throws {
        try withPlace { place in
            let run = try place.run(["a.tar.gz", "--rig", "demo"], environment: ["TMPDIR": "/no/such folder"])
            #expect(run.status == 73 && run.complaints.contains("/no/such folder/rigready-"), "\(run.complaints)")
        }
    }
}
