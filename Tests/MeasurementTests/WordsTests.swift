@testable import Measurement
import Readiness
import Testing

/// Numbers and quantities in words.
@Suite struct WordsTests {
    @Test(arguments: [
        (0.0, "0"), (1, "1"), (-0.0123, "−0.0123"), (9.996, "10"), (999.4, "999"), (999.6, "1000"), (1234, "1230"),
        (9.994e-6, "9.99e−6"), (-4.1371e-7, "−4.14e−7"), (1.5e12, "1.5e12"), (9.996e-6, "0.00001"), (.infinity, "∞"),
        (-.infinity, "−∞"), (.nan, "unknown"), (.leastNonzeroMagnitude, "4.94e−324"),
        (.greatestFiniteMagnitude, "1.8e308"),
    ])
    func `three digits without zeros at the end`(value: Double, words: String) {
        #expect(value.significant(3, trimmed: true) == words)
    }

    @Test(arguments: [(1.0, "1.00"), (9.996, "10.0"), (0.5, "0.500"), (1.5e12, "1.50e12"), (-1234, "−1230")])
    func `three digits`(value: Double, words: String) { #expect(value.significant(3) == words) }

    @Test(arguments: [
        (0.0, "0 Hz"), (1.2e-13, "1.20e−13 Hz"), (0.9994e-12, "9.99e−13 Hz"), (0.9996e-12, "1.00 pHz"),
        (999.4e-12, "999 pHz"), (999.6e-12, "1.00 nHz"), (999.4e-9, "999 nHz"), (999.6e-9, "1.00 µHz"),
        (999.4e-6, "999 µHz"), (999.6e-6, "1.00 mHz"), (0.9994, "999 mHz"), (0.9996, "1.00 Hz"), (999.4, "999 Hz"),
        (999.6, "1.00 kHz"), (999.4e3, "999 kHz"), (999.6e3, "1.00 MHz"), (999.4e6, "999 MHz"), (999.6e6, "1.00 GHz"),
        (2e12, "2000 GHz"), (-999.4, "−999 Hz"), (-999.6, "−1.00 kHz"), (.leastNonzeroMagnitude, "4.94e−324 Hz"),
        (.infinity, "∞ Hz"), (-.infinity, "−∞ Hz"), (.nan, "unknown Hz"),
    ])
    func `a measured value has the prefix with which three digits suffice`(value: Double, words: String) {
        #expect(value.words("Hz") == words)
    }

    @Test(arguments: [
        (3600.0, "s", "3600 s"), (999.6, "s", "1000 s"), (0.0641, "s", "64.1 ms"), (1234, "%", "1230 %"),
        (0.001, "dB-Hz", "0.00100 dB-Hz"), (4.9e-6, "rad/s/√Hz", "4.90 µrad/s/√Hz"), (0.0098, "m/s²", "9.80 mm/s²"),
    ])
    func `seconds have no prefix above one, and what is not a unit of the SI has none`(
        value: Double, unit: String, words: String
    ) { #expect(value.words(unit) == words) }

    @Test(arguments: [
        (1000.0, "Hz", "1 kHz"), (100, "Hz", "100 Hz"), (0.05, "m/s²", "50 mm/s²"), (1.5, "m/s²", "1.5 m/s²"),
    ])
    func `a stated value has no zeros at its end`(value: Double, unit: String, words: String) {
        #expect(value.stated(unit) == words)
    }

    @Test(arguments: [
        (9.78861, 0.0018, "9.7886 ± 0.0018 m"), (50, 0, "50 m"), (104.17, 0, "104.17 m"),
        (0.001364, .infinity, "1.4 mm"),
        (1500, 123, "1.50 ± 0.12 km"), (-0.30436, 0.0996, "−304 ± 100 mm"), (0.0001222, 2.7e-6, "122.2 ± 2.7 µm"),
        (0.02, 0.5, "20 ± 500 mm"), (4.137e-10, 1.2e-11, "414 ± 12 pm"), (0, 0.0012, "0.0000 ± 0.0012 m"),
        (1, .greatestFiniteMagnitude, "1 ± 1.8e308 m"), (.nan, 1, "unknown m"), (1, .nan, "1.0 m"),
    ])
    func `a value has the prefix and the decimals of its uncertainty`(
        value: Double, uncertainty: Double, words: String
    ) { #expect(Estimate(value, uncertainty: uncertainty).words("m") == words) }

    @Test func `the axes of a sensor share the prefix of the largest`() {
        let far = AxisEstimates(
            x: Estimate(0.0001, uncertainty: 0.000012), y: Estimate(-0.02, uncertainty: 0.0012),
            z: Estimate(9.81, uncertainty: 0.0021))
        #expect(far.words("m/s²") == "x 0.000100 ± 0.000012, y −0.0200 ± 0.0012, z 9.8100 ± 0.0021 m/s²")
        let near = AxisEstimates(
            x: Estimate(4.87e-6, uncertainty: 0.31e-6), z: Estimate(-4.91e-6, uncertainty: 0.31e-6))
        #expect(near.words("rad/s/√Hz") == "x 4.87 ± 0.31, z −4.91 ± 0.31 µrad/s/√Hz")
        let equal = AxisEstimates(
            x: Estimate(0, uncertainty: .infinity), y: Estimate(0.02, uncertainty: 0.0021))
        #expect(equal.words("m/s²", below: 2.99e-4) == "x < 0.30, y 20.0 ± 2.1 mm/s²")
        #expect(equal.words("m/s²") == "x 0, y 20.0 ± 2.1 mm/s²")
        #expect(AxisEstimates().words("m/s²") == nil)
    }

    @Test(arguments: [("-y", "−y"), ("+z", "+z")])
    func `the sign of an axis is typographic`(axis: String, words: String) { #expect(axis.axisWords == words) }
}
