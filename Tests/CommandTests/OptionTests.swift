import ArgumentParser
import CommandOptions
import Foundation
import LocalRig
import Testing
@testable import rigready
@testable import rigready_web

/// The options of both programs, which are declared once.
@Suite struct OptionTests {
    private static let commands = [CommandOutline](of: RigReady.self)
    private static let web = [CommandOutline](of: RigReadyWeb.self)[0]

    /// An option of `check` that configures a rig, with a value that is not its default.
    private static let samples: [(option: String, values: [String])] = [
        ("--service", ["dfd,impact"]), ("--config", ["/c.yaml"]), ("--rules", ["2.4"]), ("--motion-mandatory", []),
        ("--background-location-mandatory", []), ("--licence", ["walking"]), ("--strict", []),
        ("--sensor", ["gyroscope=bmi160"]), ("--min-fix", ["3d"]), ("--max-age", ["5"]), ("--no-simulated", []),
        ("--max-error", ["20"]), ("--allow-estimated", []), ("--depth", ["presence"]), ("--timeout", ["3"]),
        ("--wait-fix", ["4"]), ("--gpsd", ["host:99"]), ("--iio", ["ip:board"]), ("--sysfs", ["/host/sys/"]),
        ("--rig", ["demo"]), ("--permissions", ["/g.yaml"]), ("--policy", ["/p.yaml"]), ("--as", [user]),
    ]
    /// Whose access is evaluated in place of a user's; only root may.
    private static let subjects: [(option: String, values: [String])] = [
        ("--as-unit", ["a.service"]), ("--as-pid", ["1"]), ("--as-container", ["1"]),
    ]
    /// An account of this machine: another one for root, else the own.
    private static let user = getuid() == 0 ? "nobody" : NSUserName()

    /// The options of `check` that are about its output, or about a report in place of a probe.
    private static let ofOutput: Set = [
        "--metrics", "--cached", "--cached-from", "--format", "--output", "--quiet", "--color", "--ascii",
    ]
    /// What the parser adds.
    private static let ofEach: Set = ["--help", "-h", "--version"]

    /// A valid call of each command.
    private static let calls: [String: [String]] = [
        "check": ["check"], "watch": ["watch"], "sensors": ["sensors"], "explain": ["explain", "dfd"],
        "services": ["services"], "permissions": ["permissions", "show"],
        "permissions grant": ["permissions", "grant", "motion"],
        "permissions revoke": ["permissions", "revoke", "motion"],
        "permissions reset": ["permissions", "reset", "motion"], "permissions forget": ["permissions", "forget"],
        "permissions request": ["permissions", "request", "motion"], "record": ["record", "/r.jsonl"],
        "compare": ["compare", "/b.yaml"], "audit": ["audit", "/Info.plist"],
        "consent": ["consent", "--permissions", "/own.yaml", "--state", "/s.yaml"], "fix": ["fix", "--dry-run"],
        "measure": ["measure"], "history": ["history"], "fleet": ["fleet"], "schema": ["schema"], "init": ["init"],
        "support": ["support"],
    ]

    private static func options(_ words: [String]) throws -> String {
        let command = try #require(try RigReady.parseAsRoot(words) as? any ProbingCommand)
        return "\(try command.rigOptions)"
    }

    private static func call(_ command: CommandOutline) throws -> [String] {
        try #require(calls[command.title], "\(command.title)")
    }

    @Test func `each command has a call in this test`() {
        #expect(Set(Self.commands.map(\.title)) == Set(Self.calls.keys))
    }

    @Test func `the board takes every option of a check that configures a rig`() throws {
        let check = try #require(Self.commands.named(in: []))
        #expect(check.title == "check")
        let names = Set(check.optionNames).subtracting(Self.ofOutput).subtracting(Self.ofEach)
        #expect(names == Set((Self.samples + Self.subjects).map(\.option)))
        #expect(names.subtracting(Self.web.optionNames) == [])
    }

    @Test(arguments: subjects) func `a subject means the same to the board and to a check, and needs root`(
        option: String, values: [String]
    ) throws {
        let words = [option] + values
        let web = try #require(try RigReadyWeb.parseAsRoot(words) as? RigReadyWeb)
        guard getuid() == 0 else {
            #expect(throws: LocalRigError.self) { try web.rigOptions }
            return
        }
        #expect("\(try web.rigOptions)" == (try Self.options(["check"] + words)))
        for others in [["--as", "root"], ["--rig", "demo"]] {
            #expect(throws: LocalRigError.self) { try Self.options(["check"] + words + others) }
        }
    }

    @Test(arguments: samples) func `an option means the same to the board and to a check`(
        option: String, values: [String]
    ) throws {
        let words = [option] + values
        let check = try Self.options(["check"] + words)
        let web = try #require(try RigReadyWeb.parseAsRoot(words) as? RigReadyWeb)
        #expect("\(try web.rigOptions)" == check)
    }

    /// All options are in one call, because parsing a call takes half a second in a debug build.
    @Test(arguments: commands.map(\.title)) func `no option of a rig is accepted and ignored`(title: String) throws {
        let command = try #require(Self.commands.first { $0.title == title })
        let call = try Self.call(command)
        guard try RigReady.parseAsRoot(call) is any ProbingCommand else { return }
        let known = Self.samples.filter { command.optionNames.contains($0.option) }
        // A recording has sources of its own, and no accounts.
        let recorded = known.filter { !["--gpsd", "--iio", "--sysfs", "--as"].contains($0.option) }
        // The command that names its service without an option.
        let check = ["check"] + (title == "explain" ? ["--service", "dfd"] : [])
        for samples in [known.filter { $0.option != "--rig" }, recorded] {
            let words = samples.flatMap { [$0.option] + $0.values }
            #expect(try Self.options(call + words) == Self.options(check + words))
        }
    }

    /// Each command with one option of others, and each option with one command that lacks it.
    private static let refused: [(title: String, option: String)] = {
        let known = commands.reduce(into: Set<String>()) { $0.formUnion($1.optionNames) }.sorted()
        let byCommand = commands.enumerated().compactMap { number, command in
            let foreign = known.filter { !command.optionNames.contains($0) }
            return foreign.isEmpty ? nil : (command.title, foreign[number * 7 % foreign.count])
        }
        let byOption = known.enumerated().compactMap { number, option in
            let strange = commands.filter { !$0.optionNames.contains(option) }
            return strange.isEmpty ? nil : (strange[number * 7 % strange.count].title, option)
        }
        return byCommand + byOption
    }()

    @Test func `an option of other commands is refused with a sentence that names them`() throws {
        #expect(Self.refused.count > 70)
        for (title, option) in Self.refused {
            let command = try #require(Self.commands.first { $0.title == title })
            let takers = Self.commands.filter { $0.optionNames.contains(option) }.map(\.title)
            let run = try Program.run(try Self.call(command) + [option])
            let list = takers.count < 2 ? takers[0] : "\(takers.dropLast().joined(separator: ", ")) and \(takers.last!)"
            let sentence = "\(title) has no option \(option): it is an option of \(list)."
            #expect(run.status == 64 && run.output == "")
            #expect(run.complaints.contains(sentence), "\(run.complaints)")
        }
    }

    @Test(arguments: [
        (
            ["watch", "--cached"],
            "watch has no option --cached: it is an option of check, sensors, explain and permissions."
        ),
        (["--until", "runs"], "check has no option --until: it is an option of watch."),
        (["measure", "--sysfs", "/host"], "measure has no option --sysfs: it is an option of check, watch, sensors,"),
        (
            ["explain", "dfd", "--service", "places"],
            "explain has no option --service: it is an option of check, watch,"
        ),
        (
            ["permissions", "--answer", "allow"],
            "permissions has no option --answer: it is an option of permissions request."
        ),
        (["check", "--save", "x"], "it is an option of measure. Did you mean '--output FORMAT=FILE'? See"),
        (
            ["sensors", "--format", "tap"],
            "expected text or json; tap is a format of check, explain, compare, audit and measure."
        ),
        (["fleet", "--format", "junit"], "expected text, json or html; junit is a format of check,"),
        (["sensors", "--format", "jsn"], "expected text or json. Did you mean 'json'?"),
    ])
    func `a refusal is an invalid call`(words: [String], sentence: String) throws {
        let run = try Program.run(words)
        #expect(run.status == 64 && run.output == "")
        #expect(run.complaints.contains(sentence), "\(run.complaints)")
    }

    @Test func `no option is hidden`() throws {
        for words in Self.calls.values {
            let outline = try #require(Self.commands.named(in: words))
            let command = type(of: try RigReady.parseAsRoot(words))
            let (shown, all) = (command.helpMessage(), command.helpMessage(includeHidden: true))
            for name in outline.optionNames where !Self.ofEach.contains(name) {
                #expect(shown.contains(name) && all.contains(name), "\(outline.title) \(name)")
            }
            #expect(shown.split(separator: "\n").count == all.split(separator: "\n").count)
        }
    }

    /// Options that mean something else in another command.
    private static let ambiguous: Set = [
        // How long is watched, measured or listened, or full accuracy is allowed.
        "--for",
        // Of a probe, and of a broker's answer.
        "--timeout",
        // Recorded, or asked for.
        "--always",
        // The list differs.
        "--format",
    ]

    @Test func `an option has the same help wherever it is`() {
        var texts: [String: Set<String>] = [:]
        for option in (Self.commands + [Self.web]).flatMap(\.options) {
            for name in option.names { texts[name, default: []].insert("\(option.value ?? "") \(option.abstract)") }
        }
        #expect(Set(texts.filter { $0.value.count > 1 }.keys) == Self.ambiguous)
    }

    /// The options in the first column of the tables below a heading of a document.
    private static func listed(in document: String, below heading: String) throws -> Set<String> {
        let file = Tool.repository.appending(path: "Documentation/\(document)")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        return section.filter { $0.hasPrefix("| `--") }.reduce(into: []) { names, line in
            let cell = line.split(separator: " | ")[0]
            for match in cell.matches(of: /--[a-z][a-z-]+/) { names.insert(String(match.0)) }
        }
    }

    @Test func `the manual lists the options of a check, and those that only the board has`() throws {
        let check = Set(try #require(Self.commands.named(in: [])).optionNames).subtracting(Self.ofEach)
        #expect(try Self.listed(in: "commands.md", below: "## Options") == check)
        let own = Set(Self.web.optionNames).subtracting(check).subtracting(Self.ofEach)
        #expect(try Self.listed(in: "board.md", below: "## Options") == own)
    }

    @Test(arguments: ["2.14", "2.15", "2.17", "2.4", "1.5"]) func `newer rules than the newest known are named`(
        version: String
    ) throws {
        let run = try Program.run("--rig", "demo", "--rules", version)
        let isNewer = ["2.15", "2.17"].contains(version)
        let words = "rigready: rules \(version): the newest known requirement table is that of 2.14\n"
        #expect(run.complaints == (isNewer ? words : ""), "\(run.complaints)")
        #expect(run.output.contains("rules \(isNewer ? "2.14" : version == "1.5" ? "1.x" : version)"))
    }

    /// Root needs no sudo, and a machine may have none.
    @Test(arguments: [
        (1000, true, "→ sudo rfkill unblock bluetooth"), (1000, false, "→ rfkill unblock bluetooth"),
        (0, true, "→ rfkill unblock bluetooth"), (0, false, "→ rfkill unblock bluetooth"),
    ])
    func `commands have sudo where it is there and needed`(user: Int, hasSudo: Bool, command: String) throws {
        var lines = try EmbeddedRig.fieldKit.recording().serializedText.split(separator: "\n").map(String.init)
        lines[0] = lines[0].replacing(/"uid":\d+/, with: "\"uid\":\(user)").replacing(/"sudo":(true|false),/, with: "")
        if !hasSudo { lines[0] = "{\"sudo\":false," + lines[0].dropFirst() }
        try Program.withFile(lines.map { $0 + "\n" }.joined(), ending: "jsonl") { file in
            let run = try Program.run("--rig", file)
            #expect(run.output.contains(command), "\(run.output)\(run.complaints)")
        }
    }
}

extension Recording {
    fileprivate var serializedText: String { String(decoding: serialized(compressed: false), as: UTF8.self) }
}
