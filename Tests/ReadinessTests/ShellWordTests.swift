import Readiness
import Testing

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("/dev/iio:device0", "/dev/iio:device0"), ("ip:host,1=2%3+4@5", "ip:host,1=2%3+4@5"),
        ("two words", "'two words'"),
        ("it's", "'it'\\''s'"), ("$(reboot)", "'$(reboot)'"), ("zażółć", "'zażółć'"), ("", nil), ("-rf", nil),
        ("a\nb", nil), ("a\u{1b}b", nil), (String(repeating: "x", count: 4097), nil),
    ])
    func `a text becomes one word of a command, or none`(text: String, word: String?) {
        #expect(ShellWord(text)?.quoted == word)
    }

    @Test func `what needs quotes is not plain`() {
        for text in ["", " ", "a b", "a;b", "a'b", "~", "ä"] { #expect(!ShellWord.isPlain(text), "\(text)") }
        #expect(ShellWord.isPlain("/dev/ttyACM0"))
    }
}
