import ArgumentParser
import Foundation
import Testing
@testable import rigready

/// Every command that a report, a document or the help prints is one that works as typed.
@Suite struct PrintedCommandTests {
    /// The Debian package of each program that is printed; nil for what the shell itself has.
    ///
    /// Source: the lists of files of Debian 12.
    private static let packages: [String: String?] = [
        "apt-get": "apt", "ausearch": "auditd", "bluetoothctl": "bluez", "btmgmt": "bluez", "cat": "coreutils",
        "cd": nil,
        "chmod": "coreutils", "chown": "coreutils", "cp": "coreutils", "depmod": "kmod", "dmesg": "util-linux",
        "dpkg": "dpkg", "echo": nil,
        "gpsd": "gpsd", "gpsdctl": "gpsd", "grep": "grep", "groupadd": "passwd", "iio_attr": "libiio-utils",
        "iio_info": "libiio-utils", "ip": "iproute2", "readlink": "coreutils", "ss": "iproute2", "install": "coreutils",
        "journalctl": "systemd", "jq": "jq", "ls": "coreutils",
        "mkdir": "coreutils", "mmcli": "modemmanager", "modprobe": "kmod",
        "mount": "mount", "nft": "nftables", "nsenter": "util-linux", "printf": nil,
        "rfkill": "rfkill", "rm": "coreutils", "sed": "sed", "setfacl": "acl", "sg": "login",
        "dbus-daemon": "dbus-daemon", "rc-service": "openrc", "service": "init-system-helpers", "setsid": "util-linux",
        "snap": "snapd", "ssh": "openssh-client",
        "sudo": "sudo", "systemctl": "systemd", "systemd-run": "systemd", "systemd-sysusers": "systemd",
        "tee": "coreutils", "udevadm": "udev",
        "usermod": "passwd",
    ]

    /// Where Debian and the kernel have what commands name by its path.
    ///
    /// Source: Filesystem Hierarchy Standard 3.0; udev(7), "Rules files".
    private static let folders = [
        "/dev/", "/sys", "/run/", "/etc/rigready/", "/etc/sysusers.d/", "/etc/systemd/system/", "/etc/udev/rules.d/",
        "/etc/polkit-1/rules.d/", "/usr/lib/udev/rules.d/", "/tmp/",
    ]

    /// The simple commands of a shell line, each as words without quotes and redirections.
    private static func commands(in line: String) -> [[String]] {
        var commands: [[String]] = [[]]
        var word: String?
        var quote: Character?
        var isEscaped = false
        func end(command: Bool) {
            if let word { commands[commands.count - 1].append(word) }
            word = nil
            if command, commands.last?.isEmpty == false { commands.append([]) }
        }
        scan: for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else {
                switch character {
                case "\\": isEscaped = true
                case "'", "\"":
                    quote = character
                    word = word ?? ""
                case "#" where word == nil: break scan
                case " ": end(command: false)
                case "|", "&", ";": end(command: true)
                default: word = (word ?? "") + String(character)
                }
            }
        }
        end(command: true)
        return commands.filter { !$0.isEmpty }.map { words in
            Array(words.prefix { !$0.hasPrefix(">") && !$0.hasPrefix("2>") && !$0.hasPrefix("<") })
        }
    }

    /// Why a command does not work as typed; nil if it does.
    ///
    /// `isStrict` also requires that each program is known, as it is for remedies.
    private static func fault(in words: [String], isStrict: Bool, packages used: inout Set<String>) -> String? {
        guard let program = words.first else { return nil }
        // A variable that takes what a command prints.
        if let inner = program.firstMatch(of: /^[a-z]+=\$\((.+)$/)?.1 {
            return fault(in: [String(inner)] + words.dropFirst(), isStrict: isStrict, packages: &used)
        }
        if program.hasSuffix("rigready") {
            do {
                _ = try RigReady.parseAsRoot(Array(words.dropFirst()))
                return nil
            } catch {
                return RigReady.exitCode(for: error) == .success ? nil : RigReady.message(for: error)
            }
        }
        let strange = words.first {
            $0.hasPrefix("/") && !$0.hasPrefix("/etc/init.d/") && !folders.contains(where: $0.hasPrefix)
        }
        if isStrict, let strange { return "\(strange) is in no folder that Debian has for it" }
        guard let package = packages[program] else {
            return isStrict ? "\(program) is in no package that the test knows" : nil
        }
        if let package { used.insert(package) }
        let rest = Array(words.dropFirst())
        switch program {
        // A script of a service, which is one of the machine's.
        case "sudo" where rest.first?.hasPrefix("/etc/init.d/") == true: return nil
        case "sudo": return fault(in: rest, isStrict: true, packages: &used)
        case "nsenter":
            return fault(in: Array(rest.drop { $0.hasPrefix("-") || Int($0) != nil }), isStrict: true, packages: &used)
        case "sg", "ssh":
            // The command follows the group and -c, or the host.
            let inner = rest.drop { $0.hasPrefix("-") }.dropFirst().drop { $0 == "-c" }
            return fault(in: Array(inner), isStrict: true, packages: &used)
        case "apt-get":
            if let verb = rest.firstIndex(of: "install") {
                // `cat` stands for a package that the source takes from a value.
                used.formUnion(rest[(verb + 1)...].filter { !$0.hasPrefix("-") && !$0.hasPrefix(".") && $0 != "cat" })
            }
            return nil
        default: return nil
        }
    }

    /// Whether a line is a pattern to be filled in.
    private static func isPattern(_ line: String) -> Bool {
        line.contains(/\b[A-Z]{3,}\b|…|<[a-z]/) || line.contains("[--")
    }

    private static func check(_ lines: [(place: String, line: String)], isStrict: Bool) throws {
        var used: Set<String> = []
        // Parsing a call takes half a second in a debug build.
        var seen: Set<[String]> = []
        for (place, line) in lines {
            for words in commands(in: line) where seen.insert(words).inserted {
                if let fault = fault(in: words, isStrict: isStrict, packages: &used) {
                    Issue.record("\(place): \(line)\n\(fault)")
                }
            }
        }
        // Without package lists apt knows not even itself.
        let apt = "/usr/bin/apt-cache"
        guard FileManager.default.isExecutableFile(atPath: apt), try Tool.run(apt, ["show", "apt"]).status == 0,
            try Tool.run(apt, ["show", "gpsd"]).status == 0
        else { return }
        let known = Set(try Tool.run(apt, ["pkgnames"]).output.split(separator: "\n").map(String.init))
        #expect(used.subtracting(known) == [], "packages that Debian does not have")
    }

    @Test func `the remedies of every recording work as typed`() throws {
        let folder = Tool.repository.appending(path: "Tests/Recordings")
        var lines: [(String, String)] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".json") {
            let data = try Data(contentsOf: folder.appending(path: name))
            let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            for key in ["requirements", "rootCauses"] {
                for item in try #require(report[key] as? [[String: Any]]) {
                    for remedy in try #require(item["remedies"] as? [[String: Any]]) {
                        let text = try #require(remedy["text"] as? String)
                        if let command = remedy["command"] as? String {
                            lines.append((name, command))
                        } else if let said = text.firstMatch(of: /: ((sudo|sg|rigready) .*)$/) {
                            lines.append((name, String(said.1)))
                        }
                    }
                }
            }
        }
        #expect(lines.count > 50)
        try Self.check(lines, isStrict: true)
    }

    @Test func `the commands of every document work as typed`() throws {
        let manager = FileManager.default
        var files = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "udev-rules/README.md"]
        files += try manager.contentsOfDirectory(atPath: Tool.repository.appending(path: "Documentation").path)
            .filter { $0.hasSuffix(".md") }.map { "Documentation/\($0)" }
        files += try manager.contentsOfDirectory(atPath: Tool.repository.appending(path: "Examples").path)
            .map { "Examples/\($0)/README.md" }
            .filter { manager.fileExists(atPath: Tool.repository.appending(path: $0).path) }
        var lines: [(String, String)] = []
        for file in files.sorted() {
            let text = try String(contentsOf: Tool.repository.appending(path: file), encoding: .utf8)
            var isCode = false
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let place = "\(file):\(number + 1)"
                if line.hasPrefix("```") {
                    isCode.toggle()
                } else if isCode || line.hasPrefix("    ") {
                    if let code = line.firstMatch(of: /^ *(?:\$ |# |→ )?((?:sudo |rigready( |$)).*)$/) {
                        lines.append((place, String(code.1)))
                    }
                } else {
                    // Without an option it may be the mere name of a command.
                    for code in line.matches(of: /`((?:sudo|rigready) [^`]*--[^`]*)`/) {
                        lines.append((place, String(code.1)))
                    }
                }
            }
        }
        #expect(lines.count > 50)
        try Self.check(lines.filter { !Self.isPattern($0.1) }, isStrict: false)
    }

    @Test func `the commands of the help work as typed`() throws {
        var lines: [(String, String)] = []
        for command in [[]] + RigReady.configuration.subcommands.map({ [$0._commandName] }) {
            for line in try Program.run(command + ["--help"]).output.split(separator: "\n") {
                // The description follows after two spaces.
                guard let code = line.firstMatch(of: /^ +(rigready.*?)(  |$)/) else { continue }
                lines.append((command.first ?? "rigready", String(code.1)))
            }
        }
        #expect(lines.count > 8)
        try Self.check(lines.filter { !Self.isPattern($0.1) }, isStrict: false)
    }

    /// What no recording shows: every command in the source, with a known word for each value, which may be a command.
    @Test func `the commands of every remedy in the source work as typed`() throws {
        var lines: [(String, String)] = []
        for folder in ["Sources", "Drivers"] {
            let files = FileManager.default.enumerator(
                at: Tool.repository.appending(path: folder), includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift" else { continue }
                let text = try String(contentsOf: file, encoding: .utf8)
                let literal = /"((?:sudo|ssh|sg|echo|iio_attr|iio_info|bluetoothctl|gpsdctl) (?:[^"\\]|\\.)*)"/
                for found in text.matches(of: literal) {
                    let line = String(found.1).replacing(/\\\((?:[^()]|\([^()]*\))*\)/, with: "cat")
                        .replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
                    lines.append((file.lastPathComponent, line))
                }
            }
        }
        #expect(lines.count > 30)
        try Self.check(lines, isStrict: true)
    }

    @Test func `the test finds what does not work`() {
        var used: Set<String> = []
        func fault(_ line: String) -> String? {
            Self.commands(in: line).compactMap { Self.fault(in: $0, isStrict: true, packages: &used) }.first
        }
        #expect(fault("rigready --wait-fix 60    # a comment") == nil)
        #expect(fault("rigready --wait-fixx 60") != nil)
        #expect(fault("rigready permissions grant location --allways") != nil)
        #expect(fault("sudo modprobee bmi160_i2c") != nil)
        #expect(fault("sudo rm /opt/udev/rules.d/70-rigready-iio.rules") != nil)
        #expect(fault("true && sudo modprobe x") != nil)
        #expect(fault("sudo nsenter --target 1 --net rigready --tmeout 3") != nil)
        #expect(fault("sudo apt-get install nosuchpackage && sudo gpsdctl add /dev/ttyACM0") == nil)
        #expect(used.contains("nosuchpackage") && used.contains("gpsd"))
    }

    @Test func `the remedy of an open permission can be typed`() throws {
        try Tool.withFolder { folder in
            let grants = folder.appending(path: "g.yaml").path
            try "location: not-determined\n".write(toFile: grants, atomically: true, encoding: .utf8)
            func remedy(_ words: String...) throws -> String {
                let run = try Program.run(
                    ["--service", "places", "--rig", "demo", "--permissions", grants, "--format", "json"] + words)
                let causes = try #require(try run.document()["rootCauses"] as? [[String: Any]])
                let remedies = try #require(causes.first?["remedies"] as? [[String: Any]])
                return try #require(remedies.first?["command"] as? String)
            }
            // Without a configuration nobody can be asked, since no purpose could be shown.
            #expect(try remedy() == "rigready permissions grant location --always --permissions \(grants)")
            try Program.withFile(RequestCommandTests.purposes) { config in
                let asking = try remedy("--config", config)
                #expect(asking.hasPrefix("rigready permissions request location --always --config \(config)"))
                let words = asking.split(separator: " ").dropFirst().map(String.init)
                let run = try Program.run(words + ["--rig", "demo", "--answer", "allow"])
                #expect(run.status == 0, "\(run.complaints)")
            }
            try "location: not-determined\n".write(toFile: grants, atomically: true, encoding: .utf8)
            let words = try remedy().split(separator: " ").dropFirst().map(String.init)
            #expect(try Program.run(words).status == 0)
            #expect(try Program.run("--service", "places", "--rig", "demo", "--permissions", grants).status == 0)
        }
    }
}
