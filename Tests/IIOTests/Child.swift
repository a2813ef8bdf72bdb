import Linux
import DriverKit
import Glibc
import Support
import SystemPackage

/// A program whose output is kept.
final class Child {
    private let process: ChildProcess
    private let output: String

    /// Starts a program by name, with more in its environment; nil if it is not installed.
    init?(_ words: [String], environment: [String: String] = [:]) {
        guard let file = try? MockRig.file("") else { return nil }
        output = file
        let assignments = environment.map { "\($0.key)=\($0.value)" }
        let prefix = assignments.isEmpty ? [] : ["env"] + assignments
        do {
            process = try ChildProcess(prefix + words, output: .file(output), errors: .output)
        } catch {
            unsafe unlink(output)
            return nil
        }
    }

    deinit { unsafe unlink(output) }

    /// Suspends or resumes it, with what it started.
    func halt(_ isHalted: Bool) { kill(-process.identifier, isHalted ? SIGSTOP : SIGCONT) }

    /// Its output so far.
    var text: String {
        let world = LiveWorld(drivers: [])
        return String(decoding: (try? world.contents(of: FilePath(output), limit: 64 << 20)) ?? [], as: UTF8.self)
    }

    /// Waits for its end; returns its exit status, or nil if a signal ended it or it still runs after that time.
    func end(within seconds: Double) -> CInt? {
        guard case .exit(let status) = process.wait(seconds) else { return nil }
        return status
    }
}

/// A TCP socket that listens on this machine and never answers.
final class Listener: Sendable {
    let descriptor: CInt
    let port: UInt16

    init?() {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(socket, generic, size) == 0 && listen(socket, 8) == 0
                    && getsockname(socket, generic, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        if !bound {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// A port that nobody listens on any more.
    static var freePort: UInt16 { Listener()?.port ?? 1 }
}
