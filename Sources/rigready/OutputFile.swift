import Configuration
import DriverKit
import Glibc
import SystemPackage

/// Files that a command writes.
enum OutputFile {
    /// Writes to a pipe, a terminal or a device, which cannot be replaced; returns false for a regular file or none.
    private static func pour(_ bytes: [UInt8], into target: FilePath) throws -> Bool {
        guard let present = try? Stat(target), present.type != .regular else { return false }
        let file = try FileDescriptor.open(target, .writeOnly, options: [.closeOnExec, .nonBlocking])
        try file.closeAfter { _ = try file.writeAll(bytes) }
        return true
    }

    /// Replaces a file as a whole, or leaves it unchanged: writes a temporary file next to it, flushes it, then renames
    /// it.
    ///
    /// A link is followed; a device or pipe is written to.
    static func replace(_ name: String, with bytes: [UInt8]) throws(CommandFailure) {
        do {
            // A target that is no regular file is opened by its own name: links in /proc lead to files without one.
            if try pour(bytes, into: FilePath(name)) { return }
            try AtomicFile.replace(AtomicFile.target(of: FilePath(name)), with: bytes)
        } catch {
            throw CommandFailure(.cannotWrite, "\(name): \((error as? Errno)?.clause ?? "\(error)")")
        }
    }
}
