import Foundation
import Testing

/// A watch during everything that can happen to a rig: the scenario itself waits for each line, in order.
@Suite struct WatchBenchTests {
    /// The lines of the watch without their times and without complaints.
    private func lines() throws -> [String] {
        try Bench.text("watch.txt").split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("rigready: ") }.map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    /// What was reported of one requirement, in order, without details.
    private func changes(of title: String) throws -> [String] {
        try lines().flatMap { $0.components(separatedBy: "; ") }.filter { $0.hasPrefix("\(title): ") }
            .map { String($0.dropFirst(title.count + 2).prefix { $0 != "(" }).trimmingCharacters(in: .whitespaces) }
    }

    @Test func `sensors are added and removed`() throws {
        #expect(try changes(of: "gyroscope").count { $0.hasSuffix("→ met") } == 1)
        #expect(try changes(of: "accelerometer").count { $0.hasSuffix("→ met") } == 2)
        #expect(try changes(of: "gyroscope").last == "met → absent")
        #expect(try changes(of: "accelerometer").last == "met → absent")
    }

    @Test func `each change follows from the one before`() throws {
        for title in ["gyroscope", "accelerometer", "Bluetooth", "location", "motion access"] {
            let changes = try changes(of: title).map { $0.components(separatedBy: " → ") }
            #expect(!changes.isEmpty)
            for (before, after) in zip(changes, changes.dropFirst()) { #expect(before.last == after.first, "\(title)") }
        }
    }

    @Test func `every line reports a change`() throws {
        let lines = try lines()
        #expect(lines.count > 12)
        #expect(!lines.contains { $0.contains("the inventory changed, but no verdict") })
    }

    @Test func `an invalid file is reported and ends nothing`() throws {
        let complaints = try Bench.text("watch.txt").split(separator: "\n").filter { $0.hasPrefix("rigready: ") }
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("watched.yaml:1:") == true)
        #expect(try changes(of: "location").last == "denied → met")
    }

    @Test func `a slow chip delays no other line`() throws {
        let lines = try Bench.text("watch-slow.txt")
        #expect(lines.contains("gyroscope: met → absent"))
        #expect(!lines.contains("silent"))
        #expect(try Bench.case("watch-slow-end").standing("accelerometer") == "unmet absent")
    }
}
