import Foundation
import Glibc
import Support
import Synchronization

/// One attack on the program: what its peer or its files do, and the words with which it is run.
struct Attack: Sendable {
    enum Target: Sendable {
        /// What listens for `--gpsd`.
        case gpsd(HostileServer.Script)
        /// What listens for `--iio ip:`, one for each script.
        case iiod([HostileServer.Script])
        /// What makes the folder that is `/sys`.
        case sysfs(@Sendable (URL) throws -> Void)
        /// What answers for names, by UDP; nil for no answer.
        case names(@Sendable ([UInt8]) -> [UInt8]?)
    }

    var name: String
    var target: Target
    var words = ["check", "--format", "json"]

    /// A run under attack, with the most that the process held at a time.
    struct Outcome {
        var run: Tool.Run
        /// KiB, its children included.
        var memory: Int
        var threads = 0
        var descriptors = 0
    }

    /// Seconds that the probe has, and after which the process must have ended on however slow a machine.
    private static let (timeout, limit) = (0.5, 60.0)

    /// The requirements that the attack concerns: none may be called absent for it.
    var concerned: [String] {
        switch target {
        case .gpsd: ["location"]
        case .iiod, .sysfs: ["accelerometer", "gyroscope"]
        case .names: ["location", "accelerometer", "gyroscope"]
        }
    }

    /// Runs attacks side by side; `namespace` mounts over `/sys` and `/etc/resolv.conf`.
    static func outcomes(of attacks: [Attack], in namespace: [String], time: String) -> [Result<Outcome, any Error>] {
        let results = Mutex([Result<Outcome, any Error>?](repeating: nil, count: attacks.count))
        let next = Mutex(0)
        let ended = DispatchGroup()
        for _ in 0..<8 {
            ended.enter()
            detach {
                while let index = next.withLock({ next in
                    defer { next += 1 }
                    return next < attacks.count ? next : nil
                }) {
                    let outcome = Result { try attacks[index].outcome(in: namespace, time: time) }
                    results.withLock { $0[index] = outcome }
                }
                ended.leave()
            }
        }
        ended.wait()
        return results.withLock { $0.compactMap(\.self) }
    }

    /// Runs the program in the folder of its own, where it leaves its files.
    private func outcome(in namespace: [String], time: String) throws -> Outcome {
        try Tool.withFolder { folder in
            let system = folder.appending(path: "sys")
            try FileManager.default.createDirectory(
                at: system.appending(path: "devices"), withIntermediateDirectories: true)
            let resolver = folder.appending(path: "resolv.conf")
            try Data("options timeout:5\n".utf8).write(to: resolver)
            var servers: [HostileServer] = []
            var names: NameServer?
            var peers = ["--gpsd", "127.0.0.1:1"]
            switch target {
            case .gpsd(let script):
                servers = [try HostileServer(script)]
                peers = ["--gpsd", "127.0.0.1:\(servers[0].port)"]
            case .iiod(let scripts):
                servers = try scripts.map(HostileServer.init)
                peers += servers.flatMap { ["--iio", "ip:127.0.0.1:\($0.port)"] }
            case .sysfs(let make): try make(system)
            case .names(let answer):
                let server = try NameServer(answer)
                try Data("nameserver \(server.address)\noptions timeout:5\n".utf8).write(to: resolver)
                names = server
                peers = ["--gpsd", "gpsd.hostile.test:2947", "--iio", "ip:iiod.hostile.test"]
            }
            let report = folder.appending(path: "memory").path
            let measured = [time, "-q", "-f", "%M", "-o", report, Program.url.path]
            var outcome: (threads: Int, descriptors: Int) = (0, 0)
            var arguments = Array(namespace.dropFirst())
            arguments += [system.path, resolver.path] + measured + words
            arguments += ["--timeout", "\(Self.timeout)"] + peers
            let run = try Tool.run(namespace[0], arguments, in: folder, limit: Self.limit) { process in
                for process in Self.descendants(of: process) {
                    guard let holdings = try? Holdings(process) else { continue }
                    outcome.threads = max(outcome.threads, holdings.threads)
                    outcome.descriptors = max(outcome.descriptors, holdings.descriptors)
                }
            }
            withExtendedLifetime((servers, names)) {}
            let memory = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").last ?? ""
            guard let memory = Int(memory) else {
                throw Program.CommandFailure(description: "time: \(memory) \(run.complaints)")
            }
            return Outcome(run: run, memory: memory, threads: outcome.threads, descriptors: outcome.descriptors)
        }
    }

    /// A process's children, theirs, and so on.
    private static func descendants(of process: pid_t) -> [pid_t] {
        let path = "/proc/\(process)/task/\(process)/children"
        let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return children.split(separator: " ").compactMap { pid_t($0) }.flatMap { [$0] + descendants(of: $0) }
    }
}
