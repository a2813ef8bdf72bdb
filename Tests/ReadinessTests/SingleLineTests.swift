import Testing

@testable import Readiness

@Suite struct SingleLineTests {
    @Test(arguments: [
        ("bmi160", "bmi160"), ("two words ", "two words "), ("zażółć 🛰", "zażółć 🛰"),
        ("lid\u{1b}[31m\n", "lid[31m"), ("a\u{0}b\u{7f}c\u{9b}d", "abcd"),
        ("one\r\ntwo\n\n\tthree", "one two three"), ("\nfirst\u{2028}second\u{85}", "first second"),
        ("evil\u{202e}txt\u{2066}\u{200f}\u{61c}", "eviltxt"), ("\u{0}\n\u{200e}", ""),
    ])
    func `text is shown on one line and without control characters`(text: String, shown: String) {
        #expect(text.singleLine == shown)
    }

    @Test func `no control character and no mark of direction is left, whatever the text`() {
        let all = String(String.UnicodeScalarView((0...0xffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)))
        let left = all.singleLine.unicodeScalars.filter { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
        }
        #expect(left.isEmpty)
    }
}
