import Foundation
import Testing
@testable import rigready

/// What a person is told who asks for help, or lets the shell complete a word.
@Suite struct HelpTests {
    @Test(arguments: [["--help"], ["measure", "--help"], ["help", "watch"], ["permissions", "grant", "-h"]])
    func `help is wrapped to the terminal, each text below itself`(words: [String]) throws {
        for width in [60, 80] {
            let run = try Program.run(words, environment: ["COLUMNS": "\(width)"])
            #expect(run.status == 0 && run.complaints == "")
            let lines = run.output.split(separator: "\n")
            #expect(lines.count > 10)
            for line in lines { #expect(line.count <= width, "\(line)") }
        }
        let wide = try Program.run(words, environment: ["COLUMNS": "1000"]).output
        func each(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
        let narrow = try Program.run(words, environment: ["COLUMNS": "60"]).output
        #expect(each(narrow) == each(wide))
    }

    @Test(arguments: [
        ("short", 20, "short"), ("one two three", 8, "one two\nthree"), ("  one two three", 9, "  one two\n  three"),
        (
            "  rigready x    does one and another thing", 36,
            "  rigready x    does one and another\n                thing"
        ),
        ("  --an-option-that-is-long    what it does", 24, "  --an-option-that-is-long\n      what it does"),
        ("a\n\nb", 10, "a\n\nb"),
    ])
    func `a line is wrapped at its own column`(text: String, width: Int, expected: String) {
        #expect(HelpText.wrapped(text, to: width) == expected)
    }

    private func completed(_ option: String, _ words: String..., command: String = "check") throws -> [String] {
        let line = ["rigready"] + words
        let last = line[line.count - 1].count
        let run = try Program.run(["---completion", command, "--", option, "\(line.count - 1)", "\(last)"] + line)
        #expect(run.status == 0 && run.complaints == "", "\(run.complaints)")
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test func `services are completed, also behind others`() throws {
        #expect(try completed("--service", "--service", "").contains("driving.distractionFreeDriving"))
        #expect(try completed("--service", "--service", "").contains("dfd"))
        #expect(try completed("--service", "--service", "dfd,").contains("dfd,impact"))
        #expect(try completed("--service", "--service", "", command: "fleet").contains("impact"))
        let explained = try completed("positional@0", "explain", "", command: "explain")
        #expect(Set(explained).isSuperset(of: ["impact", "gyroscope", "receiver", "denied", "contradictoryFix"]))
        #expect(!explained.contains("motion.denied"))
        #expect(try completed("positional@0", "explain", "motion.", command: "explain").contains("motion.denied"))
        #expect(try completed("--output", "--output", "").contains("html="))
    }

    @Test func `sensors are completed with the keys of the rig, and without one by their kinds`() throws {
        let keys = try completed("--sensor", "--rig", "demo", "--sensor", "")
        #expect(keys.contains("accelerometer=") && keys.contains("accelerometer=i2c-0/0-0069"))
        #expect(keys.contains("gyroscope=uhid/0003:1209:0001/HID-SENSOR-200076"))
        let none = try completed("--sensor", "--rig", "/no/such/file", "--sensor", "")
        #expect(Set(none).isSuperset(of: ["accelerometer=", "locationReceiver="]))
    }
}
