import Foundation
import Support
import Testing
@testable import rigready

/// The recipe of `Examples/yocto`: bitbake itself is not to be had here.
@Suite struct YoctoTests {
    private static let layer = Tool.repository.appending(path: "Examples/yocto/meta-rigready")
    private static let recipes = layer.appending(path: "recipes-support/rigready")

    private static func recipe() throws -> URL {
        try #require(
            try FileManager.default.contentsOfDirectory(at: recipes, includingPropertiesForKeys: nil)
                .first { $0.pathExtension == "bb" })
    }

    @Test(arguments: ["kirkstone", "scarthgap"])
    func `the recipe follows the rules of Yocto`(release: String) throws {
        let checker = Tool.repository.appending(path: ".build/oelint/bin/oelint-adv").path
        if !FileManager.default.isExecutableFile(atPath: checker) {
            try Test.cancel("needs \(checker): Scripts/test installs oelint-adv from PyPI")
        }
        func findings(in file: String) throws -> Tool.Run {
            // It would ask the network for the home page.
            try Tool.run(
                checker,
                [
                    "--quiet", "--mode", "all", "--hide", "info", "--suppress", "oelint.vars.homepageping", "--release",
                    release, file,
                ], environment: ["HOME": NSTemporaryDirectory()])
        }
        for file in [try Self.recipe().path, Self.layer.appending(path: "conf/layer.conf").path] {
            let run = try findings(in: file)
            #expect(run.status == 0 && !run.complaints.contains(":error:"), "\(run.output) \(run.complaints)")
            #expect(!(run.output + run.complaints).contains(":warning:"), "\(run.output) \(run.complaints)")
        }
        // The check can fail.
        try Tool.withFolder { folder in
            let damaged = folder.appending(path: "rigready_0.2.0.bb")
            let text = try String(contentsOf: Self.recipe(), encoding: .utf8)
            try Data(text.replacing("LIC_FILES_CHKSUM", with: "LIC_FILES").utf8).write(to: damaged)
            let run = try findings(in: damaged.path)
            #expect(run.status != 0 && (run.output + run.complaints).contains("'LIC_FILES'"), "\(run.complaints)")
        }
    }

    @Test func `the recipe is of this version and of this license`() throws {
        let version = try Program.run("--version").output.trimmingCharacters(in: .newlines)
        #expect(try Self.recipe().lastPathComponent == "rigready_\(version).bb")
        let sums = try Tool.run("/usr/bin/md5sum", [Tool.repository.appending(path: "LICENSE").path]).output
        let text = try String(contentsOf: Self.recipe(), encoding: .utf8)
        #expect(text.contains("LICENSE;md5=\(sums.prefix(32)) "))
    }

    /// The recipe's own step, by a shell, on what `Scripts/package --tarball` makes.
    @Test func `the recipe installs an archive`() throws {
        let text = try String(contentsOf: Self.recipe(), encoding: .utf8)
        let step = try #require(text.firstMatch(of: #/do_install\(\) \{\n(?:.*\n)*?\}\n/#)?.0)
        try Tool.withFolder { folder in
            let run = try Tool.run(
                Tool.repository.appending(path: "Scripts/package").path,
                ["--tarball", "--binary", try InstallationTests.binary(), "--output", folder.path],
                environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "HOME": "/"], limit: 300)
            #expect(run.status == 0, "\(run.complaints)")
            let archive = try #require(run.output.split(separator: "\n").first { $0.hasSuffix(".tar.gz") })
            #expect(try Tool.run("/usr/bin/tar", ["-xzf", String(archive), "-C", folder.path]).status == 0)
            let name = try #require(archive.split(separator: "/").last).dropLast(".tar.gz".count)
            let root = folder.appending(path: "root").path
            let sums = try Tool.run("/usr/bin/md5sum", [folder.appending(path: "\(name)/COPYRIGHT").path]).output
            #expect(text.contains("COPYRIGHT;md5=\(sums.prefix(32))\""))
            let variables = [
                "D": root, "S": folder.appending(path: String(name)).path, "bindir": "/usr/bin",
                "mandir": "/usr/share/man", "datadir": "/usr/share", "nonarch_base_libdir": "/lib",
                "systemd_system_unitdir": "/lib/systemd/system",
            ]
            let done = try Tool.run("/bin/dash", ["-euc", "\(step)do_install"], environment: variables)
            #expect(done.status == 0, "\(done.complaints)")
            let files = try Tool.run("/usr/bin/find", [root, "-type", "f", "-printf", "/%P %m\n"]).output
            let rules = try FileManager.default.contentsOfDirectory(
                atPath: Tool.repository.appending(path: "udev-rules").path
            ).filter { $0.hasSuffix(".rules") }
            #expect(rules.contains("70-rigready-evdev.rules"))
            #expect(
                Set(files.split(separator: "\n").map(String.init))
                    == Set(
                        rules.map { "/lib/udev/rules.d/\($0) 644" } + [
                            "/usr/bin/rigready 755", "/lib/systemd/system/rigready.service 644",
                            "/usr/share/man/man1/rigready.1.gz 644",
                            "/usr/share/bash-completion/completions/rigready 644",
                        ] + PublishedSchema.names.map { "/usr/share/rigready/schemas/\($0).schema.json 644" }))
            #expect(try Tool.run(root + "/usr/bin/rigready", ["--rig", "demo"]).status == 0)
        }
        // The user and the group are those that the other installations make.
        let users = try String(
            contentsOf: Tool.repository.appending(path: "udev-rules/sysusers.d/rigready.conf"), encoding: .utf8)
        for name in users.matches(of: #/(?m)^[gu] (\w+)/#).map(\.1) {
            #expect(text.firstMatch(of: try Regex("(GROUPADD|USERADD)_PARAM.* \(name)\"")) != nil, "\(name)")
        }
    }
}
