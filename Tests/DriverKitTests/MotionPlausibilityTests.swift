import DriverKit
import Readiness
import Testing

private func signed(_ bits: Int) -> ClosedRange<Double> {
    let limit = Double(1 << (bits - 1))
    return -limit...limit - 1
}

private func unsigned(_ bits: Int) -> ClosedRange<Double> { 0...Double(1 << bits) - 1 }

/// Which samples no chip can deliver, and which are improbable: each limit from both sides.
@Suite struct MotionPlausibilityTests {
    /// The verdict as one word, of counts with one scale.
    private func word(
        _ kind: SensorKind, _ counts: [Double], scale: Double?, limits: ClosedRange<Double>? = nil, offset: Double = 0,
        range: Double? = nil
    ) -> String {
        let check = MotionPlausibility(
            kind, names: Array(["x", "y", "z"].prefix(counts.count)),
            counts: counts.map { .init($0, limits: limits, hasOffset: offset != 0) },
            values: scale.map { scale in counts.map { ($0 + offset) * scale } })
        return Self.word(check.verdict(range: { range }))
    }

    private static func word(_ verdict: MotionPlausibility.Outcome) -> String {
        switch verdict {
        case .plausible: "plausible"
        case .impossible(let reason, _, _): "impossible \(reason)"
        case .doubtful(let reason, _, _): "doubtful \(reason)"
        }
    }

    private func word(_ kind: SensorKind, values: [Double], includesGravity: Bool = true) -> String {
        let check = MotionPlausibility(kind, names: ["x", "y", "z"], counts: nil, values: values)
        return Self.word(check.verdict(includesGravity: includesGravity))
    }

    @Test(
        arguments: [
            // 2000 g are 19,613.3 m/s².
            (.accelerometer, 19_613, "plausible"), (.accelerometer, 19_614, "impossible beyondRange"),
            (.accelerometer, -19_613, "plausible"), (.accelerometer, -19_614, "impossible beyondRange"),
            // 400 g, of the widest chip with a driver in Linux, in a shock.
            (.accelerometer, 3922.66, "plausible"),
            // 20,000 °/s are 349.066 rad/s, and 4000 °/s are 69.8.
            (.gyroscope, 349, "plausible"), (.gyroscope, 349.1, "impossible beyondRange"),
            (.gyroscope, -349, "plausible"), (.gyroscope, -349.1, "impossible beyondRange"),
            (.gyroscope, 69.8, "plausible"),
        ] as [(SensorKind, Double, String)])
    func `no chip measures more than the bound of its quantity`(kind: SensorKind, value: Double, expected: String) {
        #expect(word(kind, values: [0.1, value, 0.2]) == expected)
    }

    @Test func `the range of the chip itself is narrower`() {
        #expect(word(.accelerometer, [0, 0, 5000], scale: 0.01, range: 49.6) == "plausible")
        #expect(word(.accelerometer, [0, 0, 5000], scale: 0.01, range: 49.4) == "impossible beyondRange")
        #expect(word(.accelerometer, [0, 0, 5000], scale: 0.01) == "plausible")
        // Below the smallest range of chips it is not asked.
        #expect(word(.accelerometer, [0, 0, 1500], scale: 0.01, range: 1) == "plausible")
    }

    @Test(
        arguments: [
            // A hub at rest (hadess/iio-sensor-proxy#117): 0.6, -10.2 and -1.6 m/s².
            ([62, 64497, 65369], 0.009_806_65, nil, "impossible wrapAround"),
            // Beyond ±20 g that is certain while the rig moves, too, whatever the format.
            ([3000, 64497, 3000], 0.009_806_65, nil, "impossible wrapAround"),
            ([3000, 64497, -3000], 0.009_806_65, signed(32), "impossible wrapAround"),
            // ±2 g in 16 bits: at rest certain, else doubtful, and none with a sign on another axis.
            ([100, 49152, 200], 0.000_598, nil, "impossible wrapAround"),
            ([100, 60000, 9000], 0.000_598, nil, "doubtful wrapAround"),
            ([100, 60000, -9000], 0.000_598, nil, "plausible"),
            ([100, 60000, 9000], 0.000_598, signed(20), "plausible"),
            ([100, 60000, 9000], 0.000_598, unsigned(16), "doubtful wrapAround"),
            // A hub of 32 bits, whose unit is fine.
            ([-1000, 2000, 980_000], 0.000_01, nil, "plausible"),
            ([40_000, 50_000, 980_000], 0.000_01, nil, "plausible"),
            ([62, 16_776_177, 5], 0.009_806_65, nil, "impossible wrapAround"),
            ([62, 4_294_966_257, 5], 0.009_806_65, nil, "impossible wrapAround"),
            // Not the number of a negative one: 32,767 and less.
            ([62, 30_000, 5], 0.009_806_65, nil, "plausible"),
        ] as [([Double], Double, ClosedRange<Double>?, String)])
    func `negative numbers without their sign are known`(
        counts: [Double], scale: Double, limits: ClosedRange<Double>?, expected: String
    ) {
        #expect(word(.accelerometer, counts, scale: scale, limits: limits) == expected)
    }

    @Test func `the detail names the number with its sign`() throws {
        let check = MotionPlausibility(
            .accelerometer, names: ["x", "y"], counts: [.init(62), .init(64497)], values: [0.61, 632.5])
        guard case .impossible(_, let axis, let words) = check.verdict() else {
            Issue.record("plausible")
            return
        }
        #expect(axis == 1 && words.contains("unsigned 16-bit wrap-around: 64497 would be -1039"))
    }

    @Test func `with an offset unsigned numbers are no wrap-around`() {
        #expect(word(.accelerometer, [32800, 49000, 32700], scale: 0.01, offset: -32768) == "plausible")
    }

    @Test(
        arguments: [
            // Of 16 bits where the format is unknown, and of any other width, whichever end each has.
            (.gyroscope, [32767, 32767, -32768], nil, "impossible atEnds"),
            (.accelerometer, [-2048, 2047, 2047], nil, "impossible atEnds"),
            (.accelerometer, [4095, 4095, 4095], nil, "impossible atEnds"),
            (.accelerometer, [65535, 65535, 65535], nil, "impossible atEnds"),
            (.accelerometer, [32767, -32768], nil, "impossible atEnds"),
            (.accelerometer, [2047, 32767, 100], nil, "doubtful saturated"),
            (.accelerometer, [2046, 2047, -2048], nil, "plausible"),
            // Of its own format where that is known.
            (.accelerometer, [2047, -2048, 2047], signed(12), "impossible atEnds"),
            (.accelerometer, [2047, -2048, 2046], signed(12), "doubtful saturated"),
            (.accelerometer, [2047, -2048, 2047], signed(16), "plausible"),
            (.accelerometer, [4095, 4095, 4095], unsigned(12), "impossible atEnds"),
            // One axis, or one of three, may saturate.
            (.gyroscope, [32767], nil, "doubtful saturated"), (.gyroscope, [5, 32767, 7], nil, "doubtful saturated"),
            (.gyroscope, [5, 32766, 7], nil, "plausible"), (.gyroscope, [5, -32768, 7], nil, "doubtful saturated"),
            (.gyroscope, [5, -32767, 7], nil, "plausible"),
            // Zero is the end of an unsigned format, and a gyroscope at rest.
            (.gyroscope, [0, 0, 0], unsigned(16), "plausible"),
        ] as [(SensorKind, [Double], ClosedRange<Double>?, String)])
    func `all axes at an end of the format measure nothing`(
        kind: SensorKind, counts: [Double], limits: ClosedRange<Double>?, expected: String
    ) {
        // Also where the unit is unknown.
        #expect(word(kind, counts, scale: nil, limits: limits) == expected)
    }

    @Test(
        arguments: [
            (.accelerometer, [-1, -1, -1], "impossible allOnes"), (.accelerometer, [-1, -1], "doubtful allOnes"),
            (.accelerometer, [-1], "plausible"), (.accelerometer, [-1, -1, -2], "plausible"),
            (.gyroscope, [-1, -1, -1], "doubtful allOnes"), (.gyroscope, [-1, 0, -1], "plausible"),
        ] as [(SensorKind, [Double], String)])
    func `all bits set on all axes is a bus without an answer`(kind: SensorKind, counts: [Double], expected: String) {
        #expect(word(kind, counts, scale: 0.0001) == expected)
    }

    @Test(
        arguments: [
            (0.94, "plausible"), (0.96, "doubtful wrongUnit"), (1.04, "doubtful wrongUnit"), (1.06, "plausible"),
            (9.81, "plausible"), (18.6, "plausible"), (18.7, "doubtful wrongUnit"), (20.5, "doubtful wrongUnit"),
            (20.7, "plausible"), (0.1, "plausible"),
        ])
    func `gravity in g, or twice gravity, is doubtful`(magnitude: Double, expected: String) {
        #expect(word(.accelerometer, values: [0, magnitude * 0.6, magnitude * 0.8]) == expected)
        // What is free of gravity, rotates or has fewer axes may have any magnitude.
        let values = [0, magnitude * 0.6, magnitude * 0.8]
        #expect(word(.accelerometer, values: values, includesGravity: false) == "plausible")
        #expect(word(.gyroscope, values: [0, magnitude * 0.06, magnitude * 0.08]) == "plausible")
        #expect(word(.accelerometer, values: [magnitude * 0.6, magnitude * 0.8]) == "plausible")
    }
}
