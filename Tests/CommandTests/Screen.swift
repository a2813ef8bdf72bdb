import Foundation
import Testing
@testable import rigready

/// A tmux server of its own, with one window that runs a shell line.
struct Screen {
    private let tmux: String
    private let socket: String

    private init(_ folder: URL, width: Int, height: Int, _ line: String) throws {
        tmux = try Tool.path("tmux", package: "tmux")
        socket = folder.appending(path: "tmux").path
        // The server stays, so it must not have the descriptor by whose end Foundation sees that the client has ended, nor
        // the signals that a thread of the tests blocks.
        let script = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            os.closerange(3, 4096)
            os.execv(sys.argv[1], sys.argv[1:])
            """
        // The shell stays, so that what is left behind can be seen.
        let run = try Tool.run(
            try Tool.path("python3", package: "python3"),
            [
                "-c", script, tmux, "-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y",
                "\(height)", "\(line); echo status $?; exec cat",
            ], environment: ["TERM": "xterm-256color"])
        try #require(run.status == 0, "\(run.complaints)")
    }

    func ask(_ words: String...) throws -> Tool.Run {
        try Tool.run(tmux, ["-S", socket] + words, environment: ["TERM": "xterm-256color"])
    }

    var lines: [String] {
        get throws { try ask("capture-pane", "-p").output.components(separatedBy: "\n").dropLast() }
    }

    /// Waits until the screen is as wanted, and returns it.
    @discardableResult
    func wait(_ subject: String, _ isThere: ([String]) -> Bool) throws -> [String] {
        let deadline = Date(timeIntervalSinceNow: 60)
        var last: [String] = []
        while Date() < deadline {
            last = try lines
            if isThere(last) { return last }
            usleep(20_000)
        }
        throw Program.CommandFailure(description: "\(subject): the screen stayed\n\(last.joined(separator: "\n"))")
    }

    private func end() { _ = try? ask("kill-server") }

    /// Runs the program with these words in a window of a size, for the duration of the body.
    static func run(_ width: Int, _ height: Int, _ words: String, _ body: (Screen) throws -> Void) throws {
        try Tool.withFolder { folder in
            let screen = try Screen(folder, width: width, height: height, "\(Program.url.path) \(words)")
            defer { screen.end() }
            try body(screen)
        }
    }
}
