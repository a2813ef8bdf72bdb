import Foundation
import LocalRig
import Readiness
import Rendering
import Testing
@testable import rigready

/// The board of a watch: its layout, and the program in a real terminal, which tmux is.
@Suite struct BoardTests {
    private func layout(_ rig: String, width: Int, height: Int) throws -> BoardLayout {
        let assessment = try LocalRig(recording: rig).assess()
        return BoardLayout(
            assessment: assessment, events: ["12:00:00.000 one", "12:00:01.000 two"],
            terminal: Terminal(colour: false, width: width, height: height))
    }

    @Test(arguments: [(20, 6), (50, 20), (80, 24), (132, 50), (40, 3), (300, 100)])
    func `the screen is filled and never exceeded, with the verdict on top`(width: Int, height: Int) throws {
        for rig in ["demo", "field-kit", "prototype-board"] {
            let board = try layout(rig, width: width, height: height)
            let lines = board.lines
            #expect(lines.count <= height)
            if height >= 6 { #expect(lines.count == height, "\(rig)") }
            for line in lines { #expect(line.columns <= width, "\(line)") }
            #expect(lines[0].hasPrefix(rig == "demo" ? "✓ all 13" : "✗ 1"))
        }
    }

    @Test func `a pane is scrolled within what it has`() throws {
        var board = try layout("prototype-board", width: 80, height: 24)
        #expect(board.lines.contains { $0.contains("driving") } && !board.lines.contains { $0.contains("replug it") })
        board.offsets[.services] = 1000
        #expect(board.lines.contains { $0.contains("replug it") })
        let furthest = board.offset(of: .services)
        #expect(furthest > 0 && furthest < 1000)
        board.offsets[.services] = -5
        #expect(board.offset(of: .services) == 0)
    }

    @Test(arguments: [(20, 6), (50, 20), (80, 24), (132, 50), (40, 3)])
    func `help and each cause fill the screen, and are scrolled within what they have`(width: Int, height: Int) throws {
        for rig in ["field-kit", "prototype-board"] {
            var board = try layout(rig, width: width, height: height)
            for overlay in [.help] + board.assessment.rootCauses.map({ BoardLayout.Overlay.cause($0.id) }) {
                board.overlay = overlay
                for offset in [-5, 0, 3, 1000] {
                    board.overlayOffset = offset
                    let lines = board.lines
                    #expect(lines.count == height, "\(overlay)")
                    for line in lines { #expect(line.columns <= width, "\(line)") }
                }
            }
        }
    }

    @Test func `a cause is opened with its meaning and with every command, the first in view first`() throws {
        var board = try layout("field-kit", width: 100, height: 60)
        let causes = board.assessment.rootCauses
        #expect(causes.count > 1 && board.causeInView == causes[0].id)
        for (index, cause) in causes.enumerated() {
            board.overlay = .cause(cause.id)
            let lines = board.lines
            #expect(lines[1].hasPrefix("─▸ Cause \(index + 1) of \(causes.count)"))
            for word in ["meaning", "detected", "fix"] { #expect(lines.contains { $0.hasPrefix("    \(word) ") }) }
            let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
            for remedy in cause.remedies { #expect(words.contains(remedy.commandLine), "\(words)") }
            #expect(board.cause(1, from: cause.id) == causes[min(index + 1, causes.count - 1)].id)
            #expect(board.cause(-1, from: cause.id) == causes[max(index - 1, 0)].id)
        }
        // Scrolled to the end, the last cause is in view.
        var short = try layout("field-kit", width: 80, height: 8)
        short.offsets[.services] = 1000
        #expect(short.causeInView == causes.last?.id)
        // One that is gone covers nothing.
        board.overlay = .cause("silent:gone")
        #expect(board.shownOverlayOffset == nil && board.lines.contains { $0.contains("Services") })
    }

    @Test func `each axis has its own line of bars`() throws {
        var board = try layout("demo", width: 80, height: 60)
        let sensor = try #require(board.assessment.sensors.first { $0.kind == .accelerometer })
        board.signals[sensor.signalName] = [[0, 1, 2, 3], [3, 2, 1, 0], [5, 5, 5, 5]]
        let line = try #require(board.lines.first { $0.contains("█") })
        #expect(line.contains("x ▁▃▅█") && line.contains("y █▅▃▁") && line.contains("z ▁▁▁▁"))
        #expect(board.lines.count { $0.contains("█") } == 1)
    }

    @Test(
        arguments: [
            ("q", [.quit]), ("\u{1b}[B\u{1b}[A", [.lines(1), .lines(-1)]),
            ("\u{1b}[6~ b", [.pages(1), .pages(1), .pages(-1)]),
            ("\t", [.otherPane]), ("\u{1b}[200~xq", [.quit]), ("\u{1b}", [.close]), ("\u{1b}[", []), ("é\u{0}x", []),
            ("gG", [.begin, .end]), ("?h", [.help, .help]), ("\r\u{1b}", [.open, .close]), ("\u{1b}\r", [.open]),
            ("\u{1b}[C\u{1b}[Dnp", [.causes(1), .causes(-1), .causes(1), .causes(-1)]),
        ] as [(String, [TerminalKeys.Command])])
    func `keys are understood, and what means nothing is left out`(text: String, expected: [TerminalKeys.Command]) {
        #expect(TerminalKeys.commands(of: Array(text.utf8)) == expected)
    }

    // MARK: A real terminal

    @Test(arguments: [(80, 24), (50, 20)])
    func `the board shows the verdict on top, scrolls, and leaves its report behind`(width: Int, height: Int) throws {
        try Screen.run(width, height, "watch --rig prototype-board") { screen in
            let first = try screen.wait("the board") { $0.last?.hasPrefix("q ends") == true }
            #expect(first[0].hasPrefix("✗ 12 of 13 services fail"))
            #expect(first.contains { $0.hasPrefix("─▸ Services") } && first.contains { $0.hasPrefix("── Sensors") })
            _ = try screen.ask("send-keys", "End")
            let scrolled = try screen.wait("the end of the services") {
                // On a narrow screen the line continues below.
                $0.contains { $0.contains("reload its") }
            }
            #expect(scrolled[0].hasPrefix("✗ 12 of 13 services fail"))
            _ = try screen.ask("send-keys", "Tab")
            try screen.wait("the other pane") { $0.contains { $0.hasPrefix("─▸ Sensors") } }
            _ = try screen.ask("send-keys", "q")
            let left = try screen.wait("the end") { $0.contains("status 0") }
            // The verdict is the last that is said, since the report is higher than the screen.
            let place = try #require(left.firstIndex(of: "status 0"))
            #expect(left[place - 1].hasSuffix("✗ 12 of 13 services fail"))
            let modes = try screen.ask("display-message", "-p", "#{alternate_on} #{cursor_flag}").output
            #expect(modes == "0 1\n")
        }
    }

    @Test func `keys open the help and a cause, and close them`() throws {
        try Screen.run(80, 24, "watch --rig field-kit") { screen in
            try screen.wait("the board") { $0.last?.hasPrefix("q ends") == true }
            for (key, word) in [
                ("?", "─▸ Help"), ("Escape", "─▸ Services"), ("Enter", "─▸ Cause 1 of"), ("Right", "─▸ Cause 2 of"),
                ("Left", "─▸ Cause 1 of"), ("Enter", "─▸ Services"), ("h", "─▸ Help"), ("?", "─▸ Services"),
            ] {
                _ = try screen.ask("send-keys", key)
                try screen.wait("\(key): \(word)") { $0.contains { $0.hasPrefix(word) } && $0[0].hasPrefix("✗ 11") }
            }
        }
    }

    @Test func `it follows a resized window`() throws {
        try Screen.run(80, 24, "watch --rig field-kit") { screen in
            try screen.wait("the board") { $0.last?.hasPrefix("q ends") == true }
            for (width, height) in [(50, 20), (120, 40), (30, 10)] {
                _ = try screen.ask("resize-window", "-x", "\(width)", "-y", "\(height)")
                let lines = try screen.wait("\(width)×\(height)") {
                    $0.count == height && $0[0].hasPrefix("✗ 11") && $0.last?.hasPrefix("q ends") == true
                        && $0.contains { $0.contains("─") && $0.columns >= width - 1 }
                }
                #expect(lines[0].hasPrefix("✗ 11 of 13 services fail"))
            }
        }
    }

    @Test func `a signal and the end of the time leave the terminal as it was`() throws {
        for words in ["watch --rig demo --for 1", "watch --rig demo"] {
            try Screen.run(80, 24, words) { screen in
                if !words.contains("--for") {
                    try screen.wait("the board") { $0.last?.hasPrefix("q ends") == true }
                    _ = try screen.ask("send-keys", "C-c")
                }
                try screen.wait("the end") { $0.contains("status 0") }
                #expect(try screen.ask("display-message", "-p", "#{alternate_on} #{cursor_flag}").output == "0 1\n")
                // The keyboard echoes again.
                _ = try screen.ask("send-keys", "hello", "Enter")
                try screen.wait("the echo") { $0.count { $0 == "hello" } == 2 }
            }
        }
    }

    @Test func `a gate that a person ends says what it waited for`() throws {
        try Screen.run(80, 24, "watch --rig field-kit --until runs --service dfd") { screen in
            try screen.wait("the board") { $0.last?.hasPrefix("q ends") == true }
            _ = try screen.ask("send-keys", "q")
            let lines = try screen.wait("the end") { $0.contains("status 1") }
            #expect(lines.contains { $0.contains("waited for driving.distractionFreeDriving") })
        }
    }

    @Test func `a check ends with its verdict where it is higher than the terminal, and only there`() throws {
        try Screen.run(80, 24, "--rig prototype-board") { screen in
            let lines = try screen.wait("the end") { $0.contains("status 1") }
            let place = try #require(lines.firstIndex(of: "status 1"))
            #expect(lines[place - 1] == "  ✗ 12 of 13 services fail")
        }
        try Screen.run(100, 60, "--rig demo") { screen in
            let lines = try screen.wait("the end") { $0.contains("status 0") }
            #expect(lines.count { $0.contains("all 13 services run") } == 1)
        }
    }
}
