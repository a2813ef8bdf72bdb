import Foundation
import Support
import Testing

/// Writers of one grant file that run concurrently, find the disk full, or are killed.
@Suite struct GrantWriterTests {
    private static let header =
        "# What the user allows; rigready permissions writes it. Without a record access alone decides.\n"

    private func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test(.waits) func `two writers lose nothing`() throws {
        try Tool.withFolder { folder in
            // Each changes its own permission a hundred times, and finds its last value after each.
            let loop = """
                for i in $(seq 50); do for word in grant:allowed revoke:denied; do
                  "$0" permissions ${word%:*} $2 --permissions "$1" 2>/dev/null || exit 9
                  grep -qx "$2: ${word#*:}" "$1" || exit 8
                done; done
                """
            let path = folder.appending(path: "g.yaml").path
            let writers = try ["motion", "bluetooth"].map {
                try ChildProcess(["/bin/bash", "-c", loop, Program.url.path, path, $0])
            }
            for writer in writers { #expect(writer.wait(300) == .exit(0)) }
            #expect(try text(of: path) == Self.header + "motion: denied\nbluetooth: denied\n")
        }
    }

    @Test func `a full disk exits with 73 and leaves the old file`() throws {
        try Tool.withFolder { folder in
            let path = folder.appending(path: "g.yaml").path
            let content = "# by hand\nmotion: allowed\n"
            try content.write(toFile: path, atomically: true, encoding: .utf8)
            // A limit of no bytes for files, whose signal is ignored, is a disk without room.
            let call = """
                set -o pipefail
                (trap '' XFSZ; ulimit -f 0; exec "$0" permissions revoke motion --permissions "$1") 2>&1 | cat
                """
            let run = try Tool.run("/bin/bash", ["-c", call, Program.url.path, path])
            #expect(run.status == 73)
            #expect(run.output.contains(path))
            #expect(try text(of: path) == content)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["g.yaml", "g.yaml.lock"])
        }
    }

    @Test func `a folder that cannot be listed is written to`() throws {
        guard geteuid() == 0 else { try Test.cancel("needs root, to become another") }
        let setpriv = try Tool.path("setpriv", package: "util-linux")
        try Tool.withFolder { folder in
            let (copy, shut) = (folder.appending(path: "rigready").path, folder.appending(path: "shut").path)
            try Tool.copy(Program.url, asProgram: URL(filePath: copy))
            try FileManager.default.createDirectory(atPath: shut, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            try #require(unsafe chown(shut, 65534, 65534) == 0 && chmod(shut, 0o300) == 0)
            let path = "\(shut)/g.yaml"
            let run = try Tool.run(
                setpriv,
                ["--reuid=65534", "--regid=65534", "--clear-groups", copy, "permissions", "grant", "motion"]
                    + ["--permissions", path])
            #expect(run.status == 0, "\(run.complaints)")
            #expect(try text(of: path) == Self.header + "motion: allowed\n")
        }
    }

    /// A thousand writers in two lanes, most of them killed near the end of their run, where the file is written.
    @Test(.waits, arguments: [1, 2] as [UInt64])
    func `a killed writer leaves the old state or the new one`(lane: UInt64) throws {
        try Tool.withFolder { folder in
            let path = folder.appending(path: "g.yaml").path
            let states = ["revoke": Self.header + "motion: denied\n", "grant": Self.header + "motion: allowed\n"]
            #expect(try Program.run("permissions", "revoke", "motion", "--permissions", path).status == 0)
            var present = "revoke"
            var delay = 20_000.0
            var (changed, kept, most) = (0, 0, 0)
            var random = SystemRandomNumberGenerator()
            for _ in 0..<500 {
                let next = present == "grant" ? "revoke" : "grant"
                let process = try ChildProcess(
                    [Program.url.path, "permissions", next, "motion", "--permissions", path])
                usleep(UInt32(delay * Double.random(in: 0.8...1.2, using: &random)))
                process.kill()
                let found = try text(of: path)
                if found == states[next] {
                    changed += 1
                    present = next
                    delay = max(200, delay * 0.96)
                } else {
                    try #require(found == states[present], "\(found)")
                    kept += 1
                    delay = min(5_000_000, delay * 1.04)
                }
                most = max(most, try FileManager.default.contentsOfDirectory(atPath: folder.path).count)
            }
            // The file, its lock, and at most one that a killed writer left behind.
            #expect(most <= 3)
            #expect(changed > 0 && kept > 0)
            // The next writer is not blocked by what killed ones have left.
            #expect(try Program.run("permissions", "forget", "--permissions", path).status == 0)
            #expect(try text(of: path) == Self.header)
        }
    }

    @Test(.waits) func `a lock that stays held is reported`() throws {
        try Tool.withFolder { folder in
            let path = folder.appending(path: "g.yaml").path
            let lock = unsafe open(path + ".lock", O_RDWR | O_CREAT, 0o600)
            try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
            defer { close(lock) }
            let run = try Program.run("permissions", "grant", "motion", "--permissions", path)
            #expect(run.status == 73)
            #expect(run.complaints.contains("another writer has kept it locked"))
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}
