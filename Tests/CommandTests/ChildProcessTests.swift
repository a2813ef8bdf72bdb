import Foundation
import Support
import Testing

/// The programs that tests run beside themselves.
@Suite struct ChildProcessTests {
    @Test func `an end is noticed beside a program that closes what it inherited`() throws {
        let python = try Tool.path("python3", package: "python3")
        let other = try ChildProcess([python, "-c", "import os, time; os.closerange(3, 100); time.sleep(60)"])
        defer { other.kill() }
        #expect(try ChildProcess(["/bin/sh", "-c", "exit 3"]).wait(20) == .exit(3))
        #expect(other.isRunning)
    }

    @Test func `nothing is inherited but the standard streams`() throws {
        let pipe = Pipe()
        defer { withExtendedLifetime(pipe) {} }
        // The shell's own listing opens one more.
        let run = try Tool.run("/bin/sh", ["-c", "exec ls /proc/self/fd"])
        #expect(run.output == "0\n1\n2\n3\n")
    }

    @Test func `no signal is blocked or ignored`() throws {
        var (signals, before) = (sigset_t(), sigset_t())
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_SETMASK, &signals, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        let run = try Tool.run("/bin/grep", ["-E", "Sig(Blk|Ign)", "/proc/self/status"])
        // The C library has the two after the 31 for itself.
        let masks = run.output.split(separator: "\n").map { UInt64($0.suffix(16), radix: 16).map { $0 & 0x7fff_ffff } }
        #expect(masks == [0, 0])
    }

    @Test func `a signal that ends it is told, and what it started ends with it`() throws {
        try Tool.withFolder { folder in
            let file = folder.appending(path: "number")
            let shell = try ChildProcess(["/bin/sh", "-c", "sleep 60 & echo $! >\(file.path); wait"])
            func number() -> pid_t? {
                (try? String(contentsOf: file, encoding: .utf8)).flatMap { pid_t($0.dropLast()) }
            }
            try MessageBus.wait { number() != nil }
            let started = try #require(number())
            shell.kill()
            #expect(shell.end == .signal(SIGKILL))
            // A zombie until its new parent reads its status.
            try MessageBus.wait {
                let status = try? String(contentsOfFile: "/proc/\(started)/stat", encoding: .utf8)
                return status?.contains(") Z ") ?? true
            }
        }
    }

    @Test func `one that cannot be started is an error`() {
        #expect(throws: ChildProcess.NotStarted.self) { try ChildProcess(["/nonexistent"]) }
    }
}
