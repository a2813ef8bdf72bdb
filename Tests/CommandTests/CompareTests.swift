import Foundation
import Support
import Testing

/// Found against expected, over rigs derived from the demo.
@Suite struct CompareTests {
    /// A finding without its text.
    struct Line: Equatable, CustomStringConvertible {
        var id, kind: String
        var key, before, after: String?
        var description: String { "\(id) \(kind) \(key ?? "-"): \(before ?? "-") -> \(after ?? "-")" }

        init(_ id: String, _ kind: String, _ key: String?, _ before: String?, _ after: String?) {
            (self.id, self.kind, self.key, self.before, self.after) = (id, kind, key, before, after)
        }
    }

    /// The kinds of baseline that a rig can be compared with.
    enum Kind: CaseIterable { case recording, report, manifest }

    /// The findings of one rig against another as a baseline of a kind, and the exit status.
    private func compare(
        _ rig: DerivedRig, with baseline: DerivedRig? = nil, as kind: Kind, _ options: String...
    ) throws -> (lines: [Line], status: Int32) {
        try Program.withFile(try (baseline ?? DerivedRig()).text, ending: "jsonl") { before in
            try Program.withFile(rig.text, ending: "jsonl") { now in
                try Program.withFile(try content(of: kind, before), ending: "baseline") { file in
                    let run = try Program.run(["compare", file, "--rig", now, "--format", "json"] + options)
                    #expect(run.complaints == "")
                    let document = try run.document()
                    #expect(Set(document.keys) == ["schema", "findings", "exitStatus"])
                    #expect(document["schema"] as? String == "rigready.comparison/1")
                    #expect(document["exitStatus"] as? Int == Int(run.status))
                    let findings = try #require(document["findings"] as? [[String: Any]])
                    for finding in findings {
                        #expect(
                            Set(finding.keys) == [
                                "id", "kind", "key", "name", "property", "before", "after", "detail", "remedy",
                            ])
                    }
                    let lines = findings.map { finding in
                        Line(
                            finding["id"] as? String ?? "", finding["kind"] as? String ?? "",
                            finding["key"] as? String, finding["before"] as? String, finding["after"] as? String)
                    }
                    return (lines, run.status)
                }
            }
        }
    }

    private func content(of kind: Kind, _ recording: String) throws -> String {
        switch kind {
        case .recording: return try String(contentsOfFile: recording, encoding: .utf8)
        case .report: return try Program.run("--rig", recording, "--format", "json").output
        case .manifest:
            return try Program.withFile("") { file in
                let run = try Program.run("compare", "--write", file, "--rig", recording)
                #expect(run.status == 0)
                #expect(run.output == "")
                return try String(contentsOfFile: file, encoding: .utf8)
            }
        }
    }

    @Test(arguments: Kind.allCases) func `the same rig is as expected`(kind: Kind) throws {
        let (lines, status) = try compare(try DerivedRig(), as: kind)
        #expect(lines == [])
        #expect(status == 0)
    }

    @Test(arguments: Kind.allCases) func `a sensor that was removed is missing`(kind: Kind) throws {
        var rig = try DerivedRig()
        try rig.unlist(#/"[^"]*/HID-SENSOR-200076[^"/]*/iio:device[0-9]+"/#)
        // What the hub makes it of, too.
        try rig.unlist(#/"[^"]*/HID-SENSOR-200076[^"/]*"/#)
        let (lines, status) = try compare(rig, as: kind)
        let key = "uhid/0003:1209:0001/HID-SENSOR-200076"
        #expect(lines == [Line("missing", "gyroscope", key, "available", "absent")])
        #expect(status == 1)
        // The other way round it is new, which prevents nothing.
        let back = try compare(try DerivedRig(), with: rig, as: kind)
        #expect(back.lines == [Line("new", "gyroscope", key, nil, "available")])
        #expect(back.status == 0)
    }

    @Test(arguments: Kind.allCases) func `a second identical sensor is new`(kind: Kind) throws {
        var rig = try DerivedRig()
        rig.addTwin()
        let (lines, status) = try compare(rig, as: kind)
        #expect(
            lines == [
                Line("new", "accelerometer", "i2c-1/1-0069", nil, "available"),
                Line("new", "gyroscope", "i2c-1/1-0069", nil, "available"),
            ])
        #expect(status == 0)
    }

    @Test(arguments: Kind.allCases) func `a sensor on another bus has moved`(kind: Kind) throws {
        var rig = try DerivedRig()
        try rig.replace("i2c-0/0-0069", with: "i2c-1/1-0069")
        let (lines, status) = try compare(rig, as: kind)
        #expect(
            lines == [
                Line("moved", "accelerometer", "i2c-1/1-0069", "i2c-0/0-0069", "i2c-1/1-0069"),
                Line("moved", "gyroscope", "i2c-1/1-0069", "i2c-0/0-0069", "i2c-1/1-0069"),
            ])
        #expect(status == 0)
    }

    @Test(arguments: Kind.allCases) func `Bluetooth that is off is worse`(kind: Kind) throws {
        var rig = try DerivedRig()
        try rig.powerOff()
        let (lines, status) = try compare(rig, as: kind)
        let off = Line("worse", "bluetoothAdapter", "00:AA:01:00:00:00", "available", "poweredOff")
        // Device discovery can run without it, so a manifest, which requires that it runs, does not object.
        let degraded = Line("worse", "service", "driving.deviceDiscovery", "runs", "degraded")
        #expect(lines == (kind == .manifest ? [off] : [off, degraded]))
        #expect(status == 1)
        let back = try compare(try DerivedRig(), with: rig, as: kind)
        #expect(back.lines.first?.id == (kind == .manifest ? "new" : "better"))
        #expect(back.status == 0)
    }

    @Test func `each difference is a case of its own`() throws {
        var rig = try DerivedRig()
        try rig.powerOff()
        try Program.withFile(try DerivedRig().text, ending: "jsonl") { before in
            try Program.withFile(rig.text, ending: "jsonl") { now in
                let run = try Program.run("compare", before, "--rig", now, "--format", "junit")
                let cases = try JUnitFile(run.output).cases
                let failed = cases.filter { $0.result == "failure" }
                #expect(
                    failed.map(\.name) == ["driving.deviceDiscovery", "bluetoothAdapter 00:AA:01:00:00:00"])
                #expect(cases.allSatisfy { $0.className == "rigready.compare" && $0.result != "error" })
                #expect(run.status == 1)
            }
        }
    }

    @Test(arguments: Kind.allCases) func `a lost fix is worse`(kind: Kind) throws {
        var rig = try DerivedRig()
        try rig.replace("\\\"mode\\\":3", with: "\\\"mode\\\":1", of: "gpsd")
        let (lines, status) = try compare(rig, as: kind, "--service", "places")
        #expect(
            lines == [
                Line("worse", "locationReceiver", "platform-dummy_hcd.0-usb-0:1:1.0", "available", "noFix"),
                Line("worse", "service", "places", "runs", "fails"),
            ])
        #expect(status == 1)
    }

    @Test(arguments: Kind.allCases) func `an indeterminate sensor is unknown, not missing`(kind: Kind) throws {
        var rig = try DerivedRig()
        // A recording without the list of devices cannot show what is there.
        rig = try rig.without { $0.contains("\"ask\":\"devices\"") && $0.contains("\"of\":\"iio\"") }
        let (lines, status) = try compare(rig, as: kind, "--service", "places")
        #expect(lines.count == 6)
        for line in lines {
            #expect(line.id == "unknown" && line.before == "available" && line.after == "indeterminate", "\(line)")
        }
        #expect(status == 2)
    }

    @Test func `lost access is reported where no sensor shows it`() throws {
        var rig = try DerivedRig()
        try rig.replace("\"readable\":true", with: "\"readable\":false")
        let (lines, status) = try compare(rig, as: .report, "--service", "walking")
        #expect(lines.first == Line("worse", "requirement", "motion", "met", "unmet"))
        #expect(lines.contains(Line("worse", "service", "walking", "runs", "fails")))
        #expect(status == 1)
    }

    @Test func `a hand-written manifest counts by kind`() throws {
        func run(_ manifest: String) throws -> Program.Run {
            try Program.withFile(manifest) { try Program.run("compare", $0, "--rig", "demo") }
        }
        #expect(try run("sensors:\n  - kind: gyroscope\n    count: 2\nservices: [dfd]\n").status == 0)
        let lacking = try run("sensors: [{kind: gyroscope, count: 3}]\n")
        #expect(lacking.status == 1)
        #expect(lacking.output.contains("3 → 2"))
        #expect(try run("{\"services\": [\"dfd\", \"impact\"], \"rules\": \"2.4\"}").output.contains("as expected"))
    }

    @Test func `a manifest keeps what does not work as comments with the reason`() throws {
        try Program.withFile("") { file in
            let run = try Program.run("compare", "--write", file, "--rig", "prototype-board")
            #expect(run.status == 0)
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
            let sensors = try Program.run("sensors", "--rig", "prototype-board", "--format", "json").document()
            var left = 0
            for sensor in try #require(sensors["sensors"] as? [[String: Any]]) {
                let isThere = sensor["availability"] as? String == "available"
                let entry = "    key: \"\(sensor["key"] ?? "")\""
                #expect(lines.contains(isThere ? entry : "  # " + entry.dropFirst(2)))
                if isThere { continue }
                left += 1
                let detail = try #require(sensor["detail"] as? String)
                #expect(lines.contains { $0.hasPrefix("  # ") && $0.contains(": \(detail)") }, "\(detail)")
            }
            #expect(left > 1)
            #expect(run.complaints.contains("as comments: \(left) sensors not available"))
            let services = try Program.run("--rig", "prototype-board", "--format", "json").document()
            for service in try #require(services["services"] as? [[String: Any]]) {
                let runs = ["runs", "degraded"].contains(service["verdict"] as? String)
                #expect(lines.contains("  \(runs ? "" : "# ")- \(service["id"] ?? "")"))
            }
            // Without the comment signs it is the manifest of the repaired rig.
            #expect(try Program.run("compare", file, "--rig", "prototype-board").status == 0)
        }
    }

    @Test(arguments: [
        ("sensors:\n  - kind: gyroscpe\n    count: 1\n", ":2:11: ", "did you mean \"gyroscope\""),
        ("services: [drivng]", ":1:12: ", "did you mean \"driving\""),
        ("servics: []", ":1:1: ", "did you mean \"services\""),
        ("", ":1:1: ", "found nothing"),
        (
            "{\"schema\": \"rigready.report/2\"}", ": ",
            "expected rigready.report/1 or rigready.measurement/1, found \"rigready.report/2\""
        ),
        ("{\"schema\": \"rigready.report/1\"}", ": ", "\"depth\" is missing"),
        ("{\"schema\": \"rigready.report/1\",\n \"a\": [}", ":2:8: ", "expected YAML or JSON"),
        ("{\"schema\":\"rigready.recording/2\"}\n", ":1: ", "newer"),
        ("services:\n  - health\nrules: 1.x\n", ":2:5: ", "since 2.14"),
    ])
    func `an invalid baseline exits with 66`(text: String, place: String, hint: String) throws {
        try Program.withFile(text) { file in
            let run = try Program.run("compare", file, "--rig", "demo")
            #expect(run.status == 66)
            #expect(run.output == "")
            #expect(run.complaints.hasPrefix("rigready: \(file)\(place)"), "\(run.complaints)")
            #expect(run.complaints.contains(hint), "\(run.complaints)")
            #expect(run.complaints.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: [
        ("field-kit", "demo", 1, "bench against field-kit"), ("demo", "field-kit", 1, "bench against demo"),
        // Both hold a capture.
        ("demo", "demo", 0, "bench, demo, against demo"),
    ])
    func `two recordings are compared like two rigs`(before: String, now: String, status: Int32, title: String) throws {
        let run = try Program.run("compare", before, now)
        #expect(run.status == status && run.complaints == "", "\(run.complaints)")
        #expect(run.output.hasPrefix(title), "\(run.output.prefix(80))")
        if status == 1 { #expect(run.output == (try Program.run("compare", before, "--rig", now)).output) }
    }

    @Test func `a rig is not compared with a manifest or a report in its place`() throws {
        let report = try Program.run("--rig", "demo", "--format", "json").output
        for (text, ending, found) in [("services: [walking]\n", "yaml", "a manifest"), (report, "json", "a report")] {
            try Program.withFile(text, ending: ending) { file in
                let run = try Program.run("compare", "demo", file)
                #expect(run.status == 66 && run.output == "")
                let expected = "rigready: \(file): expected a recording or a measurement, found \(found)\n"
                #expect(run.complaints == expected, "\(run.complaints)")
            }
        }
    }

    @Test func `the command that follows has the recording`() throws {
        try Program.withFile("", ending: "yaml") { file in
            let run = try Program.run("compare", "--write", file, "--rig", "field-kit")
            #expect(run.complaints.hasSuffix("; try: rigready compare \(file) --rig field-kit\n"), "\(run.complaints)")
        }
    }

    @Test func `arguments and files have the contract's exit statuses`() throws {
        #expect(try Program.run("compare").status == 64)
        #expect(try Program.run("compare", "/no/such/file", "--rig", "demo").status == 66)
        let run = try Program.run("compare", "--write", "/no/such/folder/file", "--rig", "demo")
        #expect(run.status == 73)
        try Program.withFile("services: [cycling]\n") { config in
            try Program.withFile("services: [walking]\n") { file in
                let run = try Program.run("compare", file, "--config", config, "--rig", "demo")
                #expect(run.status == 2)
                #expect(run.output.contains("not among the requested services"))
            }
        }
    }

    @Test func `the text has one line per finding and the remedy below`() throws {
        var rig = try DerivedRig()
        try rig.powerOff()
        try Program.withFile(rig.text, ending: "jsonl") { file in
            let run = try Program.run("compare", "demo", "--rig", file)
            #expect(run.status == 1)
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(lines.first?.hasSuffix("2 worse") == true)
            #expect(lines.count { $0.contains("available → powered off") } == 1)
            #expect(lines.count { $0.contains("runs → degraded: Bluetooth powered off") } == 1)
            #expect(lines.count { $0.contains("→ bluetoothctl power on") } == 1, "\(run.output)")
            for line in lines { #expect(line.count <= 100) }
        }
    }

    @Test func `a closed output ends it silently`() throws {
        try Program.withFile("sensors: []\n") { file in
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let complaints = "\(file).complaints"
            let program = try ChildProcess(
                [Program.url.path, "compare", file, "--rig", "demo", "--format", "json"],
                output: .descriptor(pipe.fileHandleForWriting.fileDescriptor), errors: .file(complaints))
            #expect(program.wait(60) != nil)
            #expect(try String(contentsOfFile: complaints, encoding: .utf8) == "")
        }
    }
}

extension DerivedRig {
    /// The rig without the lines for which a condition holds; one must be there.
    func without(_ isUnwanted: (String) -> Bool) throws -> DerivedRig {
        var copy = self
        copy.remove(isUnwanted)
        guard copy.lines.count < lines.count else {
            throw Program.CommandFailure(description: "the demo has no such line")
        }
        return copy
    }
}
