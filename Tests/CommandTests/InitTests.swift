import Foundation
import Glibc
import Readiness
import Rendering
import Support
import Testing
@testable import LocalRig
@testable import rigready

/// `rigready init`: a configuration that says what the rig has, and changes no verdict.
@Suite struct InitTests {
    private static let rigs = EmbeddedRig.names

    private func run(_ words: [String], in folder: URL) throws -> Tool.Run {
        try Tool.run(Program.url.path, words, in: folder, limit: 30)
    }

    private func text(_ file: String, in folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }

    private func configuration(_ text: String) throws -> RigConfiguration {
        try RigConfiguration(parsing: Array(text.utf8), file: "rigready.yaml")
    }

    /// The file with every key in use; of the sensors under test the first of each kind.
    private static func complete(_ text: String) -> String {
        var kinds: Set<Substring> = []
        let lines = text.split(separator: "\n").compactMap { line -> String? in
            guard let mark = line.firstMatch(of: /^( *)#(?! [^ ])(.*)$/) else { return String(line) }
            let used = "\(mark.1)\(mark.2)"
            guard let kind = used.firstMatch(of: /^  ([a-zA-Z]+): "/)?.1, SensorKind(named: String(kind)) != nil else {
                return used
            }
            return kinds.insert(kind).inserted ? used : nil
        }
        return lines.map { $0 + "\n" }.joined()
    }

    @Test(arguments: rigs) func `the file changes no verdict of a rig`(rig: String) throws {
        try Tool.withFolder { folder in
            let written = try run(["init", "--rig", rig], in: folder)
            #expect(written.status == 0 && written.output == "", "\(written)")
            #expect(written.complaints.hasPrefix("rigready: wrote rigready.yaml: "), "\(written.complaints)")
            #expect(written.complaints.hasSuffix("; try: rigready --config rigready.yaml --rig \(rig)\n"))
            let plain = try run(["--rig", rig, "--format", "json"], in: folder)
            let configured = try run(["--rig", rig, "--format", "json", "--config", "rigready.yaml"], in: folder)
            #expect(configured.complaints == "")
            let (before, after) = (try plain.document(), try configured.document())
            for key in ["requirements", "sensors", "authorizations", "rules"] {
                #expect(try Self.canonical(before[key]) == Self.canonical(after[key]), "\(key)")
            }
            func services(_ document: [String: Any]) throws -> [String: [String: Any]] {
                let services = try #require(document["services"] as? [[String: Any]])
                return try Dictionary(
                    uniqueKeysWithValues: services.map { service in (try #require(service["id"] as? String), service) })
            }
            let (all, listed) = (try services(before), try services(after))
            let running = all.filter { ["runs", "degraded"].contains($0.value["verdict"] as? String) }
            #expect(Set(listed.keys) == Set(running.keys) && !running.isEmpty)
            for (id, service) in listed { #expect(try Self.canonical(service) == Self.canonical(all[id]), "\(id)") }
        }
    }

    /// A value of a document as text.
    private static func canonical(_ value: Any?) throws -> String {
        let object: [String: Any] = ["value": try #require(value)]
        return String(
            decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
    }

    @Test(.waits) func `the file is valid, as it is and with every key in use`() throws {
        var validation = SchemaValidation()
        for rig in Self.rigs {
            let text = try Program.run("init", "-", "--rig", rig).output
            #expect(text.hasPrefix("# yaml-language-server: $schema=/"), "\(text.prefix(80))")
            let complete = Self.complete(text)
            for one in [text, complete] {
                validation.add(.init(schema: "configuration", from: rig, text: one, isYAML: true))
            }
            #expect(try configuration(text).remarks == [])
            let all = try configuration(complete)
            #expect(all.remarks == [])
            #expect(
                all.services == ServiceSet.all && all.licence == ServiceSet.all && all.rules == RulesVersion("2.14"))
            #expect(all.flags == OptionFlags.all && all.maximumError == 100 && all.allowsEstimated == true)
            #expect(all.accepted.count == 1 && all.quality.count == 3 && all.purposes.texts.count == 5)
            #expect(all.broker?.keyFile == "rig.key" && !all.pins.isEmpty)
            #expect(all.requiresExplicitServiceSession && all.isReducedByDefault)
            // Every key of a file with every key has a comment.
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.contains(/^#?[a-zA-Z]+:/) {
                #expect(index > 0 && lines[index - 1].hasPrefix("# "), "\(line)")
            }
        }
        #expect(try validation.result().faults == [])
    }

    @Test func `options with a key are in use, and others are in the command`() throws {
        let words = [
            "init", "-", "--rig", "demo", "--rules", "2.4", "--licence", "walking,walking.location",
            "--motion-mandatory",
            "--sensor", "gyroscope=bmi160", "--max-error", "20", "--allow-estimated", "--min-fix", "3d", "--timeout",
            "3",
            "--strict", "--permissions", "/no/such file.yaml",
        ]
        let run = try Program.run(words)
        #expect(run.status == 0 && run.complaints == "", "\(run.complaints)")
        let read = try configuration(run.output)
        #expect(read.rules == RulesVersion("2.4") && read.licence?.members == [.walking, .walkingLocation])
        #expect(read.flags == OptionFlags.motionPermissionMandatory && read.pins == [.gyroscope: "bmi160"])
        #expect(read.maximumError == 20 && read.allowsEstimated == true)
        #expect(read.accepted == [] && read.quality.isEmpty && read.purposes == Purposes() && read.broker == nil)
        let command =
            "rigready --config rigready.yaml --rig demo --min-fix 3d --strict --timeout 3.0 --permissions '/no/such file.yaml'"
        #expect(run.output.contains("# To check the rig with this file: \(command)\n"), "\(run.output)")
        #expect(run.output.contains("# The other options of this command have no key"))
        #expect(try !Program.run("init", "-").output.contains("# The other options"))
    }

    @Test func `services that are named are in use, whether they run or not`() throws {
        let text = try Program.run("init", "-", "--rig", "field-kit", "--service", "places,health,walking").output
        #expect(try configuration(text).services?.members == [.walking, .places, .health])
        #expect(text.contains("\nservices:\n  - walking\n  - places    # fails: "), "\(text)")
    }

    @Test func `without a service that runs, all are asked for`() throws {
        let text = try Program.run("init", "-", "--rig", "field-kit", "--licence", "places").output
        #expect(try configuration(text).services == nil)
        #expect(text.contains("\n#services:\n#  - driving    # "))
    }

    @Test func `no other configuration is read`() throws {
        try Program.withFile("services: [walking]\nbroker: [") { file in
            let text = try Program.run(["init", "-", "--rig", "demo"], environment: ["RIGREADY_CONFIG": file])
            #expect(text.status == 0 && text.complaints == "", "\(text.complaints)")
            #expect(try configuration(text.output).services == ServiceSet.all)
            let run = try Program.run("init", "-", "--config", file)
            #expect(run.status == 64 && run.output == "")
            #expect(run.complaints.contains("it cannot be used with --config"), "\(run.complaints)")
        }
    }

    // MARK: The file

    @Test func `an existing file is replaced only with --force, and keeps its mode`() throws {
        try Tool.withFolder { folder in
            let file = folder.appending(path: "rigready.yaml")
            try Data("before".utf8).write(to: file)
            #expect(unsafe chmod(file.path, 0o640) == 0)
            let refused = try run(["init", "--rig", "demo"], in: folder)
            #expect(refused.status == 73 && refused.output == "")
            #expect(refused.complaints.contains("rigready.yaml: the file exists; "), "\(refused.complaints)")
            #expect(try text("rigready.yaml", in: folder) == "before")
            let forced = try run(["init", "--rig", "demo", "--force", "--quiet"], in: folder)
            #expect(forced.status == 0 && forced.complaints == "")
            #expect(try configuration(text("rigready.yaml", in: folder)).services == ServiceSet.all)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o640)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["rigready.yaml"])
        }
    }

    @Test func `neither a link nor a folder is taken for a free name`() throws {
        try Tool.withFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "link").path, withDestinationPath: "nowhere")
            try FileManager.default.createDirectory(
                at: folder.appending(path: "folder"), withIntermediateDirectories: false)
            for words in [["link"], ["folder"], ["folder", "--force"], ["no/such/folder/file"]] {
                let run = try run(["init", "--rig", "demo"] + words, in: folder)
                #expect(run.status == 73 && run.complaints.hasPrefix("rigready: \(words[0]): "), "\(run)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["folder", "link"])
        }
    }

    @Test func `the link of another user is not followed`() throws {
        guard geteuid() == 0 else { try Test.cancel("needs root") }
        try Tool.withFolder { folder in
            let (victim, sticky) = (folder.appending(path: "victim"), folder.appending(path: "sticky"))
            try Data("before".utf8).write(to: victim)
            try FileManager.default.createDirectory(at: sticky, withIntermediateDirectories: false)
            let link = sticky.appending(path: "rigready.yaml")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
            #expect(unsafe lchown(link.path, 65534, 65534) == 0)
            #expect(unsafe chmod(sticky.path, 0o1777) == 0)
            let run = try run(["init", "--rig", "demo", "--force"], in: sticky)
            #expect(run.status == 73 && run.complaints.contains("belongs to the user 65534"), "\(run)")
            #expect(try text("victim", in: folder) == "before")
        }
    }

    // MARK: Hostile names

    private static let names = [
        "a\"b", "a'b", "a: b", "a #b", "- a", "&a", "*a", "!a", "{a}", "[a", "a,b", "%a", "@a", "`a`", "\\n", "\\",
        "null",
        "~", "yes", "1.5", " a ", "a\nservices: [places]", "a\r\nb", "a\tb", "\u{0}", "\u{1b}[2J", "\u{7f}", "\u{85}",
        "\u{a0}", "\u{ad}", "\u{34f}", "\u{200e}a", "\u{2028}b", "\u{feff}", "\u{fffe}", "\u{1f4a9}", "é", "e\u{301}",
        "\"\u{301}", "a" + String(repeating: "\u{301}", count: 9), "żółw 🛰",
    ]

    @Test func `a name from a device is read back as it was, and adds no line`() throws {
        let sensors = Self.names.enumerated().map { index, name in
            Sensor(
                key: name, kind: .gyroscope, name: name, driver: "iio", label: index % 2 == 0 ? name : nil,
                availability: index % 3 == 0 ? .unavailable(.silent) : .available)
        }
        let inventory = Inventory(depth: .sample, sensors: sensors)
        for name in Self.names {
            let rig = RigIdentity(
                host: name, kernel: name, boot: name, source: .recording, user: name, uid: 0, takenAt: name)
            let assessment = Assessment(
                inventory, of: rig, authorizations: Authorizations(access: inventory), request: Assessment.Request(.all)
            )
            var options = LocalRig.Options()
            options.pins = [.accelerometer: name]
            let text = StarterConfiguration(
                assessment: assessment, options: options, command: "rigready", hasOtherOptions: false
            ).text
            let read = try configuration(text)
            #expect(read.pins == [.accelerometer: name], "\(name.debugDescription)")
            let running = assessment.services.filter { [.runs, .degraded].contains($0.verdict) }
            #expect(read.services?.members ?? [] == running.map(\.service), "\(name.debugDescription)")
            // A line for each sensor; the pin that was asked for is the only one in use.
            let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
            let pins = lines.filter { $0.hasPrefix("  #gyroscope: ") }
            #expect(pins.count == Self.names.count)
            let keys = try pins.compactMap { try configuration("require:\n  \($0.dropFirst(3))\n").pins[.gyroscope] }
            #expect(Set(keys) == Set(Self.names))
            #expect(lines.allSatisfy { line in !line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f } })
        }
    }
}
