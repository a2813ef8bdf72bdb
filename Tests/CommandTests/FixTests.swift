import Foundation
import Support
import Testing

@testable import rigready

/// `rigready fix`: the steps as a script, and on this machine with a `sudo` of the test's own.
@Suite struct FixTests {
    private func commands(_ words: [String]) throws -> (commands: [String], status: Int32) {
        let run = try Program.run(words + ["--format", "json"])
        let causes = try #require(try run.document()["rootCauses"] as? [[String: Any]])
        let remedies = causes.flatMap { $0["remedies"] as? [[String: Any]] ?? [] }
        return (remedies.compactMap { $0["command"] as? String }, run.status)
    }

    @Test(arguments: ["demo", "field-kit", "prototype-board"])
    func `the dry run is a script of exactly the report's commands`(rig: String) throws {
        let run = try Program.run("fix", "--dry-run", "--rig", rig)
        let (commands, status) = try commands(["--rig", rig])
        #expect(run.status == status)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "#!/bin/sh")
        let words = lines.filter { !$0.hasPrefix("#") }.map {
            $0.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
        }
        #expect(words == commands)
        #expect(rig == "demo" || !commands.isEmpty)
        try Program.withFile(run.output, ending: "sh") { file in
            let check = try Tool.run("/bin/sh", ["-n", file])
            #expect(check.status == 0 && check.complaints == "", "\(check.complaints)")
        }
    }

    @Test func `the dry run says what is wrong, what it unlocks and who must run it`() throws {
        let script = try Program.run("fix", "--dry-run", "--rig", "prototype-board").output
        let causes = try #require(
            try Program.run("--rig", "prototype-board", "--format", "json").document()["rootCauses"] as? [[String: Any]]
        )
        #expect(causes.count > 1)
        for (index, cause) in causes.enumerated() {
            let heading = try #require(script.split(separator: "\n").first { $0.hasPrefix("# \(index + 1) of") })
            let count = (cause["unlocks"] as? [String])?.count ?? 0
            let unlocks = count > 1 ? "unlocks \(count) services" : "unlocks "
            let words = cause["alternativeTo"] is String ? "or this instead of" : unlocks
            #expect(heading.contains(words), "\(heading)")
        }
        #expect(script.contains("# needs root"))
    }

    @Test(arguments: [
        (["fix"], "no terminal to ask on"), (["fix", "--rig", "demo"], "--dry-run"),
        (["fix", "--yes", "--rig", "demo"], "--dry-run"), (["fix", "--format", "json"], "prints text"),
        (["fix", "--cached"], "always probes"), (["fix", "--as", "root"], "the current user"),
    ])
    func `nothing is run without a person's agreement`(words: [String], hint: String) throws {
        let run = try Program.run(words)
        #expect(run.status == 64 && run.output == "")
        #expect(run.complaints.contains(hint), "\(run.complaints)")
    }

    /// Runs `fix` on this machine, where no gpsd listens on a port, with a `sudo` that is this script.
    private func fix(
        sudo: String, _ words: String..., typing input: String? = nil, config: String = "{}"
    ) throws -> (run: Tool.Run, log: String) {
        guard FileManager.default.isExecutableFile(atPath: "/usr/sbin/gpsd") else {
            try Test.cancel("needs /usr/sbin/gpsd of gpsd")
        }
        return try Tool.withFolder { folder in
            let log = folder.appending(path: "log"), program = folder.appending(path: "sudo")
            let script = "#!/bin/bash\nfolder='\(folder.path)'\necho \"$@\" >>\"$folder/log\"\n\(sudo)\n"
            try Tool.write(script, asProgram: program)
            let settings = folder.appending(path: "config.yaml")
            try Data(config.utf8).write(to: settings)
            let environment = ["PATH": "\(folder.path):/usr/bin:/bin", "TERM": "dumb"]
            let address = "127.0.0.1:\(try RunningGPSD.freePort())"
            var words = ["fix", "--service", "places", "--gpsd", address, "--config", settings.path] + words
            let run: Tool.Run
            if let input {
                words = ["-qec", ([Program.url.path] + words).joined(separator: " "), "/dev/null"]
                run = try Tool.run("/usr/bin/script", words, input: input, environment: environment)
            } else {
                run = try Tool.run(Program.url.path, words + ["--yes"], environment: environment)
            }
            return (run, (try? String(contentsOf: log, encoding: .utf8)) ?? "")
        }
    }

    /// Starts gpsd as the report's command would, for half a minute, and waits until it listens.
    ///
    /// It keeps no descriptor of the test, which would wait for it.
    private static let starting = """
        for file in /proc/$$/fd/*; do
            number=${file##*/}
            [ "$number" -gt 2 ] && [ "$number" != 255 ] && eval "exec $number>&-"
        done
        timeout -s KILL 30 /usr/sbin/gpsd -N -S "$3" -F "$folder/socket" >/dev/null 2>&1 &
        for i in {1..200}; do (: </dev/tcp/127.0.0.1/$3) 2>/dev/null && exit 0; sleep 0.05; done
        exit 9
        """

    @Test(.waits) func `a command that works is run once, and what it brought is told`() throws {
        let (run, log) = try fix(sudo: Self.starting)
        #expect(log.split(separator: "\n").count == 1 && log.hasPrefix("gpsd -S "), "\(log)")
        #expect(run.output.contains("1 of 1 · gpsd unreachable · unlocks places"), "\(run.output)")
        #expect(run.output.contains("needs root, the package gpsd"))
        #expect(run.output.contains("location: unreachable → "), "\(run.output)")
        // Now gpsd has no receiver, which is the next cause; a person has to connect one.
        #expect(run.output.contains("→ connect a receiver"))
        #expect(run.status == 1)
    }

    @Test func `a command that fails is told in its own words and left`() throws {
        let (run, log) = try fix(sudo: "echo 'sudo: a password is required' >&2; exit 3")
        #expect(log.split(separator: "\n").count == 1)
        #expect(run.output.contains("it failed with status 3: sudo: a password is required"), "\(run.output)")
        #expect(run.output.contains("nothing has changed"))
        #expect(run.status != 0)
    }

    @Test func `on a terminal each command is asked for`() throws {
        // `script` may tell no end of the input to a program that reads late, so another question is answered too.
        let left = try fix(sudo: "exit 0", typing: "2\nstop\n")
        #expect(left.log == "", "\(left.run.output)")
        #expect(left.run.output.contains("Run this command?"))
        let stopped = try fix(sudo: "exit 0", typing: "stop\n")
        #expect(stopped.log == "")
        let agreed = try fix(sudo: "exit 0", typing: "1\nstop\n")
        #expect(agreed.log.split(separator: "\n").count == 1, "\(agreed.run.output)")
    }

    @Test func `an accepted finding is not fixed`() throws {
        let accept = "accept: [{id: location, reason: no gpsd here, until: 2999-12-31}]"
        let (run, log) = try fix(sudo: "exit 0", config: accept)
        #expect(log == "" && run.status == 0)
        #expect(!run.output.contains("→"))
    }

    @Test(.waits) func `a command ends in its own way, or at its deadline`() throws {
        func outcome(_ line: String, seconds: Double = 20) throws -> ShellProcess.CommandOutcome {
            try ShellProcess.run(line, seconds: seconds)
        }
        #expect(try outcome("true") == .init(end: .exited(0), said: ""))
        #expect(try outcome("echo one >&2; echo two >&2; exit 4") == .init(end: .exited(4), said: "one two"))
        #expect(try outcome("kill -9 $$").end == .signalled(9))
        #expect(try outcome("/no/such/program").end == .exited(127))
        #expect(try outcome("sleep 60", seconds: 0.1).end == .late)
        #expect(try outcome("trap '' TERM; while :; do sleep 0.1; done", seconds: 0.1).end == .late)
        // Of many words the last are kept.
        let many = try outcome("seq 9000 >&2; exit 1")
        #expect(many.said.count <= 4096 && many.said.hasSuffix(" 8999 9000"))
    }
}
