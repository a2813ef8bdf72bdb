import DriverKit
import Glibc

/// The keys that a person presses, as they are pressed.
///
/// Plain control sequences, which every terminal since the VT220 knows, and no ncurses: that would read a database that
/// a small board may lack, keep state of the whole process, take over the signals that end a watch in order, and lay
/// out text a second time. Source: ECMA-48, fifth edition; console_codes(4); termios(3).
struct TerminalKeys {
    enum Command: Equatable {
        case quit, otherPane, redraw, help, open, close
        /// Scrolls by lines, or by pages.
        case lines(Int), pages(Int)
        /// Opens the cause this many places after the open one.
        case causes(Int)
        case begin, end
    }

    private let before: termios

    /// Takes the keyboard of the terminal on standard input; nil if there is none, or if another process has it.
    ///
    /// Keys come at once and are not shown; Ctrl-C stays a signal. Ctrl-Z does nothing, since a stopped program would
    /// leave the terminal as it is.
    init?() {
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return nil }
        var settings = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        (settings.c_cc.5, settings.c_cc.6, settings.c_cc.10) = (0, 1, 0)  // VTIME, VMIN and VSUSP
        guard unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
    }

    func giveBack() {
        var settings = before
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Starts a thread that passes on each command; it ends with the input.
    static func forward(_ act: @escaping @Sendable (Command) -> Void) {
        _ = Worker.start {
            var bytes = [UInt8](repeating: 0, count: 64)
            while true {
                let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                for command in commands(of: bytes.prefix(count)) { act(command) }
            }
        }
    }

    /// The commands of what a terminal sent; what means nothing here is left out.
    static func commands(of bytes: some Collection<UInt8>) -> [Command] {
        let text = String(decoding: bytes, as: UTF8.self)
        var commands: [Command] = []
        var rest = Substring(text)
        while let first = rest.first {
            if let (sequence, command) = sequences.first(where: { rest.hasPrefix($0.0) }) {
                commands.append(command)
                rest = rest.dropFirst(sequence.count)
                continue
            }
            rest = rest.dropFirst()
            // With nothing after it, it is the key Esc.
            if first == "\u{1b}", rest.isEmpty { commands.append(.close) }
            // An unknown sequence is skipped as a whole.
            if first == "\u{1b}", rest.first == "[" || rest.first == "O" {
                rest = rest.dropFirst().drop { !$0.isLetter && $0 != "~" }.dropFirst()
            }
        }
        return commands
    }

    private static let sequences: [(String, Command)] = [
        ("q", .quit), ("Q", .quit), ("\t", .otherPane), ("\u{c}", .redraw), ("j", .lines(1)), ("k", .lines(-1)),
        ("\u{1b}[B", .lines(1)), ("\u{1b}[A", .lines(-1)), ("\u{1b}OB", .lines(1)), ("\u{1b}OA", .lines(-1)),
        ("\u{1b}[6~", .pages(1)), ("\u{1b}[5~", .pages(-1)), (" ", .pages(1)), ("b", .pages(-1)),
        ("?", .help), ("h", .help), ("\r", .open), ("\n", .open), ("n", .causes(1)), ("p", .causes(-1)),
        ("\u{1b}[C", .causes(1)), ("\u{1b}[D", .causes(-1)), ("\u{1b}OC", .causes(1)), ("\u{1b}OD", .causes(-1)),
        ("g", .begin), ("\u{1b}[H", .begin), ("\u{1b}[1~", .begin), ("G", .end), ("\u{1b}[F", .end),
        ("\u{1b}[4~", .end),
    ]
}
