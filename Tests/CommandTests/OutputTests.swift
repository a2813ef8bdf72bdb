import Foundation
import Glibc
import Support
import Testing
@testable import rigready

/// One probe with many outputs, and what is printed beside them.
@Suite struct OutputTests {
    private func run(_ words: String..., in folder: URL) throws -> Tool.Run {
        try Tool.run(Program.url.path, words, in: folder)
    }

    private func text(_ name: String, in folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// A report without the durations, which are those of each replay.
    private func timeless(_ text: String) -> String {
        text.replacing(#/(elapsedMilliseconds" : |time="|duration_ms: )[0-9.e-]+/#) { String($0.output.1) }
    }

    @Test func `every format is written of one probe, as it is printed`() throws {
        try Tool.withFolder { folder in
            let formats = ["text", "json", "junit", "tap", "html"]
            let words = formats.flatMap { ["--output", "\($0)=rig.\($0)"] }
            let rig = ["--rig", "field-kit", "--service", "dfd"]
            let outputs = try Tool.run(
                Program.url.path, rig + words + ["--output", "record=rig.jsonl"], in: folder)
            #expect(outputs.status == 1 && outputs.complaints == "")
            for format in formats {
                let printed = try Program.run(rig + ["--format", format])
                #expect(printed.status == 1)
                #expect(timeless(try text("rig.\(format)", in: folder)) == timeless(printed.output), "\(format)")
            }
            #expect(outputs.output == (try text("rig.text", in: folder)))
            // The recording gives the same report.
            let again = try run("--rig", "rig.jsonl", "--service", "dfd", "--format", "json", in: folder)
            #expect(timeless(again.output) == timeless(try text("rig.json", in: folder)))
        }
    }

    /// Each probe of a mock rig has its own time, and its durations are not those of another.
    @Test func `the recording is that of the very probe`() throws {
        try Tool.withFolder { folder in
            let first = try run(
                "--depth", "presence", "--gpsd", "127.0.0.1:1", "--output", "record=rig.jsonl.gz", "--output",
                "json=rig.json", "--quiet", in: folder)
            #expect(first.output == "" && first.complaints == "")
            let live = try JSONSerialization.jsonObject(with: Data(text("rig.json", in: folder).utf8)) as? [String: Any]
            let replayed = try run("--rig", "rig.jsonl.gz", "--format", "json", in: folder).document()
            #expect(live?["takenAt"] as? String == replayed["takenAt"] as? String)
            #expect(live?["takenAt"] != nil)
            for key in ["sensors", "requirements", "services"] {
                #expect((live?[key] as? [Any])?.count == (replayed[key] as? [Any])?.count, "\(key)")
            }
        }
    }

    @Test func `one that cannot be written is 73, and the others and the report are there`() throws {
        try Tool.withFolder { folder in
            let run = try run(
                "--rig", "demo", "--output", "json=nowhere/rig.json", "--output", "html=rig.html", in: folder)
            #expect(run.status == 73)
            #expect(run.complaints == "rigready: nowhere/rig.json: No such file or directory (ENOENT)\n")
            #expect(run.output.contains("all 13 services run"))
            #expect(try text("rig.html", in: folder).hasSuffix("</html>\n"))
        }
    }

    @Test func `a file that is there is replaced whole`() throws {
        try Tool.withFolder { folder in
            let file = folder.appending(path: "rig.json")
            try Data(repeating: 0x20, count: 1 << 20).write(to: file)
            let other = folder.appending(path: "link")
            try FileManager.default.linkItem(at: file, to: other)
            _ = try run("--rig", "demo", "--quiet", "--output", "json=rig.json", in: folder)
            #expect(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) is [String: Any])
            #expect(try Data(contentsOf: other).count == 1 << 20)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["link", "rig.json"])
        }
    }

    @Test func `a report keeps the mode of the file it replaces, a recording is for its owner`() throws {
        try Tool.withFolder { folder in
            func mode(_ name: String) throws -> Int? {
                let path = folder.appending(path: name).path
                return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            let old = folder.appending(path: "old.json")
            try Data().write(to: old)
            try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: old.path)
            let call = "umask 027; exec '\(Program.url.path)' --rig demo --quiet"
            let outputs = " --output json=old.json --output text=new.txt --output record=new.jsonl"
            let run = try Tool.run("/bin/sh", ["-c", call + outputs], in: folder)
            #expect(run.status == 0 && run.complaints == "")
            #expect(try mode("old.json") == 0o664 && mode("new.txt") == 0o640 && mode("new.jsonl") == 0o600)
        }
    }

    @Test func `a file that may not grow is 73, and nothing is left behind`() throws {
        try Tool.withFolder { folder in
            let call =
                "ulimit -f 0; '\(Program.url.path)' --rig demo --quiet --output json=o.json 2>&1 | cat; "
                + "'\(Program.url.path)' permissions grant motion --permissions g.yaml 2>&1 | cat; "
                + "'\(Program.url.path)' --rig demo --quiet --output json=o.json 2>&-; echo status $?"
            let run = try Tool.run("/bin/bash", ["-c", "{ \(call); } | cat"], in: folder)
            #expect(run.output.contains("status 73") && run.output.contains("EFBIG"), "\(run)")
            // The lock is a file without contents.
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.filter { !$0.hasSuffix(".lock") } == [])
        }
    }

    @Test(arguments: ["json=rig.json", "record=rig.jsonl"])
    func `another user's link in a folder like tmp is not followed`(output: String) throws {
        guard geteuid() == 0 else { try Test.cancel("needs root") }
        try Tool.withFolder { folder in
            let (sticky, victim) = (folder.appending(path: "sticky"), folder.appending(path: "victim"))
            try FileManager.default.createDirectory(at: sticky, withIntermediateDirectories: false)
            try Data("before".utf8).write(to: victim)
            let link = sticky.appending(path: String(output.split(separator: "=")[1]))
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
            #expect(unsafe lchown(link.path, 65534, 65534) == 0)
            #expect(unsafe chmod(sticky.path, 0o1777) == 0)
            let run = try run("--rig", "demo", "--quiet", "--output", output, in: sticky)
            #expect(run.status == 73 && run.complaints.contains("belongs to the user 65534"), "\(run)")
            #expect(try String(contentsOf: victim, encoding: .utf8) == "before")
        }
    }

    @Test(arguments: [
        ["--output", "json=a", "--output", "json=b"], ["--output", "json=a", "--output", "html=./a"],
        ["--output", "jsn=a"], ["--output", "json"], ["--output", "json="], ["--output", "=a"], ["--output", "json=-"],
        ["--cached", "--output", "record=a"], ["--color", "sometimes"], ["--format", "htm"],
    ])
    func `a call that means nothing is 64 and writes nothing`(words: [String]) throws {
        try Tool.withFolder { folder in
            let rig = words.contains("--cached") ? [] : ["--rig", "demo"]
            let run = try Tool.run(Program.url.path, rig + words, in: folder)
            #expect(run.status == 64 && run.output == "")
            #expect(run.complaints.split(separator: "\n").count == 1, "\(run.complaints)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test(arguments: [
        ["sensors"], ["permissions"], ["consent"], ["record", "x"], ["fix", "--dry-run"],
    ])
    func `a command without cases takes neither a page nor further files`(words: [String]) throws {
        for option in [["--format", "html"], ["--output", "json=/dev/null"]] {
            let run = try Program.run(words + ["--rig", "demo"] + option)
            #expect(run.status == 64 && run.output == "", "\(words) \(option): \(run.complaints)")
        }
    }

    @Test func `a comparison and a measurement have them too`() throws {
        try Tool.withFolder { folder in
            _ = try run("record", "base.jsonl", "--rig", "demo", in: folder)
            let compared = try run(
                "compare", "base.jsonl", "--rig", "field-kit", "--output", "junit=c.xml", "--output", "html=c.html",
                in: folder)
            #expect(compared.status == 1 && compared.output.contains("6 missing"))
            #expect(try text("c.html", in: folder).contains("6 missing, 14 worse, 1 new"))
            #expect(try text("c.xml", in: folder).contains("<testsuite "))
            let measured = try run(
                "measure", "--rig", "demo", "--output", "html=m.html", "--output", "json=m.json", "--save", "s.html",
                "--quiet", in: folder)
            #expect(measured.output == "" && measured.complaints == "")
            #expect(try text("m.html", in: folder) == text("s.html", in: folder))
            #expect(try text("m.json", in: folder).contains("rigready.measurement/1"))
        }
    }

    @Test func `a recording goes to standard output, and a report beside it is an error`() throws {
        let run = try Program.run("record", "-", "--rig", "demo")
        #expect(run.status == 0 && run.complaints == "")
        let report = try Program.withFile(run.output, ending: "jsonl") { file in try Program.run("--rig", file).output }
        #expect(report == (try Program.run("--rig", "demo").output))
        #expect(try Program.run("record", "-", "--rig", "demo", "--format", "json").status == 64)
    }

    @Test func `quiet leaves the status alone`() throws {
        for words in [["--rig", "field-kit"], ["explain", "dfd", "--rig", "field-kit"], ["--rig", "demo"]] {
            let loud = try Program.run(words)
            let quiet = try Program.run(words + ["--quiet"])
            #expect(quiet.output == "" && quiet.complaints == "" && quiet.status == loud.status)
        }
        for words in [["services"], ["sensors", "--rig", "demo"], ["permissions", "--rig", "demo"]] {
            let quiet = try Program.run(words + ["--quiet"])
            #expect(quiet.output == "" && quiet.complaints == "" && quiet.status == 0)
        }
        #expect(try Program.run("--rig", "/no/such/file", "--quiet").complaints != "")
    }

    @Test func `colour is what is asked for`() throws {
        for words in [["--rig", "field-kit"], ["services"], ["explain", "dfd", "--rig", "demo"]] {
            #expect(try Program.run(words + ["--color", "always"]).output.contains("\u{1b}["))
            #expect(try !Program.run(words + ["--color", "never"]).output.contains("\u{1b}"))
            #expect(try !Program.run(words).output.contains("\u{1b}"))
        }
        let forced = try Program.run(["--rig", "demo", "--color", "always"], environment: ["NO_COLOR": "1"])
        #expect(forced.output.contains("\u{1b}["))
        #expect(try !Program.run("--rig", "demo", "--color", "always", "--format", "json").output.contains("\u{1b}"))
    }

    @Test(
        arguments: [
            (["--json"], "--format json"), (["--services", "dfd"], "--service"), (["--colour"], "--color"),
            (["watch", "--duration", "3"], "--for"), (["explain", "dfd", "--html"], "--format html"),
            (["--license", "dfd"], "--licence"), (["record", "x", "--anonymise"], "--anonymize"), (["-q"], "--quiet"),
            (["--verbose"], "rigready explain SERVICE"), (["measure", "--duration=3"], "--for"),
            (["services", "--json"], "--format json"), (["permissions", "grant", "motion", "--colour"], nil),
            (["--duration", "3"], nil),
        ] as [([String], String?)])
    func `an option that is guessed leads to the one that means the same`(words: [String], meant: String?) throws {
        let run = try Program.run(words)
        #expect(run.status == 64 && run.output == "")
        if let meant {
            #expect(run.complaints.contains("'\(meant)'"), "\(run.complaints)")
        } else {
            #expect(!run.complaints.contains("Did you mean"), "\(run.complaints)")
        }
    }
}
