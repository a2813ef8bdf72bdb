import Testing
@testable import Readiness

/// Text for terminals whose characters are not UTF-8.
@Suite struct ASCIITextTests {
    @Test(arguments: [
        ("", ""), ("bmi160: 100 Hz\n", "bmi160: 100 Hz\n"), ("\u{1b}[2mfaint\u{1b}[0m", "\u{1b}[2mfaint\u{1b}[0m"),
        ("✓ ✗ ! ? · –", "+ x ! ? - -"), ("3D → 2D", "3D -> 2D"), ("y −0.294 m/s²", "y -0.294 m/s^2"),
        ("12 ± 3 µg/√Hz", "12 +- 3 ug/sqrtHz"), ("0.1°", "0.1 deg"), ("≤ ≥ ≈ × …", "<= >= ~ x ..."),
        ("“one” ‘two’ «three»", "?one? ?two? ?three?"), ("a\u{a0}b\u{202f}c\u{2009}d", "a b c d"),
        ("─▸ │ ▁▂▃▄▅▆▇█", "-> | _.:-=+*#"), ("zażółć 🛰", "za???? ?"), ("e\u{301}", "e?"), ("'\u{489}", "'?"),
        ("日本", "??"),
        ("one\r\ntwo", "one\r\ntwo"),
    ])
    func `each character is written as a similar one, else as a question mark`(text: String, shown: String) {
        #expect(text.inASCII == shown)
    }

    @Test func `nothing but ASCII is left, whatever the text`() {
        let all = String(String.UnicodeScalarView((0...0xffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)))
        #expect(all.inASCII.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `no character becomes one that a shell reads within quotes`() {
        for scalar in (0x80...0xffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
            #expect(
                !String(scalar).inASCII.contains { "'\"`$\\\n".contains($0) }, "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test func `bars of different heights stay different`() {
        let bars = "▁▂▃▄▅▆▇█"
        #expect(Set(bars.inASCII).count == bars.count && bars.inASCII.count == bars.count)
    }
}
