import Configuration
import DriverKit
import Glibc
import Permissions
import PhoneKit
import PhoneSupport
import Synchronization
import SystemPackage
import Testing

/// Asking on a terminal: the master's end of one is the person.
@Suite(.timeLimit(.minutes(10)))
struct TerminalTests {
    private final class Seat: Sendable {
        let master: FileDescriptor
        let path: FilePath
        private let screen = Mutex("")
        private let answered = Mutex<PermissionAnswer??>(nil)

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

        /// Puts the question; `answer` is how it ended, once it has.
        func ask(_ question: PermissionQuestion) {
            let began = Worker.start {
                let answer = TerminalPrompter(on: self.path).answer(to: question)
                self.answered.withLock { $0 = .some(answer) }
            }
            #expect(began)
        }

        var hasEnded: Bool { answered.withLock { $0 != nil } }
        var answer: PermissionAnswer? { answered.withLock { $0 ?? nil } }

        func type(_ text: String) throws { _ = try master.writeAll(Array(text.utf8)) }

        /// Whether the terminal comes to show a text.
        func shows(_ text: String) -> Bool {
            eventually {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = unsafe bytes.withUnsafeMutableBytes { unsafe (try? master.read(into: $0)) ?? 0 }
                return screen.withLock { shown in
                    shown += String(decoding: bytes.prefix(count), as: UTF8.self)
                    return shown.contains(text)
                }
            }
        }
    }

    private func question() throws -> PermissionQuestion {
        let decisions = Decisions(try Grants(parsing: Array("location: not-determined\n".utf8), file: "grants"))
        let access = try TestRig().state.authorizations
        var flow = RequestFlow(
            decisions, access: access, purposes: .init([.location: "To find \u{1b}[2Jthe way."]))
        guard case .ask(let question) = try flow.begin(.location(always: false)) else { throw Errno.invalidArgument }
        return question
    }

    @Test(arguments: [("1\n", PermissionAnswer.allow), ("once\n", .once), ("D\n", .deny), ("3\n", .deny)])
    func aNumberOrAWordAnswers(typed: String, expected: PermissionAnswer) throws {
        let seat = try Seat()
        seat.ask(try question())
        #expect(seat.shows("To find [2Jthe way."))
        #expect(seat.shows("> "))
        try seat.type(typed)
        #expect(eventually { seat.hasEnded })
        #expect(seat.answer == expected)
    }

    @Test func returnPutsItAwayAndNonsenseIsAskedAgain() throws {
        let seat = try Seat()
        seat.ask(try question())
        #expect(seat.shows("> "))
        try seat.type("perhaps\n")
        #expect(seat.shows("Please answer"))
        try seat.type("\n")
        #expect(eventually { seat.hasEnded })
        #expect(seat.answer == nil)
    }

    @Test func withoutATerminalNobodyAnswers() throws {
        #expect(TerminalPrompter(on: "/dev/null/none").answer(to: try question()) == nil)
    }
}
