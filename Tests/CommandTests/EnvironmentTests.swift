import Foundation
import Testing

/// The variables that stand in place of options.
@Suite struct EnvironmentTests {
    /// The variable and the option, the file that both name, and the command that shows what it changes.
    @Test(arguments: [
        ("RIGREADY_CONFIG", "--config", "services: [walking]\n", ["--rig", "demo"]),
        ("RIGREADY_CONFIG", "--config", "no such key: 1\n", ["--rig", "demo"]),
        ("RIGREADY_PERMISSIONS", "--permissions", "motion: denied\n", ["permissions", "--rig", "demo"]),
        ("RIGREADY_POLICY", "--policy", "motion: restricted\n", ["permissions", "--rig", "demo"]),
        ("RIGREADY_POLICY", "--policy", "motion: restricted\n", ["--rig", "demo", "--service", "walking"]),
    ])
    func `a variable means what its option means, and an option takes its place`(
        variable: String, option: String, text: String, words: [String]
    ) throws {
        try Program.withFile(text) { file in
            let (named, meant) = (
                try Program.run(words + [option, file]), try Program.run(words, environment: [variable: file])
            )
            #expect(
                meant.output == named.output && meant.complaints == named.complaints && meant.status == named.status)
            let without = try Program.run(words)
            #expect(without.output != named.output)
            try Program.withFile("") { other in
                let both = try Program.run(words + [option, other], environment: [variable: file])
                #expect(both.output == without.output && both.status == without.status)
            }
            #expect(try Program.run(words, environment: [variable: ""]).output == without.output)
        }
    }

    @Test func `the gpsd of the environment is asked, but not by a recording`() throws {
        let words = ["--service", "places", "--format", "json"]
        let asked = try Program.run(words, environment: ["RIGREADY_GPSD": "127.0.0.1:9"])
        #expect(asked.output.contains("127.0.0.1:9\""))
        let recorded = try Program.run(["--rig", "demo"], environment: ["RIGREADY_GPSD": "127.0.0.1:9"])
        #expect(recorded.status == 0)
    }

    @Test(arguments: [("localhost:x", [String](), Int32(64)), ("localhost:x", ["--gpsd", "127.0.0.1:9"], 1)])
    func `a variable without a valid value is an error, unless an option takes its place`(
        value: String, option: [String], status: Int32
    ) throws {
        let run = try Program.run(["--service", "places"] + option, environment: ["RIGREADY_GPSD": value])
        #expect(run.status == status)
        #expect(run.complaints.contains("RIGREADY_GPSD takes HOST:PORT, not 'localhost:x'") == (status == 64))
    }
}
