import Foundation
import Testing

/// Tab in real shells, over names that a shell would run if it expanded them.
@Suite struct CompletionTests {
    /// What a shell runs if it expands a word; each makes the file PWNED.
    private static let payloads = [
        "$(touch PWNED)", "`touch PWNED`", "$((a[$(touch PWNED)]))", "${x:=$(touch PWNED)}", "${a[$(touch PWNED)]}",
        ";touch PWNED;", "'$(touch PWNED)'", "\"$(touch PWNED)\"", "(touch PWNED)", "*(e:'touch PWNED':)",
        "|touch PWNED|",
    ]
    private static let shells = ["bash", "zsh", "fish"]

    /// The parser's own function for words in bash.
    private static let expanding = #"""

        __rigready_add_completions() {
            local completion
            while IFS='' read -r completion; do
                COMPREPLY+=("${completion}")
            done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
        }
        """#

    /// A folder with the program and its script for a shell, and one in it where Tab is pressed.
    private func withShell(
        _ shell: String, _ body: (_ script: URL, _ place: URL, _ path: String) throws -> Void
    ) throws {
        try Tool.withFolder { folder in
            let place = folder.appending(path: "place")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "rigready"), withDestinationURL: Program.url)
            let script = folder.appending(path: "script")
            try Data(try Program.run("--generate-completion-script", shell).output.utf8).write(to: script)
            try body(script, place, "\(folder.path):/usr/bin:/bin")
        }
    }

    private func isHit(_ place: URL) -> Bool {
        FileManager.default.fileExists(atPath: place.appending(path: "PWNED").path)
    }

    /// The demo with a part of one sensor's place, and so of its key, replaced.
    private func recording(_ payload: String) throws -> String {
        var rig = try DerivedRig()
        let escaped = String(decoding: try JSONEncoder().encode(payload), as: UTF8.self).dropFirst().dropLast()
        try rig.replace("0-0069", with: String(escaped).replacing("\\/", with: "/"))
        return rig.text
    }

    @Test(arguments: shells) func `names of files and of recordings are completed`(shell: String) throws {
        try withShell(shell) { script, place, path in
            func line(_ line: String) throws -> String {
                try Tool.complete(line, in: shell, sourcing: script, at: place, path: path)
            }
            try Data().write(to: place.appending(path: "harmless.jsonl"))
            #expect(try line("rigready check --rig harm") == "rigready check --rig harmless.jsonl ")
            #expect(try line("rigready check --rig fie") == "rigready check --rig field-kit ")
            let sensor = "rigready check --rig demo --sensor accelerometer=i2c-0/0-00"
            #expect(try line(sensor + "6").hasPrefix(sensor + "69"))
            #expect(try line("rigready check --service imp").hasPrefix("rigready check --service impact"))
        }
    }

    @Test(arguments: shells) func `the name of a file is not run, by Tab or by Return after it`(shell: String) throws {
        try withShell(shell) { script, place, path in
            for (number, payload) in Self.payloads.enumerated() {
                let folder = place.appending(path: "\(number)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                try Data().write(to: folder.appending(path: "a\(payload).jsonl"))
                let line = try Tool.complete(
                    "rigready check --rig a", in: shell, sourcing: script, at: folder, path: path)
                #expect(!isHit(folder), "\(payload)")
                // It was completed, and not left out.
                #expect(line.hasSuffix("jsonl ") || line.hasSuffix("jsonl'") || line.hasSuffix("jsonl' "), "\(line)")
            }
        }
    }

    @Test(arguments: shells) func `the key of a sensor is not run`(shell: String) throws {
        try withShell(shell) { script, place, path in
            for (number, payload) in Self.payloads.enumerated() {
                let folder = place.appending(path: "\(number)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                try Data(try recording("z" + payload).utf8).write(to: folder.appending(path: "rig.jsonl"))
                let line = "rigready check --rig rig.jsonl --sensor accelerometer=i2c-0/z"
                let words = line.split(separator: " ").map(String.init)
                let keys = try Tool.run(
                    Program.url.path, ["---completion", "check", "--", "--sensor", "5", "0"] + words,
                    environment: ["SAP_SHELL": shell], in: folder)
                #expect(keys.output.contains("accelerometer=i2c-0/z"), "\(payload): \(keys)")
                _ = try Tool.complete(line, in: shell, sourcing: script, at: folder, path: path)
                #expect(!isHit(folder), "\(payload)")
            }
        }
    }

    /// The same payloads in a completion that expands its words: without that the tests above would show nothing.
    @Test func `the parser's own script for bash runs a key`() throws {
        try withShell("bash") { script, place, path in
            try Data(try recording("z$(touch PWNED)").utf8).write(to: place.appending(path: "rig.jsonl"))
            try Data((try String(contentsOf: script, encoding: .utf8) + Self.expanding).utf8).write(to: script)
            let line = "rigready check --rig rig.jsonl --sensor accelerometer=i2c-0/z"
            _ = try Tool.complete(line, in: "bash", sourcing: script, at: place, path: path)
            #expect(isHit(place))
        }
    }

    @Test(arguments: [
        ("bash", "_control() { local name; name=$(ls); eval \"COMPREPLY=($name)\"; }; complete -F _control control"),
        ("zsh", "_control() { local -a list; list=(${(e)\"$(ls)\"}); compadd -a list }; compdef _control control"),
        ("fish", "complete -c control -f -a '(eval echo (ls))'"),
    ])
    func `a completion that expands names runs one`(shell: String, control: String) throws {
        try withShell(shell) { script, place, path in
            let payload = shell == "fish" ? "(touch PWNED)" : "$(touch PWNED)"
            try Data().write(to: place.appending(path: "a\(payload)"))
            try Data(control.utf8).write(to: script)
            _ = try? Tool.complete("control a", in: shell, sourcing: script, at: place, path: path)
            #expect(isHit(place))
        }
    }
}
