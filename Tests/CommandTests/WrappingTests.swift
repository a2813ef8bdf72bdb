import Foundation
import LocalRig
import Readiness
import Testing
@testable import rigready

/// Lines that are too long: where they are broken, and where the rows of a table continue.
@Suite struct WrappingTests {
    @Test(arguments: [
        ("x 0.196 m/s²; 100 Hz", 17, ["x 0.196 m/s²;", "100 Hz"]),
        ("x 0.196 m/s²; 100 Hz", 20, ["x 0.196 m/s²; 100 Hz"]),
        ("x 0.196 m/s^2; 100 Hz", 18, ["x 0.196 m/s^2;", "100 Hz"]),
        ("within (27 mm) of it", 10, ["within", "(27 mm) of", "it"]),
        ("take 4.87 ± 0.31 µrad/s/√Hz now", 22, ["take", "4.87 ± 0.31 µrad/s/√Hz", "now"]),
        ("take 4.87 ± 0.31 µrad/s/√Hz now", 21, ["take 4.87", "± 0.31 µrad/s/√Hz now"]),
        ("take 4.87 +- 0.31 urad/s/sqrtHz", 26, ["take", "4.87 +- 0.31 urad/s/sqrtHz"]),
        // A number before a word that is no unit; a unit that has no room next to its number.
        ("version 2 services run", 9, ["version 2", "services", "run"]),
        ("100 Hz", 4, ["100", "Hz"]), ("100000 Hz", 4, ["1000", "00", "Hz"]),
    ])
    func `a number stays on the line of its unit`(text: String, width: Int, lines: [String]) {
        #expect(text.wrapped(to: width) == lines)
    }

    // MARK: Commands

    private static let commands: [ShellCommand] = {
        let words = [
            "a file's  name with \"quotes\" and a \\ at the end of a long text", "/dev/serial/by-id/usb-0000:0001-if00",
            "one '\u{301} two '\u{301} three",
        ]
        let odd = words.compactMap { ShellWord($0) }
        return [
            "sudo rfkill unblock bluetooth",
            "sudo setfacl -m \"u:$(printf 'a b'):rw\" /dev/iio:device0",
            "printf '%s  %s' \(odd[0]) next\\ word",
            "sudo gpsd -S 2947 -F /run/gpsd.sock \(odd[1])",
            // A quote is one character with the combining mark behind it.
            "printf %s \(odd[2]) two three four",
        ]
    }()

    /// The words that a shell reads.
    private func words(_ line: String) throws -> [String] {
        let run = try Tool.run("/bin/sh", ["-c", "set -- \(line)\nfor word; do printf '%s\\0' \"$word\"; done"])
        return run.output.split(separator: "\0").map(String.init)
    }

    @Test(arguments: commands, [20, 24, 30, 40, 56, 80, 200])
    func `the lines of a command are copied together`(command: ShellCommand, width: Int) throws {
        var page = Page(Terminal(colour: false, width: width))
        page.remedy(4, .command(command, note: "for now; later: install the package"), needs: "needs root")
        let lines = page.text.split(separator: "\n").map(String.init)
        let text = lines.joined(separator: "\n").replacing("→ ", with: "")
        let read = try words(text)
        #expect(try read == words(command.line) && read.count > 2, "\(text)")
        // What follows the command is a comment of the shell, or words of the one line.
        let whole = "→ \(command.line)    # for now; later: install the package    (needs root)"
        #expect((lines.count == 1) == (whole.count + 4 <= width))
        if lines.count > 1 {
            #expect(lines.contains { $0.contains("# for now;") } && lines.contains { $0.contains("# needs") })
        }
    }

    // MARK: Sensors

    @Test func `the states of all sensors are next to their keys, or all are below`() throws {
        let sensors = try LocalRig(recording: "demo").assess().sensors
        func lines(_ width: Int) -> [String] {
            var page = Page(Terminal(colour: false, width: width))
            page.sensors(sensors, isFull: false)
            return page.text.split(separator: "\n").map(String.init)
        }
        let below = lines(100)
        #expect(below.count == 1 + 2 * sensors.count && below[0].hasSuffix("key"), "\(below)")
        let states = stride(from: 2, to: below.count, by: 2).map { below[$0] }
        #expect(states.allSatisfy { $0.hasPrefix("      ") && !$0.hasPrefix("       ") }, "\(below)")
        let beside = lines(140)
        #expect(beside.count == 1 + sensors.count && beside[0].hasSuffix("state"), "\(beside)")
        let readings = beside.filter { $0.contains("/s") }
        #expect(
            readings.count > 2 && Set(readings.map { $0.components(separatedBy: " x ")[0].count }).count == 1,
            "\(beside)")
    }
}
