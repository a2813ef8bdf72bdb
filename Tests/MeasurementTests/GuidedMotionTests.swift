import Foundation
import Measurement
import Readiness
import Testing

/// What a guided motion tells of order, signs and scales of the axes.
@Suite struct GuidedMotionTests {
    /// The share of the turn that leads to each pose which is done: it begins two seconds after the request.
    private static func share(_ pose: Int, _ seconds: Double) -> Double {
        min(max((seconds - GuidedMotion.poses[pose].begin - 2) / 2, 0), 1)
    }

    /// Gravity on an axis, in m/s², of a rig that is turned by `degrees` each time.
    @Sendable private static func gravity(_ axis: Int, _ seconds: Double, degrees: Double = 90) -> Double {
        let pose = GuidedMotion.poses.lastIndex { $0.begin <= seconds } ?? 0
        guard pose > 0 else { return axis == 2 ? Chip.g : 0 }
        let angle = share(pose, seconds) * degrees * .pi / 180
        if axis == GuidedMotion.poses[pose - 1].up { return Chip.g * cos(angle) }
        return axis == GuidedMotion.poses[pose].up ? Chip.g * sin(angle) : 0
    }

    @Sendable private static func turning(_ axis: Int, _ seconds: Double, degrees: Double = 90) -> Double {
        let pose = GuidedMotion.poses.lastIndex { $0.begin <= seconds } ?? 0
        guard pose > 0, axis == GuidedMotion.poses[pose].turnedAbout, 0 < share(pose, seconds), share(pose, seconds) < 1
        else { return 0 }
        return degrees * .pi / 180 / 2
    }

    private func series(
        _ chip: Chip, _ motion: @escaping @Sendable (Int, Double) -> Double, mounting: Mounting? = nil
    ) -> MotionSeries {
        chip.series(
            Chip.Signal(mean: [0, 0, 0], motion: motion), rate: 100, seconds: GuidedMotion.seconds, seed: 1,
            key: chip.name,
            mounting: mounting)
    }

    private func measured(_ series: MotionSeries...) -> [SensorMeasurement] {
        RigMeasurement(series.map { .motion($0) }, isMoved: true).sensors
    }

    private let checks: Set<String> = ["axes", "sign", "scale", "still"]

    private func faults(_ sensor: SensorMeasurement) -> [String] { sensor.faults.filter(checks.contains) }

    @Test func `the poses follow one another by a quarter turn about a level axis`() {
        for (before, after) in zip(GuidedMotion.poses, GuidedMotion.poses.dropFirst()) {
            // The right-hand rule: about the third axis, from the new to the old one.
            let about = after.turnedAbout
            #expect(about == 3 - before.up - after.up && before.end == after.begin)
            #expect((after.up + 1) % 3 == before.up)
        }
        #expect(GuidedMotion.poses.last?.end == GuidedMotion.seconds)
        #expect(Set(GuidedMotion.poses.map(\.up)) == [0, 1, 2])
    }

    @Test func `a rig whose axes are right is told so`() {
        let sensors = measured(
            series(.bmi160, { Self.gravity($0, $1) }), series(.bmi160Gyroscope, { Self.turning($0, $1) }))
        for sensor in sensors {
            #expect(faults(sensor) == [] && sensor.findings.contains { $0.id == "axes" && $0.severity == .information })
        }
    }

    @Test func `exchanged axes, a wrong sign and a wrong scale are found on both kinds`() {
        let exchanged = Mounting(matrix: [0, 1, 0, 1, 0, 0, 0, 0, 1], origin: "test")
        var sensors = measured(
            series(.bmi160, { Self.gravity($0, $1) }, mounting: exchanged),
            series(.bmi160Gyroscope, { Self.turning($0, $1) }, mounting: exchanged))
        #expect(faults(sensors[0]) == ["axes", "axes"] && sensors[0].verdict == .bad)
        #expect(faults(sensors[1]) == ["axes", "axes"])
        #expect(sensors[0].findings.contains { $0.remedies == [.advice("correct the mount matrix (test)")] })

        let inverted = Mounting(matrix: [1, 0, 0, 0, -1, 0, 0, 0, 1], origin: "test")
        sensors = measured(
            series(.bmi160, { Self.gravity($0, $1) }, mounting: inverted),
            series(.bmi160Gyroscope, { Self.turning($0, $1) }, mounting: inverted))
        #expect(faults(sensors[0]) == ["sign"] && faults(sensors[1]) == ["sign"])

        sensors = measured(
            series(.bmi160, { $0 == 1 ? Self.gravity($0, $1) * 1.2 : Self.gravity($0, $1) }),
            series(.bmi160Gyroscope, { $0 == 2 ? Self.turning($0, $1) * 0.8 : Self.turning($0, $1) }))
        #expect(faults(sensors[0]) == ["scale"])
        // The accelerometer is wrong, so that its angles judge nothing.
        #expect(faults(sensors[1]) == [])
        sensors = measured(
            series(.bmi160, { Self.gravity($0, $1) }),
            series(.bmi160Gyroscope, { $0 == 2 ? Self.turning($0, $1) * 0.8 : Self.turning($0, $1) }))
        #expect(faults(sensors[0]) == [] && faults(sensors[1]) == ["scale"])
    }

    @Test func `a hand that turns by 75 degrees is no fault of the gyroscope`() {
        let sensors = measured(
            series(.bmi160, { Self.gravity($0, $1, degrees: 75) }),
            series(.bmi160Gyroscope, { Self.turning($0, $1, degrees: 75) }))
        #expect(faults(sensors[1]) == [])
    }

    @Test func `a rig that was not turned, or not far enough, cannot be judged`() {
        let still = measured(
            series(.bmi160, { axis, _ in axis == 2 ? Chip.g : 0 }), series(.bmi160Gyroscope, { _, _ in 0 }))
        for sensor in still {
            #expect(!faults(sensor).isEmpty && Set(faults(sensor)) == ["still"] && sensor.verdict == .undetermined)
        }
        let little = measured(
            series(.bmi160, { Self.gravity($0, $1, degrees: 40) }),
            series(.bmi160Gyroscope, { Self.turning($0, $1, degrees: 40) }))
        #expect(little.allSatisfy { Set(faults($0)) == ["still"] })
        // It followed for the accelerometer, and the gyroscope saw a third of it.
        let weak = measured(
            series(.bmi160, { Self.gravity($0, $1) }), series(.bmi160Gyroscope, { Self.turning($0, $1) / 3 }))
        #expect(faults(weak[1]) == ["scale", "scale", "scale"])
    }

    @Test func `a capture that ends early leaves the axes undetermined`() {
        let short = Chip.bmi160.series(
            Chip.Signal(mean: [0, 0, 0], motion: { Self.gravity($0, $1) }), rate: 100, seconds: 20, seed: 2)
        let sensor = RigMeasurement([.motion(short)], isMoved: true).sensors[0]
        #expect(faults(sensor) == ["axes"] && sensor.verdict == .undetermined)
    }
}
