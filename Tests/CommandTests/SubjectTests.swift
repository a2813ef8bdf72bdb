import Foundation
import Glibc
import Support
import Testing

/// `--as-pid`, `--as-unit` and `--as-container` on this machine, as root; the machine of `Tests/Hardware` has the sensors.
@Suite struct SubjectTests {
    private static let isRoot = getuid() == 0

    /// Runs the body beside a process that a command starts, and which then sleeps.
    private func beside(_ words: [String], _ body: (pid_t) throws -> Void) throws {
        let process = try ChildProcess(["/usr/bin/env"] + words + ["sleep", "300"])
        defer { process.kill() }
        let name = "/proc/\(process.identifier)/comm"
        for _ in 0..<500 where (try? String(contentsOfFile: name, encoding: .utf8)) != "sleep\n" { usleep(10_000) }
        try body(process.identifier)
    }

    private func rights(_ words: String...) throws -> (rig: [String: Any], location: [String: Any]) {
        let run = try Program.run(words + ["--format", "json", "--depth", "state"])
        let document = try run.document()
        let all = try #require(document["authorizations"] as? [String: Any])
        return (try #require(document["rig"] as? [String: Any]), try #require(all["location"] as? [String: Any]))
    }

    /// A network of its own, without gpsd, next to a user of the machine's.
    @Test(.waits, .enabled(if: isRoot)) func `gpsd answers a process where it can be reached from`() throws {
        let server = try HostileServer { peer in
            _ = peer.send("{\"class\":\"VERSION\",\"release\":\"3.22\"}\r\n")
            peer.wait()
        }
        try withExtendedLifetime(server) {
            let gpsd = "127.0.0.1:\(server.port)"
            try beside(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]) { process in
                let (rig, location) = try rights("--as-pid", "\(process)", "--gpsd", gpsd)
                #expect(rig["subject"] as? String == "process \(process)")
                #expect((rig["user"] as? [String: Any])?["uid"] as? Int == 65534)
                let evidence = try #require(location["evidence"] as? String)
                #expect(!evidence.contains("ENETUNREACH") && !evidence.contains("ECONNREFUSED"), "\(evidence)")
            }
            try beside(["unshare", "--net"]) { process in
                let (_, location) = try rights("--as-pid", "\(process)", "--gpsd", gpsd)
                #expect(location["status"] as? String == "indeterminate")
                #expect((location["evidence"] as? String)?.contains("ENETUNREACH") == true, "\(location)")
            }
        }
    }

    @Test(
        .enabled(if: isRoot),
        arguments: [
            (["--as-pid", "1073741823"], "there is no such process"),
            (["--as-unit", "no-such"], "no-such.service: the unit does not run, and its sandbox cannot be started: "),
            (["--as-container", "no-such"], "no running container of systemd, Podman, Docker or Kubernetes"),
            (["--as-pid", "1", "--as-unit", "a"], "use one of --as"),
            (["--as-pid", "1", "--as", "root"], "use one of --as"),
            (["--as-pid", "1", "--rig", "demo"], "cannot be used with --rig"), (["--as-pid", "x"], "--as-pid"),
            (["--as-unit", "../etc.service"], "expected the name of a unit"),
            (["--as-container", "../../etc/passwd"], "no running container of systemd"),
        ])
    func `a subject that cannot be entered is an error`(words: [String], reason: String) throws {
        let run = try Program.run(words)
        #expect(run.status == 64 && run.output == "" && run.complaints.contains(reason), "\(run.complaints)")
    }

    @Test(.enabled(if: isRoot)) func `a filter of system calls is taken over`() throws {
        let filter = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "filtered.py").path
        try beside(["python3", filter, "family", "2"]) { process in
            let (_, location) = try rights("--as-pid", "\(process)")
            #expect(location["status"] as? String == "denied", "\(location)")
            #expect((location["evidence"] as? String)?.contains("a filter of system calls forbids this socket") == true)
        }
        // One of another family does not matter to gpsd.
        try beside(["python3", filter, "family", "9"]) { process in
            let (_, location) = try rights("--as-pid", "\(process)", "--gpsd", "127.0.0.1:1")
            #expect((location["evidence"] as? String)?.contains("ECONNREFUSED") == true, "\(location)")
        }
    }

    @Test(.enabled(if: isRoot)) func `a filter that ends the process in its place leaves the rights unknown`() throws {
        let filter = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "filtered.py").path
        try beside(["python3", filter, "sendto"]) { process in
            let (_, location) = try rights("--as-pid", "\(process)")
            #expect(location["status"] as? String == "indeterminate", "\(location)")
            #expect((location["evidence"] as? String)?.contains("cannot take over the filter of system calls") == true)
            // The process goes on, and nobody traces it.
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            #expect(status.contains("State:\tS") && status.contains("TracerPid:\t0\n"), "\(status)")
        }
    }

    @Test(arguments: [
        ["--format", "html"], ["--all-units", "--rig", "demo"], ["--all-units", "--as", "root"],
        ["--all-units", "--cached"],
    ])
    func `the table of units is this machine's`(words: [String]) throws {
        let run = try Program.run(["permissions"] + words)
        #expect(run.status == 64 && run.complaints.contains("--all-units"), "\(run.complaints)")
    }

    @Test(.enabled(if: isRoot)) func `no process is left in the place of the subject`() throws {
        try beside([]) { process in
            #expect(try Program.run("permissions", "--as-pid", "\(process)").status == 0)
            let search = "grep -l -- [-]-subject-child=\(process): /proc/[0-9]*/cmdline 2>/dev/null; true"
            var left = "?"
            // It ends once its parent has.
            for _ in 0..<100 where !left.isEmpty {
                left = try Tool.run("/bin/sh", ["-c", search]).output
                if !left.isEmpty { usleep(50_000) }
            }
            #expect(left == "")
        }
    }
}
