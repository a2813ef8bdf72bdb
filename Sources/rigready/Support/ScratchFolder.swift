import DriverKit
import FoundationEssentials
import Glibc
import Linux
import SystemPackage

/// A temporary folder that only this user may open.
enum ScratchFolder {
    /// Creates a folder in `TMPDIR`, else in `/tmp`, for the duration of the body, and removes it, also after a signal that
    /// ends this process.
    static func with<Value>(_ body: (FilePath) throws -> Value) throws -> Value {
        let name = "rigready-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        let folder = FilePath(Environment.value("TMPDIR") ?? "/tmp").appending(name)
        // mkdir(2) fails if something has this name, even a link.
        guard unsafe mkdir(folder.string, 0o700) == 0 else {
            throw CommandFailure(.cannotWrite, "\(folder): \(Errno.current.clause)")
        }
        let signals = SignalHandler()
        signals.forward {
            ShellProcess.endRunning(by: SIGTERM)
            discard(folder)
            ProbeProcess.end(128 + (signals.received ?? SIGTERM))
        }
        defer { discard(folder) }
        return try body(folder)
    }

    private static func discard(_ folder: FilePath) { try? FileManager.default.removeItem(atPath: folder.string) }
}
