import DriverKit
import Glibc
import LocalRig
import Synchronization
import SystemPackage
import Testing

/// Questions on a pseudo-terminal, whose other end simulates the person.
@Suite(.timeLimit(.minutes(10)))
struct TerminalPrompterTests {
    private final class Seat: Sendable {
        let master: FileDescriptor
        let path: FilePath
        private let screen = Mutex("")
        private let ended = Mutex<TerminalReply<PermissionAnswer>?>(nil)

        init() throws {
            master = try FileDescriptor.open(FilePath("/dev/ptmx"), .readWrite, options: [.closeOnExec, .nonBlocking])
            // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, since Glibc's module lacks unlockpt and ptsname.
            var lock: CInt = 0
            var number: CUnsignedInt = 0
            try #require(unsafe ioctl(master.rawValue, 0x4004_5431, &lock) == 0)
            try #require(unsafe ioctl(master.rawValue, 0x8004_5430, &number) == 0)
            path = FilePath("/dev/pts/\(number)")
        }

        deinit { try? master.close() }

        /// Shows the question; `reply` waits for the outcome.
        func ask(_ question: PermissionQuestion, inASCII isASCII: Bool = false) {
            let began = Worker.start {
                let reply = TerminalPrompter(on: self.path, isASCII: isASCII).reply(to: question)
                self.ended.withLock { $0 = reply }
            }
            #expect(began)
        }

        var reply: TerminalReply<PermissionAnswer>? {
            _ = eventually { ended.withLock { $0 != nil } }
            return ended.withLock { $0 }
        }

        func type(_ text: String) throws { _ = try master.writeAll(Array(text.utf8)) }

        /// Whether the terminal shows a text in time.
        func shows(_ text: String) -> Bool {
            eventually { readScreen().contains(text) }
        }

        /// Whether it shows so many prompts in time.
        func shows(prompts: Int) -> Bool {
            eventually {
                _ = readScreen()
                return screen.withLock { $0.split(separator: "> ", omittingEmptySubsequences: false).count > prompts }
            }
        }

        private func readScreen() -> String {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe (try? master.read(into: $0)) ?? 0 }
            return screen.withLock { shown in
                shown += String(decoding: bytes.prefix(count), as: UTF8.self)
                return shown
            }
        }

        private func eventually(_ condition: () -> Bool) -> Bool {
            let deadline = Instant.now.advanced(bySeconds: 30)
            while !condition() {
                if Instant.now > deadline { return false }
                usleep(5_000)
            }
            return true
        }
    }

    private let question = PermissionQuestion(.locationWhenInUse, "To find \u{1b}[2Jthe way.")

    @Test(arguments: [
        ("1\n", PermissionAnswer.allow), ("once\n", .once), ("D\n", .deny), ("3\n", .deny), (" al low \n", .allow),
    ])
    func `a number or the beginning of a word answers`(typed: String, expected: PermissionAnswer) throws {
        let seat = try Seat()
        seat.ask(question)
        #expect(seat.shows("To find [2Jthe way."))
        #expect(seat.shows("> "))
        try seat.type(typed)
        #expect(seat.reply == .answered(expected))
    }

    @Test(arguments: [(false, "Für jede Fahrt → §"), (true, "F?r jede Fahrt -> ?")])
    func `a question is in ASCII if that is asked for`(isASCII: Bool, shown: String) throws {
        let seat = try Seat()
        seat.ask(PermissionQuestion(.locationWhenInUse, "Für jede Fahrt → §"), inASCII: isASCII)
        #expect(seat.shows(shown))
        try seat.type("1\n")
        #expect(seat.reply == .answered(.allow))
    }

    @Test func `an invalid answer is asked again and Return dismisses`() throws {
        let seat = try Seat()
        seat.ask(question)
        #expect(seat.shows("> "))
        try seat.type("perhaps\n")
        #expect(seat.shows("Please answer"))
        try seat.type("\n")
        #expect(seat.reply == .dismissed)
    }

    @Test func `the third invalid answer dismisses`() throws {
        let seat = try Seat()
        seat.ask(question)
        #expect(seat.shows("> "))
        for (number, line) in ["x\n", "\u{e9}\n", "7\n"].enumerated() {
            try seat.type(line)
            if number < 2 { #expect(seat.shows(prompts: number + 2)) }
        }
        #expect(seat.reply == .dismissed)
    }

    @Test func `keys typed before the question do not answer it`() throws {
        let seat = try Seat()
        let terminal = try FileDescriptor.open(seat.path, .readWrite, options: .closeOnExec)
        defer { try? terminal.close() }
        try seat.type("1\nallow\n")
        // The terminal has them once it shows them.
        #expect(seat.shows("allow"))
        seat.ask(question)
        #expect(seat.shows("> "))
        try seat.type("3\n")
        #expect(seat.reply == .answered(.deny))
    }

    @Test func `the end of the input leaves the question unattended`() throws {
        let seat = try Seat()
        seat.ask(question)
        #expect(seat.shows("> "))
        try seat.type("\u{4}")
        #expect(seat.reply == .unattended)
    }

    @Test func `without a terminal there is no answer`() throws {
        #expect(TerminalPrompter(on: "/dev/null/none").reply(to: question) == .unattended)
        #expect(TerminalPrompter(on: "/dev/null/none").answer(to: question) == nil)
    }

    @Test(
        arguments: [
            ("\(Int.min)\n", nil), ("\(Int.max)\n", nil), ("0\n", nil), ("-1\n", nil), ("4\n", nil), ("\u{e9}\n", nil),
            ("1", .answered(.allow)), (" 3 \n", .answered(.deny)), ("on\n", .answered(.once)), ("", .dismissed),
        ] as [(String, TerminalReply<PermissionAnswer>?)])
    func `a line chooses by number or by name, or is asked again`(
        line: String, reply: TerminalReply<PermissionAnswer>?
    ) {
        #expect(TerminalPrompter.choice(in: Array(line.utf8), among: PermissionAnswer.allCases) == reply)
    }
}
