import Foundation
import Readiness
import Support
import Testing

/// The exit statuses and error messages of the contract.
@Suite struct StatusTests {
    @Test func `a ready rig exits with 0`() throws {
        let run = try Program.run("--rig", "demo")
        #expect(run.status == 0)
        #expect(run.complaints == "")
        #expect(run.output.contains("all 13 services run"))
    }

    @Test(arguments: [
        (["chekc"], "Did you mean 'check'?"),
        (["--rules", "3"], "--rules takes 1.x or 2.MINOR, not '3'.\n"),
        (["explain", "impct"], "Did you mean 'impact'?"),
        (["--service", "dfdd"], "there is no service 'dfdd'"),
        (["--sensor", "gyroscpe=x"], "Did you mean 'gyroscope'?"),
        (["--sensor", "gyroscope"], "KIND=KEY"),
        (["--gpsd", "host:port"], "gpsd"),
        (["--depth", "deep"], "depth"),
        (["--timeout", "0"], "--timeout"),
        (["--timeout", "nan"], "--timeout"),
        (["--iio", "tcp:x"], "--iio takes"),
        (["--formt", "json"], "Did you mean '--format'?"),
        (["--fix", "2D"], "Did you mean '--min-fix' or '--wait-fix'?"),
        (["--age", "3"], "Did you mean '--max-age'?"),
        (["--root", "/host"], "Did you mean '--sysfs'?"),
        (["--port", "3"], "unknown option '--port'. See"),
        (["watch", "--log", "x"], "unknown option '--log'. See"),
        (["--rules", "1.x", "--service", "health"], "health (since 2.14)"),
        (["--rules", "2.0", "--background-location-mandatory"], "backgroundLocationPermissionMandatory"),
        (["auditor"], "Did you mean 'audit'?"), (["audit"], "missing expected argument '<path>'"),
        (["permissions", "grant"], "See 'rigready permissions grant --help'."),
        (["--format", "xml"], "junit"),
        (["sensors", "--format", "junit"], "junit is a format of check, explain, compare, audit and measure."),
        (["services", "--format", "tap"], "tap is a format of check,"),
        (["record", "/tmp/never", "--format", "junit"], "junit is a format of check,"),
    ])
    func `invalid arguments exit with 64`(words: [String], hint: String) throws {
        let run = try Program.run(words)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.complaints.contains(hint), "\(run.complaints)")
    }

    @Test func `a missing file exits with 66`() throws {
        for option in ["--config", "--rig"] {
            let run = try Program.run(option, "/no/such/file")
            #expect(run.status == 66)
            #expect(run.output == "")
            #expect(run.complaints.contains("/no/such/file"))
            #expect(run.complaints.contains("expected"))
            #expect(run.complaints.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: [("dmo", "demo"), ("fieldkit", "field-kit"), ("prototype-bord", "prototype-board")])
    func `a near miss of an embedded rig is suggested`(name: String, meant: String) throws {
        let run = try Program.run("--rig", name)
        #expect(run.status == 66)
        #expect(run.complaints.contains("did you mean \"\(meant)\"?"), "\(run.complaints)")
    }

    @Test func `a configuration error names its place`() throws {
        try Program.withFile("services:\n  - drivng\n") { file in
            let run = try Program.run("--config", file, "--rig", "demo")
            #expect(run.status == 66)
            #expect(run.complaints.contains("\(file):2:5"))
            #expect(run.complaints.contains("driving"))
        }
    }

    @Test func `a service outside the configuration exits with 64`() throws {
        try Program.withFile("services: [cycling]\n") { file in
            let run = try Program.run("--config", file, "--service", "walking", "--rig", "demo")
            #expect(run.status == 64)
            #expect(run.complaints.contains("walking"))
        }
    }

    @Test func `an unlicensed service exits with 1`() throws {
        let run = try Program.run("--rig", "demo", "--service", "cycling", "--licence", "walking")
        #expect(run.status == 1)
        #expect(run.output.contains("not in the licence"))
    }

    @Test func `a recording that cannot answer exits with 2`() throws {
        let run = try Program.run("--rig", "demo", "--gpsd", "example.org:99", "--service", "places")
        #expect(run.status == 2)
        #expect(run.output.contains("cannot tell"))
    }

    @Test func `an unwritable output exits with 73`() throws {
        let run = try Program.run("record", "/no/such/folder/file", "--rig", "demo")
        #expect(run.status == 73)
        #expect(run.complaints.contains("/no/such/folder/file"))
    }

    @Test(arguments: ["sensors", "services"])
    func `a list exits with 0`(command: String) throws {
        #expect(try Program.run(command, "--format", "json").status == 0)
    }

    @Test func `help gives examples`() throws {
        let run = try Program.run("--help")
        #expect(run.status == 0)
        #expect(run.output.contains("Exit status"))
        #expect(try Program.run("--version").output == "\(Release.version)\n")
    }
}

/// Edge cases of the command line.
@Suite struct EdgeTests {
    @Test(arguments: [
        (["explain", "dfd", "--service", "places"], "explain has no option --service"),
        (["--licence", ""], "--licence takes"),
        (["--licence", "health", "--rules", "2.4"], "health (since 2.14)"),
        (["help", "chek"], "Did you mean 'check'?"),
        (["--format", "json", "sensors"], "the command comes first"),
        (["--iio", "ip:"], "--iio takes"),
        (["--iio", "ip:127.0.0.1:99999"], "--iio takes"),
        (["--iio", "usb:"], "--iio takes"),
    ])
    func `invalid arguments exit with 64`(words: [String], hint: String) throws {
        let run = try Program.run(words)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.complaints.contains(hint), "\(run.complaints)")
    }

    @Test func `a missing context file exits with 66`() throws {
        let run = try Program.run("--iio", "xml:/no/such.xml", "--format", "json")
        #expect(run.status == 66)
        #expect(run.output == "")
        #expect(run.complaints.contains("/no/such.xml"))
    }

    @Test func `a device is written to and not replaced`() throws {
        let full = try Program.run("record", "/dev/full", "--rig", "demo")
        #expect(full.status == 73)
        let kind = try FileManager.default.attributesOfItem(atPath: "/dev/full")[.type] as? FileAttributeType
        #expect(kind == .typeCharacterSpecial)
        #expect(try Program.run("record", "/dev/stdout", "--rig", "demo").output.hasPrefix("{"))
    }

    @Test func `a link is followed and kept`() throws {
        try Program.withFile("old") { file in
            let link = file + ".link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
            defer { try? FileManager.default.removeItem(atPath: link) }
            #expect(try Program.run("record", link, "--rig", "demo").status == 0)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
            #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("{"))
            // Nor is a dangling link replaced.
            try FileManager.default.removeItem(atPath: file)
            #expect(try Program.run("record", link, "--rig", "demo").status == 0)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
            #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("{"))
        }
    }

    @Test func `a broken pipe ends it silently`() throws {
        let line = "trap '' PIPE; { \(Program.url.path) --rig demo --format json; echo $? >&2; } | true"
        let said = try Tool.run("/bin/bash", ["-c", line]).complaints
        #expect(!said.contains("rigready"))
        #expect(!said.contains("73"))
    }

    @Test func `unwritable help exits with 73`() throws {
        #expect(try Tool.run("/bin/sh", ["-c", "\(Program.url.path) --help >/dev/full"]).status == 73)
    }

    @Test func `a pipe whose writer comes late is read`() throws {
        let pipe = NSTemporaryDirectory() + "/rigready-\(UUID().uuidString)"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: pipe) }
        let writer = try ChildProcess(["/bin/sh", "-c", "sleep 0.3; echo 'services: [places]' >\(pipe)"])
        let run = try Program.run("--config", pipe, "--rig", "demo", "--format", "json")
        #expect(writer.wait(60) == .exit(0))
        let services = try run.document()["services"] as? [[String: Any]]
        #expect(services?.map { $0["id"] as? String } == ["places"])
    }

    /// Terminal escapes of one and of two bytes, and marks that turn the direction of text.
    private static let hostile = "a\u{9b}31m\u{202e}b\u{7f}\u{2066}c\u{1b}[31m\u{2028}d"

    @Test(arguments: [
        ["--rig", "demo", "--sensor", "accelerometer=\(hostile)"], ["--rig", "/tmp/\(hostile)"],
        ["--config", "/tmp/\(hostile)"], ["--\(hostile)"], ["--as", hostile], ["--service", hostile],
        ["--gpsd", hostile], ["--iio", hostile],
    ])
    func `nothing that a terminal acts on is printed`(words: [String]) throws {
        for format in ["text", "json", "junit", "tap"] {
            let run = try Program.run(["check", "--format", format] + words)
            let said = run.output + run.complaints
            #expect(said.contains("31m"), "\(run)")
            let bad = said.unicodeScalars.filter { scalar in
                scalar != "\n" && (scalar.properties.generalCategory == .control || scalar.properties.isBidiControl)
            }
            #expect(bad.isEmpty, "\(format): \(bad.map(\.value))")
        }
    }
}
