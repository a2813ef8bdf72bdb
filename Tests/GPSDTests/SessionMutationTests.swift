import DriverKit
import GPSD
import Readiness
import Support
import Synchronization
import Testing

/// A whole conversation with a peer that sends anything.
@Suite struct SessionMutationTests {
    @Test func `mutants of a conversation never crash and keep the rules`() throws {
        let greeting = Array([Recorded.greetings[1], Recorded.open, ""].joined(separator: "\r\n").utf8)
        let seeds = [
            [Recorded.watch, Recorded.poll(Recorded.report()), Recorded.report(second: 56), Recorded.sky, ""],
            [Recorded.open, Recorded.watch, Recorded.poll(Recorded.noFix), Recorded.noFix, Recorded.error, ""],
            [Recorded.closed, Recorded.watch, Recorded.emptyPoll, Recorded.report(mode: 2), Recorded.unknown, ""],
        ].map { Array($0.joined(separator: "\r\n").utf8) }
        var seen: Set<String> = []
        for mutant in Mutations(of: seeds, count: 5_000) {
            let probe = try conversation(greeting, mutant)
            check(probe)
            probe.sensor.map { _ = seen.insert($0.availability.id) }
        }
        #expect(seen.isSuperset(of: ["available", "noFix", "indeterminate"]))
    }

    @Test func `mutants of the greeting never crash and keep the rules`() throws {
        let seeds = [Recorded.open, Recorded.closed, Recorded.noDevices].map {
            Array([Recorded.greetings[1], $0, ""].joined(separator: "\r\n").utf8)
        }
        let rest = Array("\(Recorded.report())\n".utf8)
        for mutant in Mutations(of: seeds, count: 5_000) {
            let probe = try conversation(mutant, rest)
            check(probe)
            // Only a gpsd that answered leads to neither finding nor obstacle.
            if probe.enumeration.candidates.isEmpty && probe.enumeration.obstacles.isEmpty {
                #expect(probe.enumeration.access == .readable)
            }
        }
    }

    private func conversation(_ greeting: [UInt8], _ rest: [UInt8]) throws -> DriverHarness {
        let channel = FakeChannel { request in request.starts(with: "?DEVICES;".utf8) ? [greeting] : [rest] }
        let world = Mutex(FakeWorld())
        return try DriverHarness(
            world.withLock { world in
                world.channels[local] = { channel }
                world.clock = { channel.now }
                return world
            }, seconds: 1)
    }

    private func check(_ probe: DriverHarness) {
        #expect(probe.unaccounted.isEmpty)
        // A mutant may have changed any path.
        for remedy in probe.remedies where remedy.contains("gpsdctl add ") {
            #expect(!remedy.unicodeScalars.contains { "\"'`$\\()<>*?~#!{}[]".unicodeScalars.contains($0) })
        }
        for sensor in probe.enumeration.candidates.map(\.sensor) + probe.findings.map(\.sensor) {
            #expect(!sensor.key.isEmpty)
            #expect(!sensor.key.unicodeScalars.contains { $0.value < 0x20 })
            guard case .position(let position)? = sensor.reading else { continue }
            #expect((position.latitude.map { abs($0) <= 90 }) ?? true)
            #expect((position.longitude.map { abs($0) <= 180 }) ?? true)
            #expect((position.ageSeconds.map { $0 >= 0 && $0.isFinite }) ?? true)
            if sensor.availability == .available { #expect(position.fix != .none && position.latitude != nil) }
        }
    }
}
