import DriverKit
import Foundation
import LocalRig
import Readiness
import Rendering
import Support
import Testing
@testable import rigready

/// How often each requirement changed: what a watch keeps, what survives, what is shown.
@Suite struct HistoryTests {
    /// The demo rig, with every gyroscope in a state.
    private static func rig(gyroscope availability: Availability = .available) throws -> Assessment {
        let rig = try LocalRig(recording: "demo")
        var inventory = try rig.assess().inventory
        for index in inventory.sensors.indices where inventory.sensors[index].kind == .gyroscope {
            inventory.sensors[index].availability = availability
        }
        return rig.evaluate(inventory)
    }

    @Test func `of a host's name a file gives sixty-four characters`() throws {
        let history = RequirementHistory(host: String(repeating: "h", count: 70), now: Self.time(0))
        #expect(try history.checked().host == String(repeating: "h", count: 64))
    }

    @Test func `a file that cannot be written is told once, until it can be written again`() throws {
        let watch = try AssessmentWatch(LocalRig(recording: "demo"))
        defer { watch.end() }
        let change = try #require(try watch.next(until: .now.advanced(bySeconds: 60)))
        try Tool.withFolder { folder in
            let place = folder.appending(path: "place")
            func setPlace(there isThere: Bool) throws {
                if isThere {
                    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
                } else {
                    try FileManager.default.removeItem(at: place)
                }
            }
            try setPlace(there: true)
            var complaints: [String] = []
            let file = HistoryFile(place.appending(path: "history.json").path) { complaints.append($0) }
            try file.show(change)
            for isThere in [false, false, true, false] {
                if FileManager.default.fileExists(atPath: place.path) != isThere { try setPlace(there: isThere) }
                file.end()
            }
            #expect(complaints.count == 2 && complaints.allSatisfy { $0.contains("history.json") }, "\(complaints)")
        }
    }

    private static func time(_ minute: Int) -> String {
        "2026-11-20T\(String(100 + minute / 60).suffix(2)):\(String(100 + minute % 60).suffix(2)):00.000Z"
    }

    private func line(_ history: RequirementHistory, _ id: String = "gyroscope") throws
        -> RequirementHistory.RequirementRecord
    {
        try #require(history.requirements.first { $0.id == id })
    }

    // MARK: Counting

    @Test func `each change is an event, and a requirement was last met when it was last seen so`() throws {
        let (good, silent, absent) = (
            try Self.rig(), try Self.rig(gyroscope: .unavailable(.silent)),
            try Self.rig(gyroscope: .unavailable(.absent))
        )
        var history = RequirementHistory(host: "bench", now: Self.time(0))
        // Whether each was a change.
        var told: [Bool] = []
        told.append(history.take(good, at: Self.time(1), isFirst: true))
        told.append(history.take(good, at: Self.time(2), isFirst: false))
        #expect(try line(history).lastMet == Self.time(2))
        told.append(history.take(silent, at: Self.time(3), isFirst: false))
        history.confirm(at: Self.time(4))
        told.append(history.take(absent, at: Self.time(5), isFirst: false))
        var gyroscope = try line(history)
        #expect(gyroscope.lastMet == Self.time(3))
        #expect(gyroscope.standing == "unmet" && gyroscope.cause == "absent")
        #expect(
            gyroscope.events.map { [$0.at, $0.before, $0.after] } == [
                [Self.time(3), "met", "silent"], [Self.time(5), "silent", "absent"],
            ])
        told.append(history.take(good, at: Self.time(6), isFirst: false))
        gyroscope = try line(history)
        #expect(gyroscope.changes == 3 && gyroscope.standing == "met" && gyroscope.cause == nil)
        #expect(told == [true, false, true, true, true])
        // Nothing else changed.
        #expect(history.requirements.filter { $0.changes > 0 }.map(\.id) == ["gyroscope"])
        #expect(try line(history, "accelerometer").lastMet == Self.time(6))
    }

    @Test func `what changed while nobody watched is an event, and its last good time is the one before`() throws {
        var history = RequirementHistory(host: "bench", now: Self.time(0))
        history.take(try Self.rig(), at: Self.time(1), isFirst: true)
        history.confirm(at: Self.time(9))
        history.take(try Self.rig(gyroscope: .unavailable(.silent)), at: Self.time(50), isFirst: true)
        let gyroscope = try line(history)
        #expect(gyroscope.lastMet == Self.time(9))
        #expect(gyroscope.events.map(\.at) == [Self.time(50)])
        #expect(try line(history, "accelerometer").lastMet == Self.time(50))
    }

    @Test func `a requirement that repeats another's cause has no changes of its own`() throws {
        let rig = try LocalRig(recording: "demo")
        var inventory = try rig.assess().inventory
        let good = rig.evaluate(inventory)
        for index in inventory.sensors.indices where inventory.sensors[index].kind == .locationReceiver {
            inventory.sensors[index].availability = .unavailable(.noFix)
        }
        let bad = rig.evaluate(inventory)
        var history = RequirementHistory(host: "bench", now: Self.time(0))
        for minute in 0..<6 { history.take(minute % 2 == 0 ? good : bad, at: Self.time(minute), isFirst: minute == 0) }
        #expect(try line(history, "location").changes == 5)
        let precise = try line(history, "preciseLocation")
        #expect(precise.standing == "unmet" && precise.rootCause == "location")
        #expect(precise.changes == 0 && precise.events == [])
    }

    @Test func `it stays bounded, counts what it does not list, and says so`() throws {
        let (good, silent) = (try Self.rig(), try Self.rig(gyroscope: .unavailable(.silent)))
        var history = RequirementHistory(host: "bench", now: Self.time(0))
        for minute in 0...500 {
            history.take(minute % 2 == 0 ? good : silent, at: Self.time(minute), isFirst: minute == 0)
        }
        let gyroscope = try line(history)
        #expect(gyroscope.events.count == RequirementHistory.eventLimit && gyroscope.changes == 500)
        #expect(gyroscope.isTruncated && gyroscope.events.last?.at == Self.time(500))
        #expect(try Output.document(history, onOneLine: true).utf8.count < 32_000)
        // Of a time that the list covers nothing is missing.
        let recent = try line(history.since(Self.time(491)))
        #expect(recent.events.count == 10 && !recent.isTruncated)
        #expect(try line(history.since(Self.time(100))).isTruncated)
        #expect(history.since(Self.time(491)).since == Self.time(491))
    }

    // MARK: The file

    private func history(_ words: String..., file: URL) throws -> Program.Run {
        try Program.run(["history", "--file", file.path] + words)
    }

    private func requirement(_ id: String, in file: URL) throws -> [String: Any] {
        let run = try history("--format", "json", "--requirement", id, file: file)
        #expect(run.status == 0, "\(run.complaints)")
        let document = try run.document()
        #expect(document["schema"] as? String == "rigready.history/1")
        return try #require((document["requirements"] as? [[String: Any]])?.first)
    }

    /// Watches the demo rig until its grants have changed so often, and ends it with a signal.
    private func watch(in folder: URL, signal: Int32, _ words: [String] = [], grants texts: [String]) throws {
        let (file, grants) = (folder.appending(path: "history.json"), folder.appending(path: "grants.yaml"))
        let watch = try RunningProgram(
            ["watch", "--rig", "demo", "--permissions", grants.path, "--history", file.path] + words, named: "watch",
            in: folder)
        func lines() -> Int { watch.text.split(separator: "\n").count { !$0.hasPrefix("rigready:") } }
        #expect(RunningProgram.wait { lines() == 1 }, "\(watch.text)")
        for (number, text) in texts.enumerated() {
            try Data("motion: \(text)\n".utf8).write(to: grants, options: .atomic)
            #expect(RunningProgram.wait { lines() == number + 2 }, "\(watch.text)")
        }
        #expect(watch.end(signal) == (signal == SIGKILL ? SIGKILL : 0))
    }

    @Test func `it continues after the watch was ended, and after it was killed`() throws {
        try Tool.withFolder { folder in
            let file = folder.appending(path: "history.json")
            try watch(in: folder, signal: SIGTERM, grants: ["denied", "allowed", "denied"])
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            var motion = try requirement("motion", in: file)
            #expect(motion["changes"] as? Int == 3 && motion["cause"] as? String == "denied")
            let events = try #require(motion["events"] as? [[String: String]])
            #expect(events.map { $0["after"] } == ["denied", "met", "denied"])
            // What it was last met is the time of the last change.
            #expect(motion["lastMet"] as? String == events.last?["at"])
            let begun = try history("--format", "json", file: file).document()["begunAt"] as? String
            // It was edited meanwhile, and the watch that is killed has written that at its start.
            try Data("motion: allowed\n".utf8).write(to: folder.appending(path: "grants.yaml"))
            try watch(in: folder, signal: SIGKILL, grants: [])
            motion = try requirement("motion", in: file)
            #expect(motion["changes"] as? Int == 4 && motion["standing"] as? String == "met")
            #expect(try history("--format", "json", file: file).document()["begunAt"] as? String == begun)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(files.allSatisfy { !$0.hasPrefix(".history") })
        }
    }

    @Test(arguments: [
        ("", "expected the history of a watch"), ("{", "history.json:2:1: expected YAML or JSON"),
        ("[]", "has the wrong type"),
        ("{\"schema\": \"rigready.history/2\"}", "expected rigready.history/1, found \"rigready.history/2\""),
        ("{\"schema\": \"rigready.history/1\"}", "is missing"),
        (String(repeating: "[", count: 100_000), "history.json"),
        (String(repeating: " ", count: 5 << 20), "larger than 4 MiB"),
        ("\u{0}\u{1b}[2J", "history.json"),
    ])
    func `a damaged file is told, and replaced`(text: String, words: String) throws {
        try Tool.withFolder { folder in
            let file = folder.appending(path: "history.json")
            try Data(text.utf8).write(to: file)
            let shown = try history(file: file)
            #expect(shown.status == 66)
            #expect(shown.output == "")
            #expect(shown.complaints.contains(words), "\(shown.complaints)")
            let run = try Program.run("watch", "--rig", "demo", "--for", "0.3", "--history", file.path)
            #expect(run.status == 0)
            #expect(run.complaints.contains(words) && run.complaints.hasSuffix("; a new history begins\n"))
            #expect(run.complaints.split(separator: "\n").count == 1)
            #expect(try requirement("motion", in: file)["standing"] as? String == "met")
        }
    }

    @Test func `a truncated file is never half believed`() throws {
        var history = RequirementHistory(host: "bench", now: Self.time(0))
        for minute in 0..<6 {
            history.take(
                try Self.rig(gyroscope: minute % 2 == 0 ? .available : .unavailable(.silent)), at: Self.time(minute),
                isFirst: minute == 0)
        }
        let bytes = Array(try Output.document(history, onOneLine: true).utf8)
        #expect(try HistoryFile.parse(bytes, file: "f") == history)
        for end in bytes.indices.dropLast(2) {
            #expect(throws: CommandFailure.self) { try HistoryFile.parse(Array(bytes[..<end]), file: "f") }
        }
    }

    @Test func `damage gives a history within its bounds or one line, and never a crash`() throws {
        var history = RequirementHistory(host: "bench", now: Self.time(0))
        for minute in 0..<4 {
            history.take(
                try Self.rig(gyroscope: minute % 2 == 0 ? .available : .unavailable(.silent)), at: Self.time(minute),
                isFirst: minute == 0)
        }
        let bytes = Array(try Output.document(history, onOneLine: true).utf8)
        let good = try Self.rig()
        var (read, refused) = (0, 0)
        for mutant in Mutations(of: [bytes], count: 6000) {
            do throws(CommandFailure) {
                var history = try HistoryFile.parse(mutant, file: "history")
                read += 1
                #expect(history.requirements.map(\.id) == Requirement.allCases.map(\.id))
                #expect(history.requirements.allSatisfy { $0.events.count <= RequirementHistory.eventLimit })
                // What was read can be continued, written and read again.
                history.take(good, at: Self.time(60), isFirst: true)
                let again = try HistoryFile.parse(Array(Output.document(history).utf8), file: "history")
                #expect(again == history)
            } catch {
                refused += 1
                #expect(error.status == .badFile)
                #expect(error.description.hasPrefix("history:") && !error.description.contains { $0.isNewline })
            }
        }
        #expect(read > 100)
        #expect(refused > 100)
    }

    @Test func `what a later version knows is left out, and the rest is kept`() throws {
        var history = RequirementHistory(host: "bench", now: Self.time(0))
        history.take(try Self.rig(gyroscope: .unavailable(.silent)), at: Self.time(1), isFirst: true)
        history.take(try Self.rig(), at: Self.time(2), isFirst: false)
        let text = try Output.document(history)
        let later = text.replacing("\"id\" : \"stepsRead\"", with: "\"id\" : \"barometer\"")
            .replacing("\"before\" : \"silent\"", with: "\"before\" : \"drifting\"")
            .replacing("\"host\"", with: "\"firmware\" : {\"a\" : [1]},\n  \"host\"")
        #expect(later != text)
        let read = try HistoryFile.parse(Array(later.utf8), file: "f")
        #expect(try line(read).events == [] && line(read).changes == 1)
        #expect(try line(read, "stepsRead").standing == nil)
        #expect(try line(read, "accelerometer") == line(history, "accelerometer"))
    }

    @Test(arguments: [
        ("\"changes\" : 1", "\"changes\" : -1", "changes: expected a number from 0"),
        ("\"changes\" : 1", "\"changes\" : 9223372036854775807", "changes: expected a number from 0"),
        ("\"changes\" : 1", "\"changes\" : 0", "events: expected at most 0 changes"),
        ("\"id\" : \"motion\"", "\"id\" : \"location\"", "location is there twice"),
        ("2026-11-20T00:02:00.000Z", "2026-11-20T00:99:00.000Z", "expected a time such as"),
    ])
    func `values that cannot be true are refused with their place`(old: String, new: String, words: String) throws {
        var history = RequirementHistory(host: "bench", now: Self.time(0))
        history.take(try Self.rig(gyroscope: .unavailable(.silent)), at: Self.time(1), isFirst: true)
        history.take(try Self.rig(), at: Self.time(2), isFirst: false)
        let text = try Output.document(history).replacing(old, with: new)
        do throws(CommandFailure) {
            _ = try HistoryFile.parse(Array(text.utf8), file: "f")
            Issue.record("it was read")
        } catch {
            #expect(error.description.contains(words), "\(error)")
        }
    }

    @Test func `a file that cannot be written or is none is told`() throws {
        let run = try Program.run("watch", "--rig", "demo", "--history", "/nonexistent/history.json")
        #expect(run.status == 73)
        #expect(run.complaints.contains("/nonexistent/history.json: No such file or directory"))
        try Tool.withFolder { folder in
            let run = try Program.run("watch", "--rig", "demo", "--history", folder.path)
            #expect(run.status == 73)
            let none = try history(file: folder.appending(path: "none"))
            #expect(none.status == 66 && none.complaints.contains("no history is kept here; the service does"))
        }
    }

    // MARK: What is shown

    @Test func `the text tells how often, what, and when it was last met`() throws {
        var history = RequirementHistory(host: "bench", now: Self.time(0))
        for minute in 0..<6 {
            history.take(
                try Self.rig(gyroscope: minute % 2 == 0 ? .available : .unavailable(.silent)), at: Self.time(minute),
                isFirst: minute == 0)
        }
        try Program.withFile(try Output.document(history), ending: "json") { file in
            let run = try Program.run("history", "--file", file)
            #expect(run.status == 0)
            let lines = run.output.split(separator: "\n")
            #expect(
                lines.first == "bench · watched since 2026-11-20T00:00:00Z, until 2026-11-20T00:05:00Z · all changes")
            #expect(
                lines.contains("  ✗ gyroscope            silent; fell silent 3 times; last met 2026-11-20T00:05:00Z"))
            #expect(run.output.contains("✓ accelerometer        met; no change\n"))
            let one = try Program.run("history", "--file", file, "--requirement", "gyroscope").output
            #expect(one.split(separator: "\n").count == 8)
            #expect(one.contains("2026-11-20T00:02:00Z silent → met\n"))
            // A requirement has the names that explain takes.
            for name in ["Gyroscope", "controller", "step counter", "location-receiver"] {
                #expect(try Program.run("history", "--file", file, "--requirement", name).status == 0, "\(name)")
            }
            // The events are of a fixed day, and a minute ago there was none.
            let late = try Program.run("history", "--file", file, "--since", "1m").output
            #expect(late.contains("the last 1 minute\n"))
            #expect(late.contains("✗ gyroscope            silent; no change; last met"))
        }
    }

    @Test(arguments: ["0d", "7", "d", "-1d", "7y", "99999w", "1e3d", "", "٣d"])
    func `a time that is none is refused`(word: String) throws {
        let run = try Program.run("history", "--since", word)
        #expect(run.status == 64)
        #expect(run.complaints.contains("a number with m, h, d or w") || word == "-1d")
    }

    @Test func `a near miss of a requirement is suggested`() throws {
        let run = try Program.run("history", "--requirement", "gyroscop")
        #expect(run.status == 64)
        #expect(run.complaints.contains("Did you mean 'gyroscope'?"))
        #expect(try Program.run("history", "--format", "tap").status == 64)
    }
}
