import Foundation
import Testing

/// The words of the command line: pins, lists of services, numbers, and options that a command does not take.
@Suite struct PinTests {
    private func gyroscope(_ pin: String) throws -> (status: Int32, line: [String: Any]) {
        let run = try Program.run("--rig", "demo", "--sensor", "gyroscope=\(pin)", "--format", "json")
        let lines = try #require(try run.document()["requirements"] as? [[String: Any]])
        return (run.status, try #require(lines.first { $0["id"] as? String == "gyroscope" }))
    }

    private var sensors: [[String: Any]] {
        get throws {
            let document = try Program.run("sensors", "--rig", "demo", "--format", "json").document()
            return try #require(document["sensors"] as? [[String: Any]])
        }
    }

    @Test func `a sensor is pinned by its key, name, path, node or a unique beginning`() throws {
        let chips = try sensors.filter { $0["kind"] as? String == "gyroscope" }
        #expect(chips.count == 2)
        for chip in chips {
            let key = try #require(chip["key"] as? String), path = try #require(chip["path"] as? String)
            let name = try #require(chip["name"] as? String)
            for pin in [key, name, path, "/dev/" + path, String(key.prefix(3)), String(name.prefix(4))] {
                let found = try gyroscope(pin)
                #expect(found.line["decidedBy"] as? [String] == [key], "\(pin)")
            }
        }
    }

    @Test func `a pin that means nothing gets a near miss and the list`() throws {
        let typo = try gyroscope("bmi610")
        #expect(typo.status == 1)
        #expect(typo.line["detail"] as? String == "the pinned gyroscope bmi610 was not found (did you mean bmi160?)")
        let remedy = try #require(typo.line["remedy"] as? String)
        for chip in try sensors where chip["kind"] as? String == "gyroscope" {
            #expect(remedy.contains(try #require(chip["key"] as? String)), "\(remedy)")
        }
        let run = try Program.run("--rig", "demo", "--sensor", "gyroscope=bmi610", "--format", "junit")
        let one = try JUnitFile(run.output).named("gyroscope bmi610")
        #expect(one.message?.contains("did you mean bmi160?") == true && one.text.contains("i2c-0/0-0069 (bmi160)"))
    }

    @Test(arguments: [
        ("bluetoothAdapter", ["controller"]), ("locationReceiver", ["receiver"]),
        ("stepCounter", ["step counter", "step-counter"]), ("gyroscope", []),
    ])
    func `a kind may be written as documents and as reports name it`(id: String, words: [String]) throws {
        let pinned = try Program.run("--rig", "demo", "--sensor", "\(id)=nowhere").output
        #expect(try pinned != Program.run("--rig", "demo").output)
        for word in [id] + words {
            #expect(
                try Program.run("--rig", "demo", "--sensor", "\(word)=nowhere").output == pinned)
            let configured = try Program.withFile("require: {\(word): nowhere}\n") { file in
                try Program.run("--rig", "demo", "--config", file).output
            }
            #expect(configured == pinned)
        }
    }

    @Test func `a pin that means several sensors means none of them`() throws {
        let run = try Program.run("--rig", "demo", "--sensor", "accelerometer=b", "--format", "json").document()
        let lines = try #require(run["requirements"] as? [[String: Any]])
        let line = try #require(lines.first { $0["id"] as? String == "accelerometer" })
        #expect(line["standing"] as? String == "unmet")
        #expect((line["detail"] as? String)?.contains("accelerometer=b matches 2 sensors") == true, "\(line)")
        let remedies = try #require(line["remedies"] as? [[String: Any]])
        #expect(remedies.count == 1, "\(remedies)")
        #expect((remedies.first?["text"] as? String)?.hasPrefix("pin one that was found: ") == true, "\(remedies)")
    }

    @Test func `the report shows each key and name whole`() throws {
        let report = try Program.run("--rig", "demo").output
        let sensors = try sensors
        #expect(sensors.count > 4)
        for sensor in sensors {
            #expect(report.contains(try #require(sensor["key"] as? String)))
            #expect(report.contains(try #require(sensor["label"] as? String ?? sensor["name"] as? String)))
        }
    }

    @Test func `services can be named in one list`() throws {
        let run = try Program.run("--rig", "demo", "--service", "dfd,impact", "--service", "places", "--format", "json")
        let services = try #require(try run.document()["services"] as? [[String: Any]])
        #expect(
            services.filter { $0["asked"] as? Bool == true }.compactMap { $0["id"] as? String } == [
                "driving.distractionFreeDriving", "places", "impactDetection",
            ])
    }

    @Test func `the table of services shows the short names`() throws {
        let text = try Program.run("services").output
        for name in ["dfd", "poi", "impact", "assistance"] { #expect(text.contains("  \(name) "), "\(name)") }
        let lines = try #require(
            try Program.run("services", "--format", "json").document()["services"] as? [[String: Any]])
        for line in lines {
            let names = try #require(line["names"] as? [String]), id = try #require(line["id"] as? String)
            for name in names {
                let run = try Program.run("explain", name, "--rig", "demo", "--format", "json").document()
                let asked = try #require(run["services"] as? [[String: Any]]).filter { $0["asked"] as? Bool == true }
                #expect(asked.compactMap { $0["id"] as? String } == [id], "\(name)")
            }
        }
    }

    @Test(arguments: [
        (["watch"], ["--cached", "--cached-from"]), (["record"], ["--cached", "--cached-from", "junit"]),
        (["compare"], ["--cached", "--cached-from"]), (["explain"], ["--service"]), (["sensors"], ["junit"]),
        (["consent"], ["--cached", "--as", "junit"]), (["permissions", "request"], ["--cached", "--as", "junit"]),
        (["permissions", "show"], ["junit"]),
    ])
    func `the help of a command does not show what the command refuses`(command: [String], refused: [String]) throws {
        let help = try Program.run(command + ["--help"])
        #expect(help.status == 0 && help.output.contains("--timeout"))
        func options(_ help: String) -> String {
            help.split(separator: "\n").drop { $0 != "OPTIONS:" }.joined(separator: "\n")
        }
        // An option that is declared is a word alone; a format is in a list.
        func words(_ help: String) -> [String] {
            options(help).split { " \n".contains($0) }.map { $0.hasPrefix("--") ? String($0) : $0.filter { $0 != "," } }
        }
        let check = words(try Program.run("check", "--help").output)
        for word in refused {
            #expect(!words(help.output).contains { $0 == word }, "\(command): \(word)")
            #expect(check.contains { $0 == word })
        }
    }

    @Test(arguments: [
        (["--timeout", "-1"], "--timeout takes a number from 0.05 to 3600 seconds, not -1."),
        (["check", "--wait-fix", "-0.5"], "--wait-fix takes a number from 0 to 86400 seconds, not -0.5."),
        (["--max-age", "-3"], "--max-age takes a number from 0 to 31536000 seconds, not -3."),
        (["watch", "--for", "-3"], "--for takes a number from 0.05 to 31536000 seconds, not -3."),
        (["watch", "--resample", "-3"], "--resample takes a number from 0.1 to 86400 seconds, not -3."),
        (["watch", "--until", "runs", "--stable", "-1"], "--stable takes a number from 0 to 86400 seconds, not -1."),
        (["--timeout", "2s"], "'--timeout <seconds>': expected a number of seconds without a unit, such as 2 or 0.5."),
        (["watch", "--for", "0,5"], "'--for <seconds>': expected a number of seconds without a unit"),
        (["measure", "--rate", "50Hz"], "'--rate <hertz>': expected a number of hertz without a unit"),
        (["--gpsd", "localhost:99999"], "'--gpsd <host:port>': expected a name or an address, and if needed a port"),
        (["--as-pid", "gpsd"], "'--as-pid <number>': expected a whole number"),
        (["--timeout", "a\nb"], "expected a number of seconds"),
    ])
    func `an invalid number gets an answer about the number`(words: [String], answer: String) throws {
        let run = try Program.run(words)
        #expect(run.status == 64)
        #expect(run.complaints.contains(answer), "\(run.complaints)")
    }

    @Test(arguments: [
        ["--formt", "json"], ["watch", "--nothing"], ["sensors", "extra"], ["record"], ["audit"],
        ["explain", "moton.denied"],
        ["--depth", "deep"], ["--timeout"], ["permissions", "grant", "moton"], ["permissions", "request"],
        ["--service", "dfd,,impact"], ["--sensor", "gyroscope=a", "--sensor", "gyroscope=b"],
        ["--sensor", "gyroscope="],
        ["watch", "--cached"], ["consent", "--as", "root"], ["services", "--rules", "9"], ["chekc"], ["compare"],
    ])
    func `every error of a call is one line of one form`(words: [String]) throws {
        let run = try Program.run(words)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.complaints.contains(/^rigready: [^A-Z][^\n]*[.?…]\n$/), "\(run.complaints)")
    }

    @Test func `a context that a recording was made without is told`() throws {
        let run = try Program.run("--rig", "demo", "--iio", "ip:board")
        #expect(
            run.complaints
                == "rigready: the recording has no context ip:board, so the sensors of that context are unknown\n")
        #expect(try Program.run("--rig", "demo").complaints == "")
    }
}
