import Foundation
import Glibc
import LocalRig
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
            #expect(heading.contains(try #require(cause["title"] as? String)), "\(heading)")
            #expect(heading.contains("alternative to") == (cause["alternativeTo"] is String), "\(heading)")
        }
        let lines = [
            "# 1 of 5 · gpsd unreachable · unlocks 5 services",
            "# unlocks driving, device discovery, places, points of interest, public transport",
            "# needed for distraction-free driving, driving behaviour, impact detection, with 3",
            "# needed for cycling, walking location, with 2", "# completes assistance call (now degraded)",
            "# 2 of 5 · motion access denied · unlocks walking",
            "# completes driving, impact detection (degraded without it)",
            "# 3 of 5 · bmi160: no driver · needed for 3 services, with 1",
            "# 4 of 5 · no step counter · unlocks health",
        ]
        for line in lines { #expect(script.split(separator: "\n").contains { $0 == line }, "\(line)") }
        #expect(script.contains("# needs root"))
    }

    @Test(arguments: [
        (["fix"], "no terminal to ask on"), (["fix", "--rig", "demo"], "--dry-run"),
        (["fix", "--yes", "--rig", "demo"], "--dry-run"), (["fix", "--format", "json"], "fix has no option --format"),
        (["fix", "--cached"], "fix has no option --cached"),
    ])
    func `nothing is run without a person's agreement`(words: [String], hint: String) throws {
        let run = try Program.run(words)
        #expect(run.status == 64 && run.output == "")
        #expect(run.complaints.contains(hint), "\(run.complaints)")
    }

    /// The end of the question.
    private static let prompt = "[q]uit: "

    /// Runs `fix` on this machine, where no gpsd listens on a port, with a `sudo` that is this script.
    private func fix(
        sudo: String, _ words: String..., typing answers: [(prompt: String, answer: String)]? = nil,
        ahead: String = "", planting planted: String? = nil, config: String = "{}"
    ) throws -> (run: Tool.Run, log: String) {
        guard FileManager.default.isExecutableFile(atPath: "/usr/sbin/gpsd") else {
            try Test.cancel("needs /usr/sbin/gpsd of gpsd")
        }
        return try Tool.withFolder { folder in
            let log = folder.appending(path: "log"), standIn = folder.appending(path: "sudo")
            let script = "#!/bin/bash\nfolder='\(folder.path)'\necho \"$@\" >>\"$folder/log\"\n\(sudo)\n"
            try Tool.write(script, asProgram: standIn)
            // Root types the command without sudo.
            let direct = "#!/bin/bash\nexec '\(standIn.path)' gpsd \"$@\"\n"
            if getuid() == 0 { try Tool.write(direct, asProgram: folder.appending(path: "gpsd")) }
            let settings = folder.appending(path: "config.yaml")
            try Data(config.utf8).write(to: settings)
            let environment = ["PATH": "\(folder.path):/usr/bin:/bin", "TERM": "dumb"]
            var program = Program.url
            if let planted {
                // The program in a folder that others may write, and what somebody has put beside it.
                let place = folder.appending(path: "place")
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
                program = place.appending(path: "rigready")
                try Tool.copy(Program.url, asProgram: program)
                for name in [planted, "gpsd"] {
                    try Tool.write("#!/bin/sh\ntouch '\(log.path).planted'\n", asProgram: place.appending(path: name))
                }
            }
            let address = "127.0.0.1:\(try RunningGPSD.freePort())"
            var words = ["fix", "--service", "places", "--gpsd", address, "--config", settings.path] + words
            let run: Tool.Run
            if let answers {
                run = try Tool.type(answers, ahead: ahead, into: [program.path] + words, environment: environment)
            } else {
                words.append("--yes")
                run = try Tool.run(program.path, words, environment: environment)
            }
            #expect(!FileManager.default.fileExists(atPath: "\(log.path).planted"), "what was planted has run")
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
        for answer in ["s\n", "no\n", "\n"] {
            let skipped = try fix(sudo: "exit 0", typing: [(Self.prompt, answer), (Self.prompt, "q\n")])
            #expect(skipped.log == "", "\(skipped.run.output)")
            #expect(skipped.run.output.contains("Run this command? [y]es, [s]kip, [q]uit: "))
            #expect(skipped.run.output.contains("skipped"), "\(skipped.run.output)")
        }
        let stopped = try fix(sudo: "exit 0", typing: [(Self.prompt, "quit\n")])
        #expect(stopped.log == "" && !stopped.run.output.contains("skipped"))
        let agreed = try fix(sudo: "exit 0", typing: [(Self.prompt, "y\n"), (Self.prompt, "q\n")])
        #expect(agreed.log.split(separator: "\n").count == 1, "\(agreed.run.output)")
    }

    @Test func `a question mark explains the answers, and any other word is asked again`() throws {
        let helped = try fix(
            sudo: "exit 0", typing: [(Self.prompt, "?\n"), (Self.prompt, "Yes\n"), (Self.prompt, "q\n")])
        #expect(helped.run.output.contains("y  run the command"), "\(helped.run.output)")
        #expect(helped.run.output.contains("s  skip it (Return does the same)"))
        #expect(helped.log.split(separator: "\n").count == 1, "\(helped.run.output)")
        let numbered = try fix(sudo: "exit 0", typing: [(Self.prompt, "1\n"), (Self.prompt, "q\n")])
        #expect(numbered.run.output.contains("Answer y, s or q."), "\(numbered.run.output)")
        #expect(numbered.log == "")
    }

    @Test(
        arguments: [
            ("y\n", .answered(.run)), ("YES\n", .answered(.run)), (" y \n", .answered(.run)),
            ("s\n", .answered(.skip)), ("Skip\n", .answered(.skip)), ("n\n", .answered(.skip)),
            ("NO\n", .answered(.skip)), ("q\n", .answered(.quit)), ("Quit\n", .answered(.quit)),
            ("\n", .dismissed), (" \n", .dismissed), ("", .dismissed), ("?\n", nil), ("1\n", nil), ("ye\n", nil),
            ("yess\n", nil), ("run\n", nil), ("\u{e9}\n", nil),
        ] as [(String, TerminalReply<FixAnswer>?)])
    func `an answer is a letter or its word, in any case`(line: String, reply: TerminalReply<FixAnswer>?) {
        #expect(FixAnswer.reply(in: Array(line.utf8)) == reply)
    }

    @Test func `keys typed before the question do not answer it`() throws {
        let (run, log) = try fix(sudo: "exit 0", typing: [(Self.prompt, "q\n")], ahead: "y\n")
        #expect(log == "", "\(run.output)")
        #expect(run.output.contains("Run this command?"))
    }

    @Test(arguments: ["sudo", "gpsd", "sh"])
    func `a program beside this one is not run in the place of another`(name: String) throws {
        let (run, log) = try fix(sudo: "exit 0", planting: name)
        #expect(log.hasPrefix("gpsd -S "), "\(run.output) \(run.complaints)")
    }

    @Test func `a command of this program runs this program, which is on no path`() throws {
        try Program.withFile("location: not-determined\n") { grants in
            let (run, _) = try fix(
                sudo: "exit 0", "--permissions", grants,
                typing: [(Self.prompt, "s\n"), (Self.prompt, "y\n"), (Self.prompt, "q\n")])
            #expect(run.output.contains("rigready permissions grant location"), "\(run.output)")
            let text = try String(contentsOfFile: grants, encoding: .utf8)
            #expect(!text.contains("not-determined"), "\(run.output)")
        }
    }

    /// As sudo does: it asks on the terminal, without an echo.
    private static let asking = """
        exec </dev/tty >/dev/tty
        stty -echo
        printf 'Password: '
        read -r word
        stty echo
        echo "word $word" >>"$folder/log"
        """

    @Test func `a command may ask on the terminal, and the next question is still answered`() throws {
        let (run, log) = try fix(
            sudo: Self.asking, typing: [(Self.prompt, "y\n"), ("Password: ", "horse\n"), (Self.prompt, "q\n")])
        #expect(log.contains("word horse"), "\(log) \(run.output)")
        #expect(!run.output.contains("horse"))
    }

    @Test func `an interrupt during a command ends the whole walk`() throws {
        let (run, log) = try fix(sudo: Self.asking, typing: [(Self.prompt, "y\n"), ("Password: ", "\u{3}")])
        #expect(run.status == 128 + SIGINT, "\(run)")
        #expect(!log.contains("word"))
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
        // Without a terminal nobody can continue it.
        #expect(try outcome("kill -STOP $$", seconds: 0.1).end == .late)
        // Of many words the last are kept.
        let many = try outcome("seq 9000 >&2; exit 1")
        #expect(many.said.count <= 4096 && many.said.hasSuffix(" 8999 9000"))
    }

    @Test(.waits) func `at the deadline everything that the command started is ended`() throws {
        try Tool.withFolder { folder in
            let numbers = folder.appending(path: "numbers").path
            let inner = "trap \"\" TERM; echo $$ >>\(numbers); while :; do sleep 0.1; done"
            let line = "echo $$ >>\(numbers); sh -c '\(inner)' & sleep 60"
            let outcome = try ShellProcess.run(line, seconds: 1)
            #expect(outcome.end == .late && outcome.survivors == [])
            let started = try String(contentsOfFile: numbers, encoding: .utf8).split(separator: "\n")
            #expect(started.count == 2)
            for number in started {
                // One that nobody has waited for yet is dead all the same.
                let status = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ") Z"
                #expect(status.contains(") Z"), "\(number) lives")
            }
        }
    }

    @Test(.waits) func `what cannot be ended is named`() throws {
        guard geteuid() == 0 else { try Test.cancel("needs root") }
        let setpriv = try Tool.path("setpriv", package: "util-linux")
        try Tool.withFolder { folder in
            // Every user may run it, as root: what it starts has all of root's numbers, as under sudo.
            let program = folder.appending(path: "sudo").path
            let made = try Tool.run("/usr/bin/install", ["-m", "4755", setpriv, program])
            try #require(made.status == 0)
            try #require(unsafe chmod(folder.path, 0o755) == 0)
            let line = "\(program) --reuid=0 --regid=0 --clear-groups sleep 60"
            let outcome = try onThread(ofUser: 65534) { try ShellProcess.run(line, seconds: 1) }
            #expect(outcome.end == .late)
            let survivor = try #require(outcome.survivors.first)
            #expect(outcome.words.contains("still runs") && outcome.words.contains("process \(survivor)"))
            #expect(kill(survivor, SIGKILL) == 0)
        }
    }
}
