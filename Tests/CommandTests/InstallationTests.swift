import Foundation
import Support
import Testing
@testable import rigready

/// Installation below a folder, the package, and Debian's own checks of it; the bench installs it on a system.
@Suite struct InstallationTests {
    /// The release binary; the scripts would build it, which is not possible during a test run.
    static func binary() throws -> String {
        let path =
            ProcessInfo.processInfo.environment["RIGREADY_BINARY"]
            ?? Tool.repository.appending(path: ".build/release/rigready").path
        if !FileManager.default.isExecutableFile(atPath: path) { try Test.cancel("needs \(path): Scripts/run") }
        return path
    }

    private static func script(
        _ name: String, _ words: [String], _ environment: [String: String] = [:]
    ) throws -> Tool.Run {
        try Tool.run(
            Tool.repository.appending(path: "Scripts/\(name)").path, words,
            environment: environment.merging(["PATH": "/usr/sbin:/usr/bin:/bin", "HOME": "/"]) { $1 }, limit: 300)
    }

    /// The files below a folder, by their paths from it.
    private static func files(below folder: URL) throws -> Set<String> {
        let run = try Tool.run("/usr/bin/find", [folder.path, "!", "-type", "d", "-printf", "/%P %m\n"])
        return Set(run.output.split(separator: "\n").map(String.init))
    }

    @Test(arguments: [("/usr/local", "/usr/local/lib"), ("/usr", "/usr/lib"), ("/opt/rig", "/etc")])
    func `everything that is installed is removed`(prefix: String, system: String) throws {
        let binary = try Self.binary()
        try Tool.withFolder { folder in
            let words = ["--prefix", prefix]
            let root = ["DESTDIR": folder.path]
            let first = try Self.script("install", words + ["--binary", binary], root)
            #expect(first.status == 0, "\(first.complaints)")
            let files = try Self.files(below: folder)
            for file in [
                "\(prefix)/bin/rigready 755", "\(system)/udev/rules.d/70-rigready-iio.rules 644",
                "\(system)/udev/rules.d/70-rigready-gnss.rules 644",
                "\(system)/udev/rules.d/70-rigready-evdev.rules 644", "\(system)/sysusers.d/rigready.conf 644",
                "\(prefix)/share/man/man1/rigready.1.gz 644",
                "\(prefix)/share/bash-completion/completions/rigready 644",
                "\(prefix)/share/fish/vendor_completions.d/rigready.fish 644",
            ] { #expect(files.contains(file), "\(file)") }
            #expect(files.contains { $0.hasSuffix("/_rigready 644") })
            for schema in PublishedSchema.allCases {
                let file = "\(prefix)/share/rigready/schemas/\(schema.rawValue).schema.json"
                #expect(files.contains("\(file) 644"))
                #expect(try String(contentsOf: folder.appending(path: file), encoding: .utf8) == schema.text)
            }
            let second = try Self.script("install", words + ["--binary", binary], root)
            #expect(second.status == 0)
            #expect(second.complaints.split(separator: "\n").count { $0.hasPrefix("unchanged  ") } == files.count)
            #expect(!second.complaints.contains("installed  ") && !second.complaints.contains("replaced  "))
            let gone = try Self.script("uninstall", words, root)
            #expect(gone.status == 0, "\(gone.complaints)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
            #expect(try Self.script("uninstall", words, root).status == 0)
        }
    }

    @Test(arguments: [["--prefix", "usr"], ["--prefix", "/a b"], ["--prefix"], ["--colour"]])
    func `invalid arguments are refused`(words: [String]) throws {
        for name in ["install", "uninstall"] { #expect(try Self.script(name, words).status == 64) }
        for words in [["--revision", "x"], ["--architecture"], ["--architecture", "mips"]] {
            let status = try Self.script("package", words).status
            #expect(status == (words.last == "mips" ? 69 : 64))
        }
        for words in [[], ["mips"], ["arm64", "--colour"]] { #expect(try Self.script("cross", words).status == 64) }
    }

    @Test(.waits) func `the same files give the same package`() throws {
        let binary = try Self.binary()
        _ = try Tool.path("dpkg-shlibdeps", package: "dpkg-dev")
        try Tool.withFolder { folder in
            func package(_ output: String) throws -> URL {
                let run = try Self.script(
                    "package", ["--binary", binary, "--output", folder.appending(path: output).path],
                    ["SOURCE_DATE_EPOCH": "1700000000"])
                #expect(run.status == 0, "\(run.complaints)")
                return URL(filePath: String(try #require(run.output.split(separator: "\n").last)))
            }
            let (one, other) = (try package("one"), try package("other"))
            #expect(try Data(contentsOf: one) == Data(contentsOf: other))
            let fields = try Tool.run("/usr/bin/dpkg-deb", ["-f", one.path]).output
            let version = try Program.run("--version").output.trimmingCharacters(in: .newlines)
            #expect(fields.contains("\nVersion: \(version)-1\n"))
            for library in ["libc6 (>=", "libudev1", "libyaml-0-2", "zlib1g"] {
                #expect(fields.split(separator: "\n").contains { $0.hasPrefix("Depends: ") && $0.contains(library) })
            }
            for package in try Self.openedLibraries().map(Self.debianPackage) {
                #expect(
                    fields.split(separator: "\n").contains { line in
                        (line.hasPrefix("Recommends: ") || line.hasPrefix("Suggests: "))
                            && line.split { " ,".contains($0) }.contains { $0 == package }
                    }, "\(package)")
            }
            let needed = try #require(fields.firstMatch(of: #/libc6 \(>= 2\.(\d+)\)/#)?.1)
            #expect(Int(needed)! <= 35)

            let lintian = try Tool.path("lintian", package: "lintian")
            let opinion = try Tool.run(lintian, ["--allow-root", "--fail-on", "error", one.path])
            #expect(opinion.status == 0, "\(opinion.output)")
            #expect(!opinion.output.contains("E: "), "\(opinion.output)")
            // The check can fail: the package contains a file that no package may contain.
            let damaged = folder.appending(path: "damaged")
            #expect(try Tool.run("/usr/bin/dpkg-deb", ["-R", one.path, damaged.path]).status == 0)
            try FileManager.default.removeItem(at: damaged.appending(path: "usr/share/doc/rigready/copyright"))
            let worse = folder.appending(path: "damaged.deb").path
            #expect(try Tool.run("/usr/bin/dpkg-deb", ["--root-owner-group", "-b", damaged.path, worse]).status == 0)
            #expect(try Tool.run(lintian, ["--allow-root", "--fail-on", "error", worse]).status != 0)
        }
    }

    /// The libraries that the program opens at first use, as the sources name them.
    private static func openedLibraries() throws -> Set<String> {
        var names: Set<String> = []
        for folder in ["Sources", "Drivers"] {
            let root = Tool.repository.appending(path: folder)
            for case let file as URL in try #require(
                FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
            // The board is another package's.
            where file.pathExtension == "swift" && !file.path.contains("/Sources/rigready-web/Board/") {
                let text = try String(contentsOf: file, encoding: .utf8)
                names.formUnion(text.matches(of: #/"(lib[a-z-]+\.so\.\d+)"/#).map { String($0.1) })
            }
        }
        return names
    }

    /// The package of a library, as Debian's policy names it.
    private static func debianPackage(of library: String) -> String { library.replacing(".so.", with: "") }

    @Test func `the libraries that are opened at first use are told of the archive and of the layer`() throws {
        let libraries = try Self.openedLibraries()
        #expect(libraries.isSuperset(of: ["libiio.so.0", "libkmod.so.2", "libsystemd.so.0", "libzstd.so.1"]))
        for file in ["Scripts/installation/tarball/README.md", "Examples/yocto/README.md"] {
            let text = try String(contentsOf: Tool.repository.appending(path: file), encoding: .utf8)
            for library in libraries {
                // OpenEmbedded names some by their recipe.
                let name = library.prefix { $0 != "." }.replacing("-float", with: "")
                #expect(text.contains(name) || text.contains("`\(name.dropFirst(3))`"), "\(library) in \(file)")
            }
        }
    }

    @Test(.waits) func `the archive installs with any shell`() throws {
        let binary = try Self.binary()
        try Tool.withFolder { folder in
            let run = try Self.script("package", ["--tarball", "--binary", binary, "--output", folder.path])
            #expect(run.status == 0, "\(run.complaints)")
            let archive = try #require(run.output.split(separator: "\n").first { $0.hasSuffix(".tar.gz") })
            #expect(try Tool.run("/usr/bin/tar", ["-xzf", String(archive), "-C", folder.path]).status == 0)
            let name = try #require(archive.split(separator: "/").last).dropLast(".tar.gz".count)
            let installer = folder.appending(path: "\(name)/install").path
            let root = folder.appending(path: "root")
            for shell in [["/bin/dash"], [try Tool.path("busybox", package: "busybox-static"), "sh"]] {
                func install(_ words: String...) throws -> Tool.Run {
                    try Tool.run(
                        shell[0], shell.dropFirst() + [installer] + words, environment: ["DESTDIR": root.path])
                }
                for prefix in ["/usr/local", "/usr", "/opt/rig"] {
                    let first = try install("--prefix", prefix)
                    #expect(first.status == 0, "\(first.complaints)")
                    let archived = try Self.files(below: root)
                    #expect(try Tool.run(root.path + "\(prefix)/bin/rigready", ["--version"]).status == 0)
                    let unit = try #require(archived.first { $0.hasSuffix("/rigready.service 644") }).dropLast(4)
                    #expect(
                        try String(contentsOf: root.appending(path: String(unit)), encoding: .utf8)
                            .contains("\nExecStart=\(prefix)/bin/rigready "))
                    #expect(try install("--prefix", prefix, "--remove").status == 0)
                    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == [])
                    // The same files as from the source.
                    let words = ["--prefix", prefix, "--binary", binary]
                    #expect(try Self.script("install", words, ["DESTDIR": root.path]).status == 0)
                    #expect(try Self.files(below: root) == archived)
                    try FileManager.default.removeItem(at: root)
                }
                for words in [["--prefix", "usr"], ["--prefix", "/a b"], ["--prefix"], ["--colour"]] {
                    #expect(try Tool.run(shell[0], shell.dropFirst() + [installer] + words).status == 64)
                }
            }
        }
    }

    @Test func `the changelog begins with the version of the program`() throws {
        let changelog = try String(contentsOf: Tool.repository.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let version = try Program.run("--version").output.trimmingCharacters(in: .newlines)
        let heading = try #require(changelog.split(separator: "\n").first { $0.hasPrefix("## ") })
        #expect(
            heading.wholeMatch(of: #/## ([0-9.]+) - (unreleased|\d{4}-\d{2}-\d{2})/#)?.1 == version[...], "\(heading)")
    }

    @Test func `the program is bound at its start and has no search path of its own`() throws {
        let readelf = try Tool.path("readelf", package: "binutils")
        let run = try Tool.run(readelf, ["--dynamic", "--program-headers", "--wide", Self.binary()])
        #expect(run.output.contains("BIND_NOW") && run.output.contains("PIE") && run.output.contains("GNU_RELRO"))
        #expect(!run.output.contains("RUNPATH") && !run.output.contains("RPATH"))
        let stack = run.output.split(separator: "\n").first { $0.contains("GNU_STACK") }
        #expect(stack?.contains("RWE") == false)
    }

    /// Ubuntu 22.04 and Yocto kirkstone have the C library 2.35.
    @Test func `the program needs no newer libraries than rigs have`() throws {
        let check = Tool.repository.appending(path: "Scripts/installation/check-libraries").path
        let run = try Tool.run(check, [Self.binary()])
        #expect(run.status == 0, "\(run.complaints)")
        #expect(run.output.wholeMatch(of: #/2\.\d+\n/#) != nil)
        // The check can fail: with packed relocations, and with a function of 2.36.
        let compiler = try Tool.path("gcc", package: "gcc")
        for (program, flags, complaint) in [
            ("int one; int *place = &one; int main() { return *place; }", ["-Wl,-z,pack-relative-relocs"], "DT_RELR"),
            ("#include <stdlib.h>\nint main(void) { return arc4random() == 0; }", [], "needs version 2.36"),
        ] {
            try Program.withFile(program, ending: "c") { file in
                let built = try Tool.run(compiler, [file, "-o", file + ".out"] + flags)
                #expect(built.status == 0, "\(built.complaints)")
                let refusal = try Tool.run(check, [file + ".out"])
                #expect(refusal.status == 1 && refusal.complaints.contains(complaint), "\(refusal)")
            }
        }
        #expect(try Tool.run(check, [check]).status == 66)
    }

    @Test func `the program runs on the libraries of the systems that rigs have`() throws {
        let run = try Self.script("systems", ["--binary", Self.binary()])
        if run.status == 69 { try Test.cancel("needs Debian's mirror: \(run.complaints)") }
        #expect(run.status == 0, "\(run.output) \(run.complaints)")
        for line in [
            #/Debian 12, 2\.36: runs/#, #/Debian 13, 2\.41: runs/#, #/Ubuntu 22\.04, 2\.35: loads, .*/#,
            #/Yocto kirkstone, 2\.35: loads, .*/#,
        ] {
            #expect(run.output.split(separator: "\n").contains { $0.wholeMatch(of: line) != nil }, "\(run.output)")
        }
    }

    @Test func `the manual has every command and every option`() throws {
        let manual = Tool.repository.appending(path: "Scripts/installation/manual").path
        let help = try Program.run("--experimental-dump-help").output
        let run = try Tool.run(manual, [], input: help)
        #expect(run.status == 0, "\(run.complaints)")
        let page = run.output.replacing("\\-", with: "-")
        for command in ["check", "watch", "explain", "permissions grant", "record", "compare"] {
            #expect(page.contains("\n.SS \(command)\n"), "\(command)")
        }
        let names = try #require(help.matches(of: #/"name"\s*:\s*"([a-z-]{2,})"/#).map(\.1) as [Substring]?)
        #expect(names.count > 100)
        for name in Set(names) where name != "name" { #expect(page.contains("--\(name)"), "\(name)") }
        for status in ["0", "1", "2", "64", "66", "70", "73"] { #expect(page.contains("\n.TP\n\(status)\n")) }
        let man = try Tool.path("man", package: "man-db")
        let shown = try Tool.run(man, ["--warnings", "-l", "-"], input: run.output)
        #expect(shown.status == 0)
        #expect(shown.complaints == "")
        #expect(shown.output.contains("NAME"))
    }

    /// What a shell offers for the last word of a line, with the script as it is installed.
    private func offered(by shell: String, _ ask: String, _ line: [String]) throws -> [String] {
        let program = try Tool.path(shell, package: shell)
        return try Tool.withFolder { folder in
            let script = try Program.run("--generate-completion-script", shell).output
            try Data(script.utf8).write(to: folder.appending(path: "script"))
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "rigready"), withDestinationURL: Program.url)
            let ask = "export PATH=\"$PWD:$PATH\"; source ./script; \(ask)"
            let words = ["-c", ask] + (shell == "bash" ? ["bash"] + line : line)
            let run = try Tool.run(program, words, in: folder)
            #expect(run.status == 0, "\(run.complaints)")
            return run.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        }
    }

    @Test(arguments: [
        (["--serv"], "--service"), (["--service", "imp"], "impact"), (["check", "--service", "imp"], "impact"),
        (["--rig", "demo", "--sensor", "accelerometer=i2c"], "i2c-0/0-0069"), (["expl"], "explain"),
        (["--strict", "--form"], "--format"), (["explain", "imp"], "impact"),
    ])
    func `bash completes options without a command, and values with a sign`(line: [String], word: String) throws {
        // As bash does: each "=" is a word.
        let words = (["rigready"] + line).joined(separator: " ").replacingOccurrences(of: "=", with: " = ")
        let ask = #"""
            function=$(complete -p rigready | sed 's/.* -F \([^ ]*\) .*/\1/')
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="${*// = /=}" COMP_TYPE=9
            COMP_POINT=${#COMP_LINE}
            $function rigready "${@: -1}" "${@: -2:1}"
            printf '%s\n' "${COMPREPLY[@]}"
            """#
        let offered = try offered(by: "bash", ask, words.split(separator: " ").map(String.init))
        #expect(offered.contains(word), "\(offered)")
    }

    @Test(arguments: [("--serv", "--service"), ("check --serv", "--service"), ("expl", "explain")])
    func `fish completes options without a command`(line: String, word: String) throws {
        let offered = try offered(by: "fish", "complete -C 'rigready \(line)'", [])
        #expect(offered.contains(word), "\(offered)")
    }

    @Test(arguments: [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])])
    func `completions are valid in their shell`(shell: String, words: [String]) throws {
        let program = try Tool.path(shell, package: shell)
        let script = try Program.run("--generate-completion-script", shell).output
        #expect(script.contains("background-location-mandatory"))
        try Program.withFile(script, ending: shell) { file in
            let run = try Tool.run(program, words + [file])
            #expect(run.status == 0, "\(run.complaints)")
        }
    }
}
