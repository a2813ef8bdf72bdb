import Foundation
import Measurement
import Rendering
import Testing

/// `measure`, on a recording of real kernel drivers: a sensor hub, a chip whose registers never change, a controller and a
/// receiver.
@Suite struct MeasureCommandTests {
    static let recording = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Measurements/rig.jsonl.gz").path

    private func report(_ options: String...) throws -> (status: Int32, report: MeasurementReport) {
        let run = try Program.run(["measure", "--rig", Self.recording, "--format", "json"] + options)
        #expect(run.complaints == "")
        return (run.status, try JSONDecoder().decode(MeasurementReport.self, from: Data(run.output.utf8)))
    }

    @Test func `a recording gives the figures of its capture`() throws {
        let (status, report) = try report()
        #expect(status == 1 && report.exitStatus == 1 && report.schema == "rigready.measurement/1")
        #expect(report.seconds == 5 && report.rig.source == "recording")
        let hub = try #require(report.sensors.first { $0.name == "accel_3d" })
        #expect(hub.way == "buffer" && hub.gaps?.map(\.index) == [183] && hub.outOfOrder == [])
        #expect(hub.samples > 200 && abs((hub.rate?.value ?? 0) - 50) < 10)
        #expect((hub.rate?.uncertainty ?? 0) > 0)
        let motion = try #require(hub.motion)
        // 12, -31 and 998 milli-g, and noise of -1, 0 and 1.
        #expect(abs((motion.magnitude ?? 0) - 9.79) < 0.02 && motion.up == "+z")
        #expect(abs((motion.standardDeviation.z ?? 0) - 0.00980665 * (2.0 / 3).squareRoot()) < 0.001)
        #expect(motion.stuckAxes == [] && motion.clippedAxes == [] && motion.stuckRuns?.isEmpty == true)
        #expect(hub.clock == "realtime" && motion.rangeSource == "format" && motion.mountMatrix == nil)
        #expect((motion.magnitudeUncertainty ?? 0) > 0 && (hub.jitter?.spreadUncertainty ?? 0) > 0)
        #expect(motion.agreement?.key == "i2c-0/0-0069" && abs((motion.agreement?.difference ?? 0) - 0.2) < 0.01)
    }

    @Test func `a chip whose registers never change is stuck, or too coarse to tell`() throws {
        let sensors = try report().report.sensors.filter { $0.name == "bmi160" }
        let accelerometer = try #require(sensors.first { $0.kind == "accelerometer" })
        #expect(accelerometer.way == "attributes" && accelerometer.wayDetail?.contains("no trigger") == true)
        #expect(accelerometer.rate == nil && accelerometer.gaps == nil && accelerometer.jitter == nil)
        #expect(accelerometer.verdict == "bad" && accelerometer.motion?.stuckAxes == ["x", "y", "z"])
        let runs = try #require(accelerometer.motion?.stuckRuns)
        #expect(runs.map(\.axis) == ["x", "y", "z"] && runs.map(\.value) == [328, -200, 16384])
        #expect(runs.allSatisfy { $0.index == 0 && $0.count == accelerometer.samples })
        #expect(accelerometer.clock == nil && accelerometer.motion?.standardDeviation.x == 0)
        #expect(accelerometer.motion?.standardDeviationUncertainty.x == nil)
        #expect(accelerometer.motion?.rangeSource == "chip" && accelerometer.motion?.mountMatrix?.matrix.count == 9)
        #expect(accelerometer.motion?.mountMatrix?.source.hasSuffix("in_mount_matrix") == true)
        let gyroscope = try #require(sensors.first { $0.kind == "gyroscope" })
        #expect(gyroscope.verdict == "undetermined" && gyroscope.findings.contains { $0.id == "coarse" })
    }

    @Test func `sensors without a capture in the recording are named`() throws {
        let run = try Program.run("measure", "--rig", "demo")
        #expect(
            run.complaints
                == "rigready: the recording has no capture of accelerometer bma400, accelerometer bmi160, gyroscope bmi160 and step counter bma400\n"
        )
        #expect(try Program.run("measure", "--rig", "demo", "--sensor", "receiver=NMEA0183").complaints == "")
    }

    @Test func `receiver and controller are measured`() throws {
        let sensors = try report().report.sensors
        let receiver = try #require(sensors.first { $0.kind == "locationReceiver" })
        #expect(receiver.receiver?.satellitesUsed == 8 && receiver.receiver?.satellitesSeen == 8)
        #expect(receiver.receiver?.twoDRMS == 0 && receiver.findings.contains { $0.id == "constantPosition" })
        let controller = try #require(sensors.first { $0.kind == "bluetoothAdapter" })
        #expect(controller.verdict == "good" && controller.controller?.powerChanges == 0)
        #expect((controller.controller?.answer50 ?? 1) < 0.1)
    }

    @Test func `a pin measures one sensor`() throws {
        let (status, report) = try report("--sensor", "gyroscope=gyro_3d")
        #expect(report.sensors.map(\.name) == ["gyro_3d"] && status != 1)
    }

    @Test func `a pin that means nothing is unmeasured, with what would`() throws {
        let (status, report) = try report("--sensor", "gyroscope=gyro_3e", "--sensor", "accelerometer=accel_3d")
        #expect(report.sensors.map(\.name) == ["accel_3d", ""] && status == 2)
        let missing = try #require(report.sensors.last)
        #expect(missing.key == "gyro_3e" && missing.way == "unmeasured" && missing.verdict == "undetermined")
        #expect(missing.wayDetail?.contains("was not found (did you mean gyro_3d?)") == true)
        #expect(missing.findings.first?.remedies.first?.text.contains("pin one that was found") == true)
    }

    /// A probe that was recorded without a capture, as one that claims a capture in which nothing was answered.
    private func claimed(_ recording: String, _ body: (MeasurementReport) throws -> Void) throws {
        try Program.withFile("", ending: "jsonl") { file in
            #expect(try Program.run("record", file, "--rig", recording).status == 0)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            try text.replacingOccurrences(of: #""minFix""#, with: #""measured":5,"minFix""#).write(
                toFile: file, atomically: true, encoding: .utf8)
            let run = try Program.run("measure", "--rig", file, "--format", "json")
            #expect(run.status == 1 || run.status == 2)
            try body(try JSONDecoder().decode(MeasurementReport.self, from: Data(run.output.utf8)))
        }
    }

    @Test func `what no meter takes is told, with the reason and a remedy`() throws {
        try claimed("demo") { report in
            let steps = try #require(report.sensors.first { $0.kind == "stepCounter" })
            #expect(steps.way == "omitted" && steps.verdict == "undetermined")
            #expect(steps.wayDetail?.contains("counted only with --move") == true)
            #expect(steps.findings.first?.remedies.isEmpty == false)
            // In the order of a report: by kind.
            let kinds = ["accelerometer", "gyroscope", "stepCounter", "bluetoothAdapter", "locationReceiver"]
            let order = report.sensors.map { kinds.firstIndex(of: $0.kind) ?? -1 }
            #expect(order == order.sorted() && order.count == 8)
        }
        let remote = URL(filePath: Self.recording).deletingLastPathComponent()
            .appending(path: "../Recordings/remote.jsonl.gz").path
        try claimed(remote) { report in
            let there = report.sensors.filter { $0.wayDetail?.contains("samples of the context ip:") == true }
            #expect(!there.isEmpty && there.allSatisfy { $0.way == "omitted" && $0.verdict == "undetermined" })
            #expect(there.allSatisfy { $0.findings.first?.remedies.first?.text.contains("that serves it") == true })
        }
    }

    /// What a configuration wants is judged, and named as the source.
    @Test func `a quality that is wanted is in the status`() throws {
        func measure(_ quality: String, _ words: String...) throws -> (status: Int32, report: MeasurementReport) {
            try Program.withFile("quality: \(quality)\n") { file in
                let run = try Program.run(
                    ["measure", "--rig", Self.recording, "--config", file, "--format", "json"] + words)
                #expect(run.complaints == "")
                let report = try JSONDecoder().decode(MeasurementReport.self, from: Data(run.output.utf8))
                for finding in report.sensors.flatMap(\.findings) where finding.source?.contains(".yaml") == true {
                    #expect(finding.severity == "bad" && finding.source == "configuration \(file)")
                }
                return (run.status, report)
            }
        }
        func faults(_ report: MeasurementReport) -> Set<String> {
            Set(
                report.sensors.flatMap { sensor in
                    sensor.findings.filter { $0.source?.hasPrefix("configuration ") == true }.map(\.id)
                })
        }
        let pin = ["--sensor", "locationReceiver=NMEA0183"]
        #expect(try measure("{locationReceiver: {minimumRate: 4}}", pin[0], pin[1]).status == 0)
        let slow = try measure("{locationReceiver: {minimumRate: 10}}", pin[0], pin[1])
        #expect(slow.status == 1 && faults(slow.report) == ["rate"])
        let all = try measure(
            "{accelerometer: {maximumNoiseDensity: 1e-5, gravityWithin: 1e-4, maximumGaps: 0, minimumRate: 60}}")
        #expect(all.status == 1 && faults(all.report) == ["noise", "gravity", "gaps", "slow"])
        let profile = try measure("{profile: android}").report.sensors.flatMap(\.findings)
        #expect(profile.contains { $0.source == "Android CDD 7.3.1, C-1-4" && $0.severity == "bad" })
        let option = try measure("{profile: android}", "--profile", "standard").report.sensors.flatMap(\.findings)
        #expect(!option.contains { $0.source == "Android CDD 7.3.1, C-1-4" })
        try Program.withFile("quality:\n  gyroscope:\n    maximumNois: 1\n") { file in
            let run = try Program.run("measure", "--rig", Self.recording, "--config", file)
            #expect(run.status == 66 && run.output == "")
            #expect(run.complaints.hasPrefix("rigready: \(file):3:5: expected one of the limits of a gyroscope"))
            #expect(run.complaints.contains("did you mean \"maximumNoise\""))
        }
        let help = try Program.run("measure", "--help").output
        #expect(help.contains("quality") && help.contains("maximumNoiseDensity"))
    }

    @Test func `a kind whose quality is wanted and that is not there cannot be determined`() throws {
        try Program.withFile("quality: {gyroscope: {minimumRate: 1}}\n") { config in
            try Program.withFile("", ending: "jsonl") { file in
                #expect(try Program.run("record", file, "--rig", "field-kit").status == 0)
                let text = try String(contentsOfFile: file, encoding: .utf8)
                try text.replacingOccurrences(of: #""minFix""#, with: #""measured":5,"minFix""#).write(
                    toFile: file, atomically: true, encoding: .utf8)
                let run = try Program.run("measure", "--rig", file, "--config", config, "--format", "json")
                let report = try JSONDecoder().decode(MeasurementReport.self, from: Data(run.output.utf8))
                let missing = try #require(report.sensors.first { $0.kind == "gyroscope" })
                #expect(missing.way == "unmeasured" && missing.wayDetail?.hasPrefix("no gyroscope was found") == true)
            }
        }
    }

    /// Every key of the document is named in the manual, in a code span.
    @Test func `the manual names every key`() throws {
        let manual = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/measure.md").standardized
        let text = try String(contentsOf: manual, encoding: .utf8)
        var keys: Set<String> = []
        func collect(_ value: Any) {
            if let object = value as? [String: Any] {
                keys.formUnion(object.keys)
                object.values.forEach(collect)
            }
            if let list = value as? [Any] { list.forEach(collect) }
        }
        let run = try Program.run("measure", "--rig", Self.recording, "--format", "json")
        collect(try run.document())
        // What this recording has no value for.
        keys.formUnion(["taus", "xUncertainty", "yUncertainty", "zUncertainty"])
        #expect(keys.count > 50)
        for key in keys.sorted() where !text.contains("`\(key)`") { Issue.record("\(key)") }
    }

    @Test func `text names each figure and finding once`() throws {
        let run = try Program.run("measure", "--rig", Self.recording)
        #expect(run.status == 1)
        for words in [
            "+z is up", "no gaps", "m/s²/√Hz", "PX4, DataValidator.hpp", "8 used", "99th percentile",
            "+z is up (no mount matrix)",
            "+z is up (mount matrix: ", "clock realtime", "rate, gaps, order and jitter not measured: ",
            "bench · measured 20", ", 5 s ", "1 bad, 3 undetermined, 2 good", "±19.6 m/s²", "y −0.11960 ± 0.00030",
            "µrad/s", "the count −200 in 244 samples",
            "sudo modprobe iio-trig-hrtimer",
        ] {
            #expect(run.output.contains(words), "\(words)")
        }
        #expect(run.output.components(separatedBy: "jitter not measured: ").count == 3)
    }

    @Test func `each sensor is a case`() throws {
        let run = try Program.run("measure", "--rig", Self.recording, "--format", "junit")
        let file = try JUnitFile(run.output)
        #expect(file.cases.count == 6 && file.cases.allSatisfy { $0.className == "rigready.measurement" })
        #expect(file.cases.count { $0.result == "failure" } == 1)
        #expect(run.output.contains("good: every limit is kept"))
        let tap = try TAPFile(Program.run("measure", "--rig", Self.recording, "--format", "tap").output)
        #expect(tap.errors == [] && tap.planned == 6)
    }

    @Test func `a copy holds the capture, and one that claims a day ends where its answers do`() throws {
        try Program.withFile("", ending: "jsonl") { file in
            #expect(try Program.run("record", file, "--rig", Self.recording).status == 0)
            let copy = try Program.run("measure", "--rig", file, "--format", "json")
            #expect(try copy.output == Program.run("measure", "--rig", Self.recording, "--format", "json").output)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains(#""measured":5,"#))
            let day = text.replacing(#""measured":5,"#, with: #""measured":86400,"#)
            try day.write(toFile: file, atomically: true, encoding: .utf8)
            let run = try Program.run("measure", "--rig", file, "--format", "json")
            let report = try JSONDecoder().decode(MeasurementReport.self, from: Data(run.output.utf8))
            #expect(report.seconds == 86400 && report.sensors.count == 6)
        }
    }

    @Test func `an anonymous copy measures the same, but for positions`() throws {
        try Program.withFile("", ending: "jsonl") { file in
            #expect(try Program.run("record", file, "--rig", Self.recording, "--anonymize").status == 0)
            let run = try Program.run("measure", "--rig", file, "--format", "json")
            let copy = try JSONDecoder().decode(MeasurementReport.self, from: Data(run.output.utf8))
            let (_, original) = try report()
            for (one, other) in zip(copy.sensors, original.sensors) where one.kind != "locationReceiver" {
                #expect(one.way == other.way && one.samples == other.samples && one.verdict == other.verdict)
                #expect(one.motion?.magnitude == other.motion?.magnitude)
            }
            #expect(copy.sensors.first { $0.kind == "locationReceiver" }?.way == "unmeasured")
        }
    }

    @Test func `a recording without a capture cannot be measured`() throws {
        let run = try Program.run("measure", "--rig", "field-kit")
        #expect(run.status == 66 && run.output == "")
        #expect(run.complaints.contains("field-kit: expected a recording with a capture; rigready measure --save"))
    }

    @Test func `the embedded demo is measured`() throws {
        let run = try Program.run("measure", "--rig", "demo", "--format", "json")
        let report = try JSONDecoder().decode(MeasurementReport.self, from: Data(run.output.utf8))
        #expect(run.status == 0 && report.seconds == 10)
        #expect(
            report.sensors.map(\.kind) == ["accelerometer", "gyroscope", "bluetoothAdapter", "locationReceiver"])
        #expect(report.sensors.allSatisfy { $0.way == "buffer" && $0.samples > 40 })
        // The rig that a check of the demo tells of.
        let checked = try Program.run("sensors", "--rig", "demo", "--format", "json").output
        #expect(report.sensors.allSatisfy { checked.contains("\"\($0.key)\"") })
    }

    @Test(arguments: [
        ["--for", "0"], ["--rate", "0"], ["--save", "x.txt"], ["--profile", "none"], ["--rig", "demo", "--for", "3"],
        ["--service", "impact"], ["--depth", "state"], ["--as", "root"],
    ])
    func `an impossible request is refused`(words: [String]) throws {
        let run = try Program.run(["measure"] + words)
        #expect(run.status == 64 && run.output == "" && run.complaints.hasPrefix("rigready: "))
    }

    @Test func `a saved measurement measures again`() throws {
        try Program.withFile("", ending: "jsonl.gz") { file in
            let run = try Program.run(
                "measure", "--for", "0.5", "--gpsd", "127.0.0.1:1", "--save", file, "--format", "json")
            #expect([0, 1, 2].contains(run.status))
            let replay = try Program.run("measure", "--rig", file, "--format", "json")
            #expect(replay.status == run.status)
            let source = #""source" : "live""#
            #expect(replay.output == run.output.replacing(source, with: #""source" : "recording""#))
        }
    }

    @Test func `pictures, tables and a page are saved`() throws {
        try Tool.withFolder { place in
            let folder = place.path
            let run = try Program.run(
                "measure", "--rig", Self.recording, "--save", "\(folder)/rig.html", "--save", "\(folder)/rig.svg",
                "--save",
                "\(folder)/rig.csv")
            #expect(run.status == 1)
            #expect(run.complaints.contains("wrote \(folder)/rig.html\n"))
            #expect(run.complaints.contains("wrote 14 files, \(folder)/rig-*.svg\n"))
            #expect(run.complaints.contains("wrote 6 files, \(folder)/rig-*.csv\n"))
            let page = try String(contentsOfFile: "\(folder)/rig.html", encoding: .utf8)
            #expect(page.components(separatedBy: "<svg ").count == 15 && page.contains("Satellites in the sky"))
            let table = try String(contentsOfFile: "\(folder)/rig-accelerometer-accel_3d.csv", encoding: .utf8)
            #expect(table.split(separator: "\n").count == 226)
            // One sensor's table has the name that was asked for.
            let one = try Program.run(
                "measure", "--rig", Self.recording, "--sensor", "gyroscope=gyro_3d", "--save", "\(folder)/one.csv")
            #expect(one.complaints == "rigready: wrote \(folder)/one.csv\n")
        }
    }

    @Test func `what cannot be saved is refused before anything is captured, or told after the report`() throws {
        for (name, words) in [("rig.png", "ends in .html"), (".html", "ends in .html"), ("rig", "ends in .html")] {
            let run = try Program.run("measure", "--save", name)
            #expect(run.status == 64 && run.complaints.contains(words), "\(name)")
        }
        let again = try Program.run("measure", "--rig", Self.recording, "--save", "again.jsonl")
        #expect(again.status == 64 && again.complaints.contains("which --rig replaces"))
        let missing = try Program.run("measure", "--rig", Self.recording, "--save", "/nowhere/rig.html")
        #expect(missing.status == 73 && missing.output == "" && missing.complaints.contains("/nowhere/rig.html"))
        try Tool.withFolder { folder in
            let full = folder.appending(path: "full.html").path
            try FileManager.default.createSymbolicLink(atPath: full, withDestinationPath: "/dev/full")
            let run = try Program.run("measure", "--rig", Self.recording, "--save", full)
            #expect(run.status == 73 && run.complaints.contains("\(full): No space left on device"))
            #expect(run.output.contains("+z is up"))
        }
    }
}
