import Testing

@testable import Measurement

/// Numbers in words.
@Suite struct WordsTests {
    @Test(arguments: [
        (0.0, "0"), (1, "1"), (-0.0123, "-0.0123"), (9.996, "10"), (999.4, "999"), (999.6, "1000"), (1234, "1230"),
        (9.994e-6, "9.994e-06"), (9.996e-6, "0.00001"), (.infinity, "∞"), (-.infinity, "-∞"), (.nan, "unknown"),
    ])
    func `three digits`(value: Double, words: String) { #expect(text(value) == words) }
}
