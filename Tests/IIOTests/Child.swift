import Linux
import DriverKit
import Glibc
import Support
import SystemPackage

/// A process with its own group, whose output goes to a file.
final class Child {
    private let process: pid_t
    private let output: String
    private var status: CInt?

    /// Starts a program by name; nil if it is not installed.
    init?(_ words: [String], environment: [String: String] = [:]) {
        guard let file = try? MockRig.file("") else { return nil }
        output = file

        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_TRUNC, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        unsafe closeInherited(&actions)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETPGROUP))

        var settings: [String] = environment.map { "\($0.key)=\($0.value)" }
        var entry = unsafe environ
        while let setting = unsafe entry.pointee {
            settings.append(unsafe String(cString: setting))
            unsafe entry = entry.advanced(by: 1)
        }
        var started = pid_t()
        let arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = unsafe settings.map { unsafe strdup($0) } + [nil]
        let failure = unsafe posix_spawnp(&started, words[0], &actions, &attributes, arguments, variables)
        unsafe (arguments + variables).forEach { unsafe free($0) }
        process = started
        guard failure == 0 else {
            unsafe unlink(output)
            return nil
        }
    }

    deinit {
        if process > 0 && status == nil {
            kill(-process, SIGKILL)
            waitpid(process, nil, 0)
        }
        unsafe unlink(output)
    }

    /// Suspends or resumes it.
    func halt(_ isHalted: Bool) { kill(-process, isHalted ? SIGSTOP : SIGCONT) }

    /// Its output so far.
    var text: String {
        let world = LiveWorld(drivers: [])
        return String(decoding: (try? world.contents(of: FilePath(output), limit: 64 << 20)) ?? [], as: UTF8.self)
    }

    /// Waits for its end; returns its exit status, or nil if it was still running after that time.
    func end(within seconds: Double) -> CInt? {
        let deadline = Instant.now.advanced(bySeconds: seconds)
        while Instant.now < deadline {
            var raw: CInt = 0
            if unsafe waitpid(process, &raw, WNOHANG) == process {
                status = raw & 0x7f == 0 ? raw >> 8 & 0xff : 128 + (raw & 0x7f)
                return status
            }
            usleep(5000)
        }
        return nil
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
