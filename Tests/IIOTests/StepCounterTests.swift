import DriverKit
import Measurement
import Readiness
import Support
import Synchronization
import SystemPackage
import Testing
@testable import IIO

/// Step counters: the count on a walk, and those of a container that was not given a node.
@Suite struct StepCounterTests {
    /// A clock that goes on by a quarter of a second with each look at it.
    private final class Clock: Sendable {
        private let looks = Mutex(0)
        var now: Instant {
            looks.withLock { looks in
                looks += 1
                return Instant(nanoseconds: 0).advanced(bySeconds: Double(looks) / 4)
            }
        }
    }

    private static let folder = "\(FakeWorld.chip)/iio:device0"

    private func series(_ edit: (inout FakeWorld) -> Void) throws -> StepSeries {
        var world = FakeWorld()
        world.add(name: "pedometer", ["in_steps_input": "41", "in_steps_en": "1"])
        edit(&world)
        let clock = Clock()
        world.clock = { clock.now }
        let sensor = Sensor(key: "k", kind: .stepCounter, name: "pedometer", driver: "iio", path: "iio:device0")
        let meter = try #require(try StepCounterMeter.meters(for: [sensor], walk: 1...9, in: world).first)
        let period = MeasuringPeriod(seconds: 10, rate: nil, capacity: 100, wait: { _ in false }, report: { _ in })
        guard case .steps(let series)? = meter.series(in: world, during: period).first else {
            throw DriverError(.unsupported, subject: "no series of a step counter")
        }
        return series
    }

    @Test func `the count on a walk is read until its end`() throws {
        let series = try series { _ in }
        #expect(series.method.id == "attributes" && series.fault == nil)
        #expect(series.readings.count > 3 && series.readings.allSatisfy { $0.count == 41 })
        let seconds = series.readings.map(\.seconds)
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 } && seconds.allSatisfy { -1...9 ~= $0 })
    }

    @Test func `a counter that cannot be read is told before somebody walks`() throws {
        let series = try series { $0.errors["\(Self.folder)/in_steps_input"] = .ioError }
        #expect(series.method.id == "unmeasured" && series.readings.isEmpty)
    }

    @Test func `a container that was not given a node is told so, of the sensors that are captured from it`() throws {
        for isContainer in [false, true] {
            var world = FakeWorld()
            world.add(["in_accel_x_raw": "1", "in_steps_input": "41", "in_steps_en": "1"])
            if isContainer { world.add("/run/.containerenv", "") }
            let probe = try DriverHarness(world, .presence)
            let motion = try #require(probe.first(.accelerometer))
            #expect(motion.access == .unknown)
            #expect(motion.accessRemedies == (isContainer ? [HostMount.nodesRemedy] : []))
            let words = "; this container was not given the node"
            #expect(motion.evidence.contains { $0.said.hasSuffix(words) } == isContainer)
            let steps = try #require(probe.first(.stepCounter))
            #expect(steps.accessRemedies.isEmpty && !steps.evidence.contains { $0.said.hasSuffix(words) })
        }
    }
}
