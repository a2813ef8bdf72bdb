import Testing

@testable import Measurement

/// Numbers in words.
@Suite struct WordsTests {
    @Test(arguments: [
        (0.0, "0"), (1, "1"), (-0.0123, "-0.0123"), (9.996, "10"), (999.4, "999"), (999.6, "1000"), (1234, "1230"),
        (9.994e-6, "9.99e-6"), (-4.1371e-7, "-4.14e-7"), (1.5e12, "1.5e12"), (9.996e-6, "0.00001"), (.infinity, "∞"),
        (-.infinity, "-∞"), (.nan, "unknown"),
    ])
    func `three digits`(value: Double, words: String) { #expect(text(value) == words) }

    @Test(arguments: [
        (9.78861, 0.0018, "9.7886 ± 0.0018"), (50, 0, "50"), (1.364, .infinity, "1.364 ± ?"), (1500, 123, "1500 ± 123"),
        (-0.30436, 0.0996, "-0.30 ± 0.10"), (0.0001222, 2.7e-6, "0.0001222 ± 0.0000027"), (0.02, 0.5, "0.02 ± 0.50"),
        (4.137e-10, 1.2e-11, "4.137e-10 ± 1.2e-11"), (1, .greatestFiniteMagnitude, "1 ± 1.8e308"), (.nan, 1, "unknown"),
    ])
    func `a value has as many decimals as its uncertainty`(value: Double, uncertainty: Double, words: String) {
        #expect(Estimate(value, uncertainty: uncertainty).words == words)
    }
}
