import Foundation
import Measurement
import Readiness
import Testing

/// SplitMix64, with the numbers of `oracles.py`.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// From 0 to less than 1.
    mutating func uniform() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// About normal, and exactly as in `oracles.py`: the sum of twelve uniform numbers less six.
    mutating func bell() -> Double {
        var total = -6.0
        for _ in 0..<12 { total += uniform() }
        return total
    }

    /// Normal: two of 65536 normal numbers, which is far faster than to compute each.
    mutating func normal() -> Double {
        let bits = next()
        return (Self.normals[Int(bits & 0xFFFF)] + Self.normals[Int(bits >> 48)]) * 0.5.squareRoot()
    }

    /// By the method of Box and Muller, then with a mean of exactly 0 and a variance of exactly 1.
    private static let normals: [Double] = {
        var generator = Generator(seed: 0)
        var values = (0..<65536).map { _ in
            (-2 * log(1 - generator.uniform())).squareRoot() * cos(2 * .pi * generator.uniform())
        }
        let mean = values.reduce(0, +) / 65536
        let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 65536).squareRoot()
        for index in values.indices { values[index] = (values[index] - mean) / deviation }
        return values
    }()
}

/// The sums of the values that a chip was given, before they became counts.
final class InjectedSums {
    var sums = [0.0, 0.0, 0.0]
}

/// A chip whose signal is known.
struct Chip: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: SensorKind
    /// SI value of a count.
    var scale: Double
    /// By √Hz, in SI units.
    var density: Double
    var bits: Int

    var testDescription: String { name }

    static let g = 9.80665
    /// 16 bits over ±2 g, 180 µg/√Hz.
    static let bmi160 = Chip(
        name: "bmi160", kind: .accelerometer, scale: 2 * g / 32768, density: 180e-6 * g, bits: 16)
    /// 16 bits over ±2000 °/s, 0.007 °/s/√Hz.
    static let bmi160Gyroscope = Chip(
        name: "bmi160 gyroscope", kind: .gyroscope, scale: 2000 / 32768 * Double.pi / 180,
        density: 0.007 * .pi / 180, bits: 16)
    /// 10 bits over ±2 g, 220 µg/√Hz.
    static let lis3dh10 = Chip(
        name: "lis3dh, 10 bits", kind: .accelerometer, scale: 4e-3 * g, density: 220e-6 * g, bits: 10)
    /// 8 bits over ±2 g, 220 µg/√Hz.
    static let lis3dh8 = Chip(
        name: "lis3dh, 8 bits", kind: .accelerometer, scale: 16e-3 * g, density: 220e-6 * g, bits: 8)

    /// What is done to the samples.
    struct Signal {
        var mean: [Double]
        /// SI units a second, on all axes.
        var drift = 0.0
        /// The standard deviation of each time, in periods.
        var timeNoise = 0.002
        /// The oscillator's error, as a share.
        var rateError = 0.0
        /// Indices, in the undisturbed series, of samples that never arrive.
        var lost: Set<Int> = []
        /// Indices whose time is swapped with that of the next.
        var swapped: [Int] = []
        /// What is added to the value of axis at a time in seconds.
        var motion: (@Sendable (Int, Double) -> Double)?
        /// The counts at which an axis is cut off.
        var cut: (axis: Int, least: Double, greatest: Double)?
        /// Where the values are summed up.
        var injected: InjectedSums?
        /// From sample `at`, `count` times the same.
        var stuck: (axis: Int, at: Int, count: Int)?
    }

    var atRest: Signal {
        Signal(mean: kind == .accelerometer ? [0.1, -0.2, 9.8] : [0.002, -0.003, 0.001])
    }

    /// Generates the samples of some seconds.
    func series(
        _ signal: Signal, rate: Double, seconds: Double, seed: UInt64, key: String = "chip",
        method: MeasurementMethod = .buffer, mounting: Mounting? = nil
    ) -> MotionSeries {
        var generator = Generator(seed: seed)
        let least = Int32(truncatingIfNeeded: -(1 << (bits - 1)))
        let axes = ["x", "y", "z"].map {
            ChipAxis($0, scale: scale, leastCount: least, greatestCount: -(least + 1))
        }
        var series = MotionSeries(
            key: key, kind: kind, name: name, method: method, nominalRate: rate, clock: "monotonic", axes: axes,
            mounting: mounting)
        series.isRangeOfChip = true
        let period = 1e9 / (rate * (1 + signal.rateError))
        let deviation = density * rate.squareRoot()
        var held = Int32(0)
        var counts: [Int32] = [0, 0, 0]
        for index in 0..<Int(rate * seconds) {
            let due = Double(index) * period
            let time = Int64(due + signal.timeNoise * period * generator.normal())
            for axis in 0..<3 {
                var value = signal.mean[axis] + signal.drift * due * 1e-9 + deviation * generator.normal()
                if let motion = signal.motion { value += motion(axis, due * 1e-9) }
                signal.injected?.sums[axis] += value
                var count = (value / scale).rounded()
                if let cut = signal.cut, cut.axis == axis { count = min(max(count, cut.least), cut.greatest) }
                count = min(max(count, Double(least)), Double(-(least + 1)))
                var delivered = Int32(count)
                if let stuck = signal.stuck, stuck.axis == axis {
                    if index == stuck.at { held = delivered }
                    if index > stuck.at, index < stuck.at + stuck.count { delivered = held }
                }
                counts[axis] = delivered
            }
            guard !signal.lost.contains(index) else { continue }
            series.append(time: time, counts: counts)
        }
        guard !signal.swapped.isEmpty else { return series }
        var times = Array(series.times)
        for index in signal.swapped { times.swapAt(index, index + 1) }
        var disturbed = MotionSeries(
            key: key, kind: kind, name: name, method: method, nominalRate: rate, clock: "monotonic", axes: axes,
            mounting: mounting)
        disturbed.isRangeOfChip = true
        for (index, time) in times.enumerated() {
            disturbed.append(time: time, counts: series.counts.map { $0[index] })
        }
        return disturbed
    }
}

extension MotionSeries {
    /// Measures it alone.
    func measured(_ limits: QualityLimits = QualityLimits(), isMoved: Bool = false) -> SensorMeasurement {
        RigMeasurement([.motion(self)], limits: limits, isMoved: isMoved).sensors[0]
    }
}

extension SensorMeasurement {
    /// The names of the findings that count.
    var faults: [String] { findings.filter { $0.severity != .information }.map(\.id) }
    /// The same, but for the axes, which take a whole guided motion.
    var faultsButAxes: [String] { faults.filter { $0 != "axes" } }
}
