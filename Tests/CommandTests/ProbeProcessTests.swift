import Foundation
import Glibc
import Support
import Testing

/// The child process in which sensors are read: its signals, its end and what it costs where nothing is read.
///
/// That the command ends while its child sleeps in the kernel is tested on the bench, with a suspended hub.
@Suite struct ProbeProcessTests {
    /// A port of this machine that accepts connections and never answers.
    private func withSilentPeer(_ body: (UInt16) throws -> Void) throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        try #require(isBound)
        try body(UInt16(bigEndian: address.sin_port))
    }

    /// The argument by which the program starts its child; its caller and its descriptors are not those of these tests.
    @Test(arguments: [("", 64), ("x", 64), ("1:2", 64), ("1:2:3:4", 64), ("1:2:x", 64), ("1:2:3", 1), ("-1:-1:-1", 1)])
    func `only the program itself starts its child`(numbers: String, status: Int) throws {
        let run = try Program.run("--probe-child=\(numbers)", "--rig", "demo")
        #expect(run.status == status && run.output.isEmpty, "\(run.output) \(run.complaints)")
    }

    /// A probe that waits a minute for such a peer, and its child.
    private func withWaitingProbe(_ body: (ChildProcess, pid_t) throws -> Void) throws {
        try withSilentPeer { port in
            // A context to read from, since a rig without sensors needs no child.
            let process = try ChildProcess(
                [Program.url.path, "--gpsd", "127.0.0.1:\(port)", "--iio", "ip:127.0.0.1:1", "--timeout", "60"],
                environment: Tool.environment)
            defer { process.kill() }
            let parent = process.identifier
            // It has more than one thread only once it is probing.
            try wait("its child probes") { children(of: parent).contains { threads(of: $0) > 1 } }
            try body(process, children(of: parent)[0])
        }
    }

    private func status(of process: pid_t, _ key: String) -> String? {
        let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix(key + ":") }
        return line?.split(separator: "\t").last.map(String.init)
    }

    private func threads(of process: pid_t) -> Int { status(of: process, "Threads").flatMap { Int($0) } ?? 0 }

    private func children(of parent: pid_t) -> [pid_t] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { pid_t($0) }.filter { status(of: $0, "PPid") == "\(parent)" }
    }

    /// Waits for a state; a minute means that it never comes.
    private func wait(_ state: String, until isReached: () -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: 60)
        while !isReached() {
            guard Date() < deadline else { throw Program.CommandFailure(description: "never: \(state)") }
            usleep(5000)
        }
    }

    @Test(.waits, arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends the command and its child`(signal: CInt) throws {
        try withWaitingProbe { process, child in
            kill(process.identifier, signal)
            try wait("the command ends") { !process.isRunning }
            #expect(process.end == .signal(signal))
            try wait("its child ends") { status(of: child, "Name") != "rigready" }
        }
    }

    /// A command whose caller ignores SIGHUP, as nohup does, takes no note of it: neither it nor its child blocks it,
    /// which is what receiving it takes.
    @Test(.waits, arguments: [["--timeout", "60"], ["watch"], ["measure", "--for", "60"]])
    func `a signal that is ignored stays ignored`(words: [String]) throws {
        try withSilentPeer { port in
            let process = try ChildProcess(
                ["/bin/sh", "-c", #"trap "" HUP; exec "$0" "$@""#, Program.url.path] + words
                    + ["--gpsd", "127.0.0.1:\(port)", "--iio", "ip:127.0.0.1:1"],
                environment: Tool.environment)
            defer { process.kill() }
            let parent = process.identifier
            func has(_ mask: String, _ signal: CInt, of process: pid_t) -> Bool {
                (status(of: process, mask).flatMap { UInt64($0, radix: 16) } ?? 0) >> UInt64(signal - 1) & 1 == 1
            }
            try wait("it waits for signals") { has("SigBlk", SIGTERM, of: parent) }
            try wait("its child probes") { children(of: parent).contains { threads(of: $0) > 1 } }
            for one in [parent] + children(of: parent) {
                #expect(has("SigIgn", SIGHUP, of: one), "\(one)")
            }
            #expect(!has("SigBlk", SIGHUP, of: parent))
            kill(parent, SIGHUP)
            kill(parent, SIGTERM)
            try wait("the command ends") { !process.isRunning }
            if case .signal(let signal) = process.end { #expect(signal == SIGTERM) }
        }
    }

    @Test(.waits) func `the command ends although its child does not`() throws {
        try withWaitingProbe { process, child in
            // A stopped process takes no signal but the one that kills; it stands for one that sleeps in the kernel.
            kill(child, SIGSTOP)
            try wait("its child is stopped") { status(of: child, "State") == "T (stopped)" }
            kill(process.identifier, SIGTERM)
            try wait("the command ends") { !process.isRunning }
            #expect(process.end == .signal(SIGTERM))
            try wait("its child ends") { status(of: child, "Name") != "rigready" }
        }
    }

    @Test func `a killed command takes its child along`() throws {
        try withWaitingProbe { process, child in
            kill(process.identifier, SIGKILL)
            try wait("its child ends") { status(of: child, "Name") != "rigready" }
        }
    }

    @Test func `a check that reads no sample is one process`() throws {
        let strace = try Tool.path("strace", package: "strace")
        func forks(_ words: String...) throws -> Bool {
            let run = try Tool.run(strace, ["-f", "-e", "trace=clone,clone3,fork,vfork", Program.url.path] + words)
            return run.complaints.contains("exit_signal=SIGCHLD") || run.complaints.contains("|SIGCHLD")
                || run.complaints.contains("fork(")
        }
        #expect(try forks("--depth", "sample", "--gpsd", "127.0.0.1:1", "--iio", "ip:127.0.0.1:1"))
        #expect(try !forks("--depth", "state", "--gpsd", "127.0.0.1:1", "--iio", "ip:127.0.0.1:1"))
        // Nothing to read.
        let devices = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/bus/iio/devices")) ?? []
        #expect(try !devices.isEmpty || !forks("--gpsd", "127.0.0.1:1"))
        #expect(try !forks("--rig", "demo"))
    }
}
