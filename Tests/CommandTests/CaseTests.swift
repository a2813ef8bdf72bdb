import Foundation
import Testing

/// `--format junit` and `--format tap`, as their consumers parse them.
@Suite struct CaseTests {
    private func junit(_ words: String..., status: Int32) throws -> JUnitFile {
        let run = try Program.run(["--rig", "demo", "--format", "junit"] + words)
        #expect(run.status == status)
        return try JUnitFile(run.output)
    }

    private func tap(_ words: String..., status: Int32) throws -> TAPFile {
        let run = try Program.run(["--rig", "demo", "--format", "tap"] + words)
        #expect(run.status == status)
        let file = try TAPFile(run.output)
        #expect(file.version == 13)
        #expect(file.errors == [])
        #expect(file.planned == file.points.count)
        return file
    }

    @Test func `every service of the rules is a case`() throws {
        let file = try junit(status: 0)
        #expect(file.cases.count == 13)
        #expect(file.counts == ["tests": 13, "failures": 0, "errors": 0, "skipped": 0])
        for one in file.cases { #expect(one.result == "passed" && one.className == "rigready.services") }
        #expect(try junit("--rules", "1.x", status: 0).cases.count == 6)
        #expect(try tap(status: 0).points.map(\.directive) == Array(repeating: "", count: 13))
    }

    @Test func `a failing service has cause, evidence and remedy`() throws {
        let file = try junit("--sensor", "gyroscope=nowhere", status: 1)
        let impact = try file.named("impactDetection")
        #expect(impact.result == "failure")
        #expect(impact.type == "fails")
        #expect(impact.message == "fails: no gyroscope")
        #expect(impact.text.contains("gyroscope: absent\n  the pinned gyroscope nowhere was not found\n"))
        #expect(impact.text.contains("remedy: pin one that was found: i2c-0/0-0069 (bmi160)"))
        // Three services and the pinned sensor.
        #expect(file.counts == ["tests": 14, "failures": 4, "errors": 0, "skipped": 0])
        let point = try tap("--sensor", "gyroscope=nowhere", status: 1).named("impactDetection")
        #expect(!point.ok)
        #expect(point.diagnostics?.severity == "fail")
        #expect(point.diagnostics?.message == "fails: no gyroscope")
        #expect(point.diagnostics?.detail?.contains("the pinned gyroscope nowhere was not found") == true)
    }

    @Test func `a blocked service gives its parent's cause`() throws {
        let file = try junit("--sensor", "locationReceiver=nowhere", status: 1)
        let child = try file.named("driving.distractionFreeDriving")
        #expect(child.result == "failure")
        #expect(child.type == "blocked")
        #expect(child.text.contains("driving fails: no receiver"))
        #expect(child.text.contains("the pinned receiver nowhere was not found"))
    }

    @Test func `the whole-session rule names the service that stops`() throws {
        let file = try junit("--rules", "1.x", "--sensor", "gyroscope=nowhere", status: 1)
        let cycling = try file.named("cycling")
        #expect(cycling.type == "blocked")
        #expect(cycling.text.contains("driving.distractionFreeDriving fails: no gyroscope"))
        #expect(cycling.text.contains("the pinned gyroscope nowhere was not found"))
    }

    @Test func `what the licence lacks is a failure`() throws {
        let cycling = try junit("--licence", "walking", "--service", "cycling", status: 1).named("cycling")
        #expect(cycling.result == "failure")
        #expect(cycling.message == "unauthorized: not in the licence")
        #expect(cycling.text.contains("--licence"))
    }

    @Test func `a degraded service passes with a message`() throws {
        let words = ["--service", "discovery", "--sensor", "bluetoothAdapter=none"]
        let one = try junit(words[0], words[1], words[2], words[3], status: 0).named("driving.deviceDiscovery")
        #expect(one.result == "passed")
        #expect(one.text.hasPrefix("degraded: no Bluetooth controller"))
        #expect(one.text.contains("the pinned controller none was not found"))
        let point = try tap(words[0], words[1], words[2], words[3], status: 0).named("deviceDiscovery")
        #expect(point.ok)
        #expect(point.diagnostics?.severity == "comment")
        #expect(point.diagnostics?.message == "degraded: no Bluetooth controller")
        // --strict affects only the exit status.
        #expect(try junit(words[0], words[1], words[2], words[3], "--strict", status: 1).counts["failures"] == 1)
    }

    @Test func `an indeterminate result is an error, not a failure`() throws {
        let file = try junit("--gpsd", "example.org:99", "--service", "places", status: 2)
        #expect(file.counts == ["tests": 13, "failures": 0, "errors": 1, "skipped": 12])
        let places = try file.named("places")
        #expect(places.result == "error")
        #expect(places.type == "undetermined")
        #expect(places.text.contains("seen: gpsd at example.org:99"))
        let point = try tap("--gpsd", "example.org:99", "--service", "places", status: 2).named("places")
        #expect(!point.ok)
        #expect(point.diagnostics?.severity == "error")
    }

    @Test func `services that were not asked for are reported as skipped`() throws {
        let file = try junit("--service", "dfd", status: 0)
        #expect(try file.named("cycling").message == "not asked for")
        #expect(try file.named("driving").result == "skipped")
        #expect(try file.named("driving").message?.contains("; runs: by ") == true)
        #expect(try file.named("driving.distractionFreeDriving").result == "passed")
        #expect(file.counts["skipped"] == 12)
        let points = try tap("--service", "dfd", status: 0)
        #expect(try points.named("cycling").directive == "SKIP")
        #expect(try points.named("cycling").reason == "not asked for")
        #expect(points.points.count { $0.directive == "SKIP" } == 12)
    }

    @Test func `explain asks for one service`() throws {
        let run = try Program.run("explain", "impact", "--rig", "demo", "--format", "junit")
        #expect(run.status == 0)
        #expect(try JUnitFile(run.output).cases.filter { $0.result == "passed" }.map(\.name) == ["impactDetection"])
        let stream = try Program.run("explain", "impact", "--rig", "demo", "--format", "tap")
        #expect(try TAPFile(stream.output).points.count { $0.directive == "" } == 1)
    }

    @Test func `a pinned sensor is a case`() throws {
        let file = try junit(
            "--sensor", "gyroscope=i2c-0/0-0069", "--sensor", "locationReceiver=/dev/ttyACM9", status: 1)
        let gyroscope = try file.named("gyroscope i2c-0/0-0069")
        #expect(gyroscope.className == "rigready.sensors")
        #expect(gyroscope.result == "passed")
        let receiver = try file.named("locationReceiver /dev/ttyACM9")
        #expect(receiver.result == "failure")
        #expect(receiver.type == "absent")
        // Only its detection failed.
        let unseen = try junit(
            "--gpsd", "example.org:99", "--sensor", "locationReceiver=/dev/ttyACM0", "--service", "health", status: 0
        ).named("locationReceiver /dev/ttyACM0")
        #expect(unseen.result == "error")
        #expect(unseen.type == "indeterminate")
    }

    @Test func `times are the drivers' own`() throws {
        let run = try Program.run("--rig", "demo", "--service", "places", "--format", "junit")
        let file = try JUnitFile(run.output)
        #expect(try file.named("places").time != nil)
        #expect(try file.named("health").time == nil)
    }

    @Test func `hostile arguments are escaped`() throws {
        let key = "\u{1b}[31m]]>&\"'<x/>\u{1}\n# SKIP \\ \u{2028}\u{feff}\u{ffff}"
        let file = try junit("--sensor", "gyroscope=\(key)", status: 1)
        let name = "gyroscope [31m]]>&\"'<x/> # SKIP \\ "
        #expect(try file.named(name).result == "failure")
        let run = try Program.run("--rig", "demo", "--sensor", "gyroscope=\(key)", "--format", "tap")
        let prove = try Tool.path("prove", package: "perl")
        let verdict = try Tool.withFolder { folder in
            try Data(run.output.utf8).write(to: folder.appending(path: "rig.tap"))
            return try Tool.run(prove, ["rig.tap"], in: folder)
        }
        #expect(verdict.status == 1)
        #expect(verdict.output.contains("Failed 4/14 subtests"))
    }

    @Test func `prove accepts the output`() throws {
        let prove = try Tool.path("prove", package: "perl")
        let program = Program.url.path
        let good = try Tool.run(prove, ["--exec", "\(program) --format tap --rig", "demo"])
        #expect(good.status == 0)
        #expect(good.output.contains("All tests successful"))
    }
}
