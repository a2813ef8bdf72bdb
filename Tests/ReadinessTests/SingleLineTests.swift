import Testing
@testable import Readiness

@Suite struct SingleLineTests {
    @Test(arguments: [
        ("bmi160", "bmi160"), ("two words ", "two words "), ("zażółć 🛰", "zażółć 🛰"),
        ("lid\u{1b}[31m\n", "lid[31m"), ("a\u{0}b\u{7f}c\u{9b}d", "abcd"),
        ("one\r\ntwo\n\n\tthree", "one two three"), ("\nfirst\u{2028}second\u{85}", "first second"),
        ("evil\u{202e}txt\u{2066}\u{200f}\u{61c}", "eviltxt"), ("\u{0}\n\u{200e}", ""),
        ("a\u{200b}\u{200d}\u{2060}\u{feff}\u{ad}\u{34f}b", "ab"), ("a\u{115f}\u{3164}\u{180e}\u{fff9}b", "ab"),
        ("a\u{1d173}\u{e0041}\u{fffe}\u{10ffff}b", "ab"), ("e\u{301}", "e\u{301}"),
        ("e" + String(repeating: "\u{301}", count: 4) + "x", "e" + String(repeating: "\u{301}", count: 4) + "x"),
        ("e" + String(repeating: "\u{301}", count: 79) + "x", "e" + String(repeating: "\u{301}", count: 4) + "x"),
    ])
    func `text is shown on one line and without control characters`(text: String, shown: String) {
        #expect(text.singleLine == shown)
    }

    @Test func `no control character and no mark of direction is left, whatever the text`() {
        let all = String(String.UnicodeScalarView((0...0xffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)))
        let left = all.singleLine.unicodeScalars.filter { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
                || scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isNoncharacterCodePoint
        }
        #expect(left.isEmpty)
    }

    @Test func `a byte that is not printable is found at each place, among all others`() {
        for byte in 0...0x7f as ClosedRange<UInt8> {
            for place in 0..<19 {
                for other in [0x20, 0x41, 0x7e] as [UInt8] {
                    var bytes = [UInt8](repeating: other, count: 19)
                    bytes[place] = byte
                    let text = String(decoding: bytes, as: UTF8.self)
                    #expect(text.isPrintableASCII == (0x20...0x7e ~= byte), "\(byte) at \(place)")
                }
            }
        }
    }
}
