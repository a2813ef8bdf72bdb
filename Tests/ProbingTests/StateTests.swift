import DriverKit
import Readiness
import Support
import Testing
@testable import LocalRig

/// The progress of one driver's probe, at instants of the test's own.
@Suite struct StateTests {
    private let start = Instant(nanoseconds: 1_000_000_000)
    private let limit = ProbeLimit(.seconds(1), longest: .seconds(3))

    private func enumeration(_ keys: String...) -> Enumeration {
        Enumeration(
            candidates: keys.map { SensorCandidate(Sensor(key: $0, kind: .gyroscope, name: $0, driver: "stub")) },
            access: .readable)
    }

    private func after(_ seconds: Double) -> Instant { start.advanced(bySeconds: seconds) }

    @Test(arguments: [(0.999, true), (1, false), (1.001, false)])
    func `a listing counts before its deadline, not at it`(seconds: Double, counts: Bool) {
        var state = DriverProbe.State(limit)
        _ = state.start(.findings, at: start)
        let session = StubSession(StubDriver(), FakeWorld())
        let begins = state.begin(session, enumeration("a"), at: after(seconds))
        #expect(begins == counts)
        #expect(state.entries.count == (counts ? 1 : 0))
    }

    @Test func `a worker that finds nothing to read is no longer counted`() throws {
        var state = DriverProbe.State(limit)
        let session = StubSession(StubDriver(), FakeWorld())
        _ = state.start(.findings, at: start)
        _ = state.begin(session, enumeration("a"), at: after(0.1))
        _ = state.addWorker(at: after(0.1))
        let taken = state.take(at: after(0.2))
        let (entry, deadline) = try #require(taken)
        #expect(entry.answer.candidate.sensor.key == "a" && deadline == after(1))
        state.finish(entry, Finding(entry.answer.candidate.sensor), at: after(0.3))
        #expect(state.workers == 1)
        let next = state.take(at: after(0.3))
        #expect(next?.0.id == nil && state.workers == 0 && state.isSettled)
    }

    /// A hub that does not answer, next to a chip that samples slowly: the hub's second sensor ends with its first.
    @Test func `a sensor that waits for its group ends with the one that is being read`() throws {
        var state = DriverProbe.State(limit)
        let session = StubSession(StubDriver(), FakeWorld())
        let groups = ["stuck": "hub", "mate": "hub", "slow": "chip"]
        let candidates = ["stuck", "mate", "slow"].map {
            SensorCandidate(Sensor(key: $0, kind: .gyroscope, name: $0, driver: "stub"), group: groups[$0])
        }
        _ = state.start(.findings, at: start)
        _ = state.begin(session, Enumeration(candidates: candidates, access: .readable), at: start)
        for _ in 0..<2 { _ = state.addWorker(at: after(0.1)) }
        _ = state.take(at: after(0.1))
        let taken = state.take(at: after(0.1))
        let slow = try #require(taken)
        #expect(slow.0.answer.candidate.sensor.key == "slow")
        _ = state.expect(ReadingTime(.seconds(1.4), reason: "samples slowly"), of: slow.0.id, at: after(0.1))
        #expect(state.due == after(1))
        _ = state.expire(at: after(1))
        #expect(state.entries.map(\.phase) == [.overdue, .missed, .reading])
        #expect(state.entries.map(\.answer.given) == [.seconds(1), .seconds(1), .seconds(2.8)])
        #expect(state.due == after(2.9))
    }

    /// A chip that samples slowly before a hub that does not answer, whatever their order and groups: the hub costs its own
    /// time only.
    @Test(arguments: [
        (["slow", "stuck", "mate"], ["stuck": "hub", "mate": "hub"]), (["slow", "stuck", "mate"], [:]),
        (["stuck", "slow", "mate"], [:]), (["stuck", "mate", "slow"], [:]),
    ])
    func `a stuck sensor that is read after a slow one ends at its own time`(
        order: [String], groups: [String: String]
    ) throws {
        var state = DriverProbe.State(limit)
        let session = StubSession(StubDriver(), FakeWorld())
        let candidates = order.map {
            SensorCandidate(Sensor(key: $0, kind: .gyroscope, name: $0, driver: "stub"), group: groups[$0])
        }
        _ = state.start(.findings, at: start)
        _ = state.begin(session, Enumeration(candidates: candidates, access: .readable), at: start)
        var deadlines: [String: Instant] = [:]
        for step in 1...3 {
            _ = state.addWorker(at: after(0.1 * Double(step)))
            guard let (entry, deadline) = state.take(at: after(0.1 * Double(step))) else { continue }
            let key = entry.answer.candidate.sensor.key
            deadlines[key] =
                key == "slow"
                ? state.expect(
                    ReadingTime(.seconds(1.4), reason: "samples slowly"), of: entry.id, at: after(0.1 * Double(step)))
                : deadline
        }
        let slow = try #require(deadlines["slow"])
        #expect(slow >= after(2.9))
        for (key, deadline) in deadlines where key != "slow" { #expect(deadline <= after(1.3), "\(key)") }
        _ = state.expire(at: after(1.3))
        let phases = Dictionary(uniqueKeysWithValues: zip(order, state.entries.map(\.phase)))
        #expect(phases["slow"] == .reading && phases["stuck"] == .overdue && phases["mate"] != .reading)
    }

    /// Both sensors of a slow chip: the second one may wait as long as the first one may take.
    @Test func `a sensor that waits for a slow one of its group has its time`() throws {
        var state = DriverProbe.State(limit)
        let session = StubSession(StubDriver(), FakeWorld())
        let candidates = ["slow", "mate"].map {
            SensorCandidate(Sensor(key: $0, kind: .gyroscope, name: $0, driver: "stub"), group: "chip")
        }
        _ = state.start(.findings, at: start)
        _ = state.begin(session, Enumeration(candidates: candidates, access: .readable), at: start)
        _ = state.addWorker(at: after(0.1))
        let taken = state.take(at: after(0.1))
        let slow = try #require(taken)
        _ = state.expect(ReadingTime(.seconds(1.4), reason: "samples slowly"), of: slow.0.id, at: after(0.1))
        _ = state.expire(at: after(1))
        #expect(state.entries.map(\.phase) == [.reading, .waiting])
        _ = state.expire(at: after(2.9))
        #expect(state.entries.map(\.phase) == [.overdue, .missed])
        #expect(state.entries[1].answer.given == .seconds(2.8))
    }

    @Test func `a sensor that is read again has the usual time`() throws {
        var state = DriverProbe.State(limit)
        let session = StubSession(StubDriver(), FakeWorld())
        _ = state.start(.findings, at: start)
        _ = state.begin(session, enumeration("a"), at: after(0.1))
        _ = state.addWorker(at: after(0.1))
        let taken = state.take(at: after(0.2))
        let (entry, _) = try #require(taken)
        let explained = state.expect(ReadingTime(.seconds(1), reason: "at 1 Hz"), of: entry.id, at: after(0.2))
        #expect(explained == after(2.2))
        #expect(state.entries[0].answer.given == .seconds(2))
        // Listed again while it is being read, it is read again once that has returned.
        _ = state.start(.findings, at: after(0.5))
        _ = state.begin(session, enumeration("a"), at: after(0.6))
        state.finish(entry, Finding(entry.answer.candidate.sensor), at: after(0.7))
        #expect(state.entries[0].phase == .waiting)
        #expect(state.entries[0].answer.given == .seconds(1))
        #expect(state.entries[0].deadline == after(1.7) && state.entries[0].latest == after(3.7))
    }

    @Test(arguments: [true, false])
    func `sensors listed again after a listing that failed are unknown until they are read`(fails: Bool) throws {
        let driver = StubDriver(kinds: [.gyroscope])
        var state = DriverProbe.State(limit)
        let session = StubSession(driver, FakeWorld())
        _ = state.start(.findings, at: start)
        _ = state.begin(session, enumeration("a"), at: after(0.1))
        _ = state.addWorker(at: after(0.1))
        let taken = state.take(at: after(0.2))
        let (entry, _) = try #require(taken)
        state.finish(entry, Finding(entry.answer.candidate.sensor), at: after(0.3))
        let before = state.result(of: driver)
        #expect(before.sensors.map(\.key) == ["a"])
        _ = state.start(.findings, at: after(1))
        if fails {
            state.fail(DriverError(.closed, subject: "stub"), at: after(1.1))
        } else {
            let begins = state.begin(session, enumeration("a"), at: after(2.1))
            #expect(!begins)
        }
        // Before anybody has asked for the result of that.
        _ = state.start(.findings, at: after(2.2))
        _ = state.begin(session, enumeration("a"), at: after(2.3))
        for _ in 0..<2 {
            let result = state.result(of: driver)
            #expect(result.sensors.isEmpty && result.obstacles.map(\.cause) == [.indeterminate])
        }
        _ = state.addWorker(at: after(2.3))
        let again = state.take(at: after(2.4))
        let (same, _) = try #require(again)
        state.finish(same, Finding(same.answer.candidate.sensor), at: after(2.5))
        let result = state.result(of: driver)
        #expect(result.sensors.map(\.key) == ["a"] && result.obstacles.isEmpty)
    }
}
