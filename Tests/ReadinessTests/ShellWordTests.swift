import Readiness
import Testing

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("/dev/iio:device0", "/dev/iio:device0"), ("ip:host,1=2%3+4@5", "ip:host,1=2%3+4@5"),
        ("two words", "'two words'"),
        ("it's", "'it'\\''s'"), ("$(reboot)", "'$(reboot)'"), ("zażółć", "'zażółć'"), ("", nil), ("-rf", nil),
        // A combining mark after a quote or a hyphen is one character with it in Swift, and another byte for a shell.
        ("'\u{489};reboot;'\u{489}", "''\\''\u{489};reboot;'\\''\u{489}'"), ("a'\u{301}b", "'a'\\''\u{301}b'"),
        ("-\u{489}", nil),
        ("a\nb", nil), ("a\u{1b}b", nil), (String(repeating: "x", count: 4097), nil),
    ])
    func `a text becomes one word of a command, or none`(text: String, word: String?) {
        #expect(ShellWord(text)?.quoted == word)
    }

    @Test func `a command for another machine is quoted for both shells`() throws {
        let rig = try #require(ShellWord("rig"))
        for (text, line) in [
            ("it", "ssh -t rig 'chmod a+r it'"), ("two words", "ssh -t rig 'chmod a+r '\\''two words'\\'''"),
            ("\u{489}", "ssh -t rig 'chmod a+r '\\''\u{489}'\\'''"),
        ] {
            let command: ShellCommand = "chmod a+r \(try #require(ShellWord(text)))"
            #expect(command.over(ssh: rig).line == line)
            // Swift compares characters, a shell bytes.
            #expect(Array(command.over(ssh: rig).line.utf8) == Array(line.utf8))
        }
    }

    @Test func `what needs quotes is not plain`() {
        for text in ["", " ", "a b", "a;b", "a'b", "~", "ä"] { #expect(!ShellWord.isPlain(text), "\(text)") }
        #expect(ShellWord.isPlain("/dev/ttyACM0"))
    }
}
