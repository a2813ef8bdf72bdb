import Foundation
import Testing

extension Attack {
    /// Runs attacks side by side, and checks what holds for each: it ends in time, in bounds of memory, threads and
    /// descriptors, with a status of the contract; what was attacked is never called absent, and no control character
    /// reaches the output.
    static func withstand(_ attacks: [Attack]) throws {
        let time = try Tool.path("time", package: "time")
        let namespace = try FileBus.namespace(mounting: ["/sys", "/etc/resolv.conf"])
        let usual = try Tool.withFolder { folder in
            let report = folder.appending(path: "memory")
            _ = try Tool.run(time, ["-q", "-f", "%M", "-o", report.path, Program.url.path, "--rig", "demo"])
            let text = try String(contentsOf: report, encoding: .utf8)
            return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        let outcomes = Attack.outcomes(of: attacks, in: namespace, time: time)
        for (attack, result) in zip(attacks, outcomes) {
            let name = Comment(rawValue: "\(attack.name): \(attack.words.joined(separator: " "))")
            guard case .success(let outcome) = result else {
                Issue.record("\(name) \(result)")
                continue
            }
            #expect(outcome.memory - usual <= 64 << 10, "\(name) took \(outcome.memory) KiB, \(usual) usually")
            #expect(outcome.threads <= 64 && outcome.descriptors <= 96, "\(name) held \(outcome)")
            #expect(outcome.run.status <= 2, "\(name) \(outcome.run)")
            let controls = (outcome.run.output + outcome.run.complaints).unicodeScalars.filter(Self.isControl)
            #expect(controls.isEmpty, "\(name) \(controls.map(\.value)) in \(outcome.run.output)")
            if attack.words.contains("json"), attack.words[0] != "sensors" {
                try checkReports(outcome.run, of: attack, name)
            }
        }
        // For the table in Benchmarks/README.md.
        let ended = outcomes.compactMap { try? $0.get() }
        func most(_ held: (Outcome) -> Int) -> Int { ended.map(held).max() ?? 0 }
        print(
            "\(Test.current?.name ?? ""): \(ended.count) attacks, at most \(most(\.memory) - usual) KiB above a usual run,",
            "\(most(\.threads)) threads, \(most(\.descriptors)) descriptors")
    }

    private static func checkReports(_ run: Tool.Run, of attack: Attack, _ name: Comment) throws {
        let texts = attack.words[0] == "watch" ? run.output.split(separator: "\n").map(String.init) : [run.output]
        #expect(!texts.isEmpty, name)
        for text in texts {
            let parsed = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            guard let report = parsed else {
                Issue.record("\(name): no JSON: \(text.prefix(200)) \(run.complaints)")
                continue
            }
            for requirement in report["requirements"] as? [[String: Any]] ?? [] {
                guard let id = requirement["id"] as? String, attack.concerned.contains(id) else { continue }
                let causes = requirement["causes"] as? [String] ?? []
                #expect(
                    !causes.contains("absent") && requirement["cause"] as? String != "absent", "\(name) \(requirement)")
            }
            for sensor in report["sensors"] as? [[String: Any]] ?? [] {
                #expect(sensor["availability"] as? String != "absent", "\(name) \(sensor)")
            }
        }
    }

    /// Whether a terminal may take a character for a command, or show what follows in another order.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0a: false
        case 0...0x1f, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    /// What a terminal, a shell or a parser of reports might take for its own.
    static let evil = "\u{1b}[2J\u{7}\u{9b}31m\u{202e}\u{2028}]]><!--&#27;\"'`$(reboot)\\"

    /// Every format and listing, for what concerns text.
    static func inAllFormats(_ attack: Attack) -> [Attack] {
        let formats = ["json", "text", "junit", "tap"].map { ["check", "--format", $0] }
        let others = [
            ["sensors"], ["sensors", "--format", "json"], ["explain", "driving"], ["record", "-"],
            ["watch", "--for", "1", "--format", "json"],
        ]
        return (formats + others).map { words in
            var attack = attack
            attack.words = words
            return attack
        }
    }
}
