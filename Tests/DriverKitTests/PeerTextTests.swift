import Readiness
import DriverKit
import Testing

@Suite struct PeerTextTests {
    @Test(arguments: [
        ("accel-base\n", "accel-base"), (" bench\u{1b}[2J\n7 ", "bench[2J 7"), ("hci0\u{0}rest", "hci0"),
        ("12345", "1234"), ("🛰🛰🛰🛰🛰", "🛰🛰🛰🛰"), ("", nil), ("\n \u{0}", nil),
    ])
    func `a peer's bytes become one short line`(bytes: String, line: String?) {
        #expect(PeerText.line(bytes.utf8, limit: line.map { max(4, $0.count) } ?? 4) == line)
    }
}
