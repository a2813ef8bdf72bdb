import Configuration
import DriverKit
import Glibc
import SystemPackage

/// Files that a command writes.
enum OutputFile {
    /// Writes to a pipe, a terminal or a device, which cannot be replaced; false for a regular file or none.
    private static func pour(_ bytes: [UInt8], into target: FilePath) throws -> Bool {
        guard let present = try? Stat(target), present.type != .regular else { return false }
        let file = try FileDescriptor.open(target, .writeOnly, options: [.closeOnExec, .nonBlocking])
        try file.closeAfter { _ = try file.writeAll(bytes) }
        return true
    }

    /// Replaces a file whole, or leaves it as it was: a temporary file beside it, flushed, then renamed.
    ///
    /// A link is followed; a device or pipe is written to.
    static func replace(_ name: String, with bytes: [UInt8]) throws(CommandFailure) {
        do {
            // What is no file is written to by its own name: the links of /proc lead to what has none.
            if try pour(bytes, into: FilePath(name)) { return }
            try AtomicFile.replace(AtomicFile.target(of: FilePath(name)), with: bytes)
        } catch {
            throw CommandFailure(.cannotWrite, "\(name): \((error as? Errno)?.clause ?? "\(error)")")
        }
    }
}
