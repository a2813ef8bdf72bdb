import Readiness
import Rendering
import Testing
@testable import Measurement

@Suite("Receivers, controllers and step counters measured") struct OtherSensorTests {
    private static let second: Int64 = 1_000_000_000

    /// A receiver under an open sky, scattered by some metres.
    private func receiver(
        _ count: Int = 120, spread: Double = 2e-5, without: Set<Int> = [], lost: Set<Int> = [], clock: Double = 0.3,
        seen: Int = 12, dilution: Double = 0.9, signal: Double = 38, tellsUsed: Bool = true,
        speed: @Sendable (Int) -> Double? = { _ in nil }, north: @Sendable (Int) -> Double = { _ in 0 },
        used: @Sendable (Int) -> Int? = { _ in nil }
    ) -> PositionSeries {
        var generator = Generator(seed: 31)
        var series = PositionSeries(key: "/dev/ttyACM0", name: "u-blox", began: 0)
        for index in 0..<count where !without.contains(index) {
            let hasFix = !lost.contains(index)
            let time = Int64(index + 3) * Self.second + Int64(2e6 * generator.normal())
            series.append(
                PositionReport(
                    time: time, fix: hasFix ? .threeDimensional : .none,
                    latitude: hasFix ? 52.5 + spread * generator.normal() + north(index) / 111_270 : nil,
                    longitude: hasFix ? 13.4 + spread * generator.normal() : nil, altitude: 40, horizontalError: 3,
                    speed: speed(index), receiverTime: 1.8e9 + Double(index), receivedAt: 1.8e9 + Double(index) + clock)
            )
            series.append(
                SkyReport(
                    time: time, seen: seen, used: tellsUsed ? used(index) ?? seen - 2 : nil,
                    signals: Array(repeating: signal, count: seen - 2), horizontalDilution: dilution))
        }
        series.ended = Int64(count + 3) * Self.second
        return series
    }

    private func measure(_ series: PositionSeries, isMoved: Bool = false) -> SensorMeasurement {
        RigMeasurement([.position(series)], isMoved: isMoved).sensors[0]
    }

    @Test func `a good receiver is good`() throws {
        let measured = measure(receiver())
        #expect(measured.faults == [])
        let figures = try #require(measured.receiver)
        #expect(figures.satellitesSeen == Estimate(12, uncertainty: 0) && figures.satellitesUsed?.value == 10)
        #expect(figures.horizontalDilution?.value == 0.9 && figures.horizontalError?.value == 3)
        #expect(figures.signal == Estimate(38, uncertainty: 0))
        #expect(abs(try #require(figures.timeToFirstFix) - 3) < 0.02)
        #expect(abs(try #require(figures.clockDifference).value - 0.3) < 1e-6)
        #expect(abs(try #require(measured.rate).value - 1) < 0.001)
        // σ is 2.2 m to the north and 1.36 m to the east.
        #expect(abs(try #require(figures.cep50).value - 0.5887 * 3.58) < 0.3)
    }

    @Test func `each fault of a receiver is found`() {
        #expect(measure(receiver(spread: 2e-4)).faults == ["scatter"])
        #expect(measure(receiver(spread: 2e-4), isMoved: true).faults == [])
        #expect(measure(receiver(lost: [50, 51])).faults == ["fix"])
        #expect(measure(receiver(clock: 60)).faults == ["clock"])
        #expect(measure(receiver(seen: 6)).faults == ["satellites"])
        #expect(measure(receiver(dilution: 2)).faults == ["dilution"])
        #expect(measure(receiver(signal: 15)).faults == ["signal"])
        let gaps = measure(receiver(without: [40, 41, 80]))
        #expect(gaps.faults == ["gaps"])
        #expect(gaps.gaps?.map(\.index) == [40, 78] && gaps.gaps?.map(\.missing) == [2, 1])
        #expect(measure(receiver(without: Set((0..<120).filter { $0 % 2 == 1 }))).faults == ["rate"])
        #expect(measure(PositionSeries(key: "k", name: "n", began: 0)).verdict == .bad)
    }

    /// The number of reports a second apart, the speed, and whether one position over that way is a fault: from five
    /// reports, 1 m/s and 5 m on.
    @Test(arguments: [
        (6, 1, true), (6, 0.99, false), (5, 1.25, true), (4, 20, false), (5, 1.24, false), (7, 13, true),
        (60, 0, false),
    ])
    func `a position that stays the same at speed is stuck`(count: Int, speed: Double, isStuck: Bool) throws {
        let measured = measure(held(count, speed: speed))
        let finding = measured.findings.first { $0.id == "constantPosition" && $0.severity == .bad }
        #expect((finding != nil) == isStuck)
        guard let finding else { return }
        #expect(measured.verdict == .bad && !measured.faults.contains("moving"))
        #expect(finding.detail.contains("the position is stuck: \(count) reports from report 0 on"))
        // A person who moves the rig for the measurement makes no difference.
        #expect(measure(held(count, speed: speed), isMoved: true).faults.contains("constantPosition"))
    }

    @Test func `a position is stuck only while time goes on and nothing of it changes`() {
        func isStuck(_ series: PositionSeries) -> Bool { measure(series).faults.contains("constantPosition") }
        #expect(isStuck(held(20, speed: 13)))
        // The last digit changes at every fourth report.
        #expect(!isStuck(held(20, speed: 13, latitude: { 48.117 + Double($0 / 4) * 1e-9 })))
        #expect(isStuck(held(20, speed: 13, latitude: { 48.117 + Double($0 / 5) * 1e-9 })))
        // Each report comes four times.
        #expect(!isStuck(held(16, speed: 13, receiverTime: { 1.8e9 + Double($0 / 4) })))
        #expect(isStuck(held(20, speed: 13, receiverTime: { 1.8e9 + Double($0 / 4) })))
        #expect(isStuck(held(20, speed: 13, receiverTime: { _ in nil })))
    }

    /// A receiver that reports one position at a speed, each second.
    private func held(
        _ count: Int, speed: Double, latitude: @Sendable (Int) -> Double = { _ in 48.117 },
        receiverTime: @Sendable (Int) -> Double? = { 1.8e9 + Double($0) }
    ) -> PositionSeries {
        var series = PositionSeries(key: "/dev/ttyUSB0", name: "NMEA0183", began: 0)
        for index in 0..<count {
            series.append(
                PositionReport(
                    time: Int64(index) * Self.second, fix: .threeDimensional, latitude: latitude(index),
                    longitude: 11.517, speed: speed, receiverTime: receiverTime(index)))
        }
        series.ended = Int64(count) * Self.second
        return series
    }

    @Test func `a receiver that moves has no scatter, and is told so`() throws {
        let driving = measure(receiver(speed: { _ in 14 }, north: { Double($0) * 14 }))
        #expect(driving.faults == ["moving"] && driving.verdict == .undetermined)
        let figures = try #require(driving.receiver)
        #expect(figures.isMoving == true && figures.speed?.value == 14 && figures.fixes == 120)
        #expect(figures.cep50 == nil && figures.radius95 == nil && figures.twoDRMS == nil && figures.jumps == [])
        #expect(driving.line("speed")?.hasPrefix("14") == true && driving.line("scatter") == nil)
        #expect(driving.findings.first?.detail.contains("a median of 14 m/s") == true)
        // A guided motion turns the rig and says nothing against a scatter.
        #expect(measure(receiver(speed: { _ in 14 }, north: { Double($0) * 14 }), isMoved: true).faults == [])
        // The noise of a speed at rest, such as indoors: many may be above 0.5 m/s.
        for fast in [[3, 70], Array(0..<59)] {
            let still = measure(receiver(speed: { fast.contains($0) ? 0.6 : 0.1 }))
            #expect(still.faults == [] && still.receiver?.isMoving == false && still.receiver?.cep50 != nil)
        }
        #expect(measure(receiver(speed: { $0 < 61 ? 0.6 : 0.1 })).receiver?.isMoving == true)
        // One that stops on its way.
        #expect(measure(receiver(speed: { $0 < 50 ? 14 : 0.1 })).receiver?.isMoving == true)
        #expect(measure(receiver(2, speed: { _ in 2 })).receiver?.isMoving == nil)
        #expect(measure(receiver()).receiver?.isMoving == nil)
    }

    @Test func `a jump of the position is found at its report, with the satellites that were lost`() throws {
        let jumped = measure(receiver(north: { $0 < 60 ? 0 : 40 }, used: { $0 < 60 ? 9 : 4 }))
        let jump = try #require(jumped.receiver?.jumps.first)
        #expect(jumped.receiver?.jumps.count == 1 && jump.index == 60 && abs(jump.distance - 40) < 10)
        #expect(jump.usedBefore == 9 && jump.usedAfter == 4)
        let finding = try #require(jumped.findings.first { $0.check == .jump })
        #expect(finding.severity == .warning && finding.source?.contains("EK3_GLITCH_RAD") == true)
        #expect(finding.detail.contains("at report 60, while the satellites used went from 9 to 4; 25 m"))
        #expect(finding.detail.hasPrefix("the position jumped once, farthest by "))
        // gpsd may send the sky of a cycle before its position, and one without the number used.
        var early = PositionSeries(key: "k", name: "n", began: 0)
        for (index, used) in [9, 9, 4, 4].enumerated() {
            let time = Int64(index) * Self.second
            early.append(SkyReport(time: time - 1000, seen: 12, used: used))
            early.append(
                PositionReport(
                    time: time, fix: .threeDimensional, latitude: index < 2 ? 52.5 : 52.501, longitude: 13.4))
        }
        #expect(early.jumps(beyond: 25).map { [$0.usedBefore, $0.usedAfter] } == [[9, 4]])
        let unknown = measure(receiver(tellsUsed: false, north: { $0 < 60 ? 0 : 40 }))
        #expect(unknown.receiver?.satellitesUsed == nil && unknown.receiver?.jumps.first?.usedAfter == nil)
        // There and back.
        #expect(measure(receiver(north: { $0 == 60 ? 40 : 0 })).receiver?.jumps.map(\.index) == [60, 61])
        // Not one of less than 25 m, of a wide scatter, of a speed that explains it, or of one that grows to it.
        #expect(measure(receiver(spread: 1e-6, north: { $0 < 60 ? 0 : 24 })).receiver?.jumps == [])
        #expect(measure(receiver(spread: 2e-4, north: { $0 < 60 ? 0 : 40 })).receiver?.jumps == [])
        #expect(measure(receiver(speed: { _ in 30 }, north: { Double($0) * 30 })).receiver?.jumps == [])
        let faster = measure(receiver(speed: { $0 < 60 ? 0 : 30 }, north: { Double(max($0 - 59, 0)) * 30 }))
        #expect(faster.receiver?.jumps == [])
        // A vehicle that jumps is told all the same.
        let car = measure(receiver(speed: { _ in 30 }, north: { Double($0) * 30 + ($0 < 60 ? 0 : 50) }))
        #expect(car.receiver?.jumps.map(\.index) == [60])
    }

    @Test func `too few positions, or ones too near the limit, do not tell the scatter, and say how long it takes`()
        throws
    {
        // Of 19 positions none is expected beyond the radius of 95 %.
        let few = measure(receiver(19, spread: 2e-4))
        let finding = try #require(few.findings.first { $0.check == .scatter })
        #expect(few.faults == [] && finding.severity == .information)
        #expect(finding.detail.contains("too uncertain to compare with 20 m: 19 positions in"))
        #expect(finding.remedies == [.advice("measure for about 19 s")])
        // A radius of 24 m ± 4 m beside 20 m; what must not be broken is undetermined then.
        let series = receiver(spread: 8.4e-5)
        let near = RigMeasurement([.position(series)], limits: QualityLimits(.android)).sensors[0]
        let radius = try #require(near.receiver?.radius95)
        #expect(
            abs(radius.value - 20) < radius.uncertainty && near.faults == ["scatter"] && near.verdict == .undetermined)
        #expect(measure(series).verdict == .good)
        #expect(measure(series).findings.map(\.check) == [.scatter])
    }

    @Test func `a receiver with a fix at once may have had it before`() throws {
        #expect(try #require(measure(receiver()).receiver).hadFix)
        #expect(try !#require(measure(receiver(lost: [0, 1])).receiver).hadFix)
    }

    @Test func `the words of figures say what is known of them`() throws {
        func line(_ name: String, _ sensor: SensorMeasurement) -> String? { sensor.line(name) }
        #expect(line("first fix", measure(receiver())) == "in the first report, after 3.0 s")
        #expect(line("first fix", measure(receiver(lost: [0]))) == "after 4.0 s")
        #expect(line("clock", measure(receiver(clock: -0.25))) == "250 ms behind the receiver")
        #expect(line("clock", measure(receiver(clock: 0.25))) == "250 ms ahead of the receiver")
        #expect(line("satellites", measure(receiver()))?.hasPrefix("10 used, 12 seen, ") == true)
        let scatter = try #require(line("scatter", measure(receiver())))
        #expect(scatter.split(separator: "±").count == 4)
        let controller = ControllerSeries(
            key: "hci0", name: "n", seconds: 10, answers: (1...100).map { Double($0) * 1e-4 })
        // The 99th of 100 may be any later one.
        #expect(
            line("answers", RigMeasurement([.controller(controller)]).sensors[0])
                == "median 5.1 ± 1.1 ms, 99th percentile 9.9 ms")
    }

    @Test func `no fix is bad only after a cold start's time`() {
        #expect(measure(receiver(20, lost: Set(0..<20))).verdict == .undetermined)
        #expect(measure(receiver(120, lost: Set(0..<120))).verdict == .bad)
        #expect(measure(receiver(120, lost: Set(0..<70))).faults == ["firstFix"])
    }

    @Test func `a controller's power and answers are judged`() throws {
        var series = ControllerSeries(
            key: "hci0", name: "n", seconds: 10, answers: (1...100).map { Double($0) * 1e-4 })
        func measured() -> SensorMeasurement { RigMeasurement([.controller(series)]).sensors[0] }
        #expect(measured().verdict == .good)
        let figures = try #require(measured().controller)
        #expect(abs(try #require(figures.answer50).value - 50.5e-4) < 1e-9)
        #expect(abs(try #require(figures.answer99).value - 99.01e-4) < 1e-9)
        series.unanswered = 1
        #expect(measured().verdict == .warning)
        series.append(PowerChange(seconds: 2, isPowered: false))
        #expect(measured().faults == ["power", "answer"])
        series = ControllerSeries(key: "hci0", name: "n", seconds: 10)
        #expect(measured().verdict == .undetermined)
        series.unanswered = 3
        #expect(measured().verdict == .bad)
        series = ControllerSeries(key: "hci0", name: "n", seconds: 10, capacity: 2)
        #expect(series.append(answer: 1) && series.append(answer: 1) && !series.append(answer: 1))
        for isPowered in [true, false, true] { series.append(PowerChange(seconds: 1, isPowered: isPowered)) }
        #expect(series.answers.count == 2 && series.dropped == 1 && series.powerChanges.count == 2)
        #expect(measured().findings.contains { $0.check == .truncated && $0.severity == .information })
    }

    static let counts: [([UInt64], MeasurementVerdict)] = [
        ([5, 15, 25], .good), ([5, 10, 20], .good), ([5, 10, 30], .good), ([5, 10, 19], .warning),
        ([5, 10, 31], .warning),
        ([5, 5, 5], .bad), ([5, 25, 24], .bad), ([.max, 0, 20], .bad), ([5], .undetermined), ([], .undetermined),
    ]

    @Test(arguments: counts)
    func `a step counter is judged by twenty steps`(counts: [UInt64], verdict: MeasurementVerdict) {
        var series = StepSeries(key: "k", name: "n", method: .buffer)
        for (index, count) in counts.enumerated() {
            series.append(StepSeries.StepCount(seconds: Double(index) * 10, count: count))
        }
        #expect(RigMeasurement([.steps(series)], isMoved: true).sensors[0].verdict == verdict)
    }

    @Test func `a walk that was cut short tells nothing`() {
        var series = StepSeries(key: "k", name: "n", method: .buffer)
        for second in 0..<17 { series.append(StepSeries.StepCount(seconds: Double(second), count: 7)) }
        #expect(RigMeasurement([.steps(series)], isMoved: true).sensors[0].verdict == .undetermined)
    }

    @Test(arguments: [(SensorKind.accelerometer, "mean", "m/s²"), (.gyroscope, "bias", "rad/s")])
    func `the figures of a motion sensor have its unit, and what is not known has no line`(
        kind: SensorKind, mean: String, unit: String
    ) throws {
        func lines(_ counts: [Int32]) -> [(name: String, value: String)] {
            var series = MotionSeries(
                key: "k", kind: kind, name: "n", method: .buffer, nominalRate: 100,
                axes: ["x", "y", "z"].map { ChipAxis($0, scale: 0.5) })
            for (index, count) in counts.enumerated() {
                series.append(time: Int64(index) * 10_000_000, counts: [count, 4, 4])
            }
            return series.measured().figureLines.map { ($0.name, $0.value) }
        }
        func value(_ name: String, _ lines: [(name: String, value: String)]) -> String? {
            lines.first { $0.name == name }?.value
        }
        let told = lines((0..<40).map { Int32($0 % 3) })
        #expect(value(mean, told)?.hasSuffix(" \(unit)") == true)
        // The counts of two axes are equal: their noise is below half a step.
        let noise = try #require(value("noise", told))
        #expect(noise.contains(", y < ") && noise.contains(", z < ") && !noise.hasPrefix("x <"), "\(noise)")
        #expect(value(mean, lines([])) == nil && value("noise", lines([])) == nil)
    }

    @Test(arguments: [(true, [3]), (false, [2, 3])])
    func `equal times are a fault unless the clock ticks rarely`(isCoarse: Bool, faults: [Int]) {
        var series = MotionSeries(
            key: "k", kind: .gyroscope, name: "n", method: .buffer, axes: [ChipAxis("z", scale: 1)])
        for time in [0, 20, 20, 10, 40] as [Int64] { series.append(time: time, counts: [1]) }
        #expect(SampleTiming(series.times, gapPeriods: 2, isCoarse: isCoarse).outOfOrder == faults)
    }

    @Test func `one reading of a counter tells no steps`() {
        var series = StepSeries(key: "k", name: "n", method: .buffer)
        series.append(StepSeries.StepCount(seconds: 1, count: 7))
        #expect(RigMeasurement([.steps(series)], isMoved: true).sensors[0].figures == .steps(nil))
        series.append(StepSeries.StepCount(seconds: 2, count: 9))
        #expect(RigMeasurement([.steps(series)], isMoved: true).sensors[0].figures == .steps(2))
    }

    @Test func `a receiver that tells no speed is not taken to move`() {
        var series = PositionSeries(key: "k", name: "n", began: 0)
        for index in 0..<8 as Range<Int64> {
            series.append(
                PositionReport(
                    time: index * Self.second, fix: .threeDimensional,
                    latitude: index < 5 ? 52.5 : 52.5 + 20.5 / 111_270, longitude: 13.4))
        }
        // Twenty metres and a half; at a metre a second nineteen of them would be unexplained.
        #expect(series.jumps(beyond: 20).map(\.index) == [5])
        #expect(series.jumps(beyond: 21).isEmpty)
    }

    @Test func `an axis of the rig has the values of the chip's axes that it is made of`() throws {
        var single = MotionSeries(
            key: "k", kind: .gyroscope, name: "n", method: .buffer, axes: [ChipAxis("z", scale: 0.5)])
        single.append(time: 0, counts: [4])
        #expect(single.values(ofRigAxis: 2) == [2])
        #expect(single.values(ofRigAxis: 0) == nil && single.values(ofRigAxis: 1) == nil)
        let flat = try #require(Mounting(matrix: [0, 0, 0, 1, 0, 0, 0, 0, 1], origin: "a test"))
        var turned = MotionSeries(
            key: "k", kind: .gyroscope, name: "n", method: .buffer,
            axes: ["x", "y", "z"].map { ChipAxis($0, scale: 1) },
            mounting: flat)
        turned.append(time: 0, counts: [1, 2, 3])
        #expect((0..<3).map { turned.values(ofRigAxis: $0) } == [nil, [1], [3]])
    }

    @Test func `only a rig with a step counter is walked with, and one without other sensors is not turned`() {
        #expect(GuidedMotion.requests(for: [.accelerometer, .locationReceiver]).count == 4)
        #expect(GuidedMotion.walk(for: [.accelerometer]) == nil)
        let all = GuidedMotion.requests(for: [.accelerometer, .stepCounter])
        #expect(all.count == 5 && all[4].begin == 29 && all[4].end == 49 && all[4].words.contains("walk 20 steps"))
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.end == $1.begin })
        #expect(GuidedMotion.requests(for: [.stepCounter]).map(\.begin) == [0])
        #expect(GuidedMotion.walk(for: [.stepCounter]) == 0...20)
    }
}
