import Configuration
import DriverKit
import Glibc
import SystemPackage

/// Files that the call names.
enum Files {
    /// The bytes of a file or pipe; throws a `Failure` that names it and what was expected.
    ///
    /// A pipe that has no writer yet is waited for, two seconds at most.
    static func read(_ name: String, limit: Int, expecting: String) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try BoundedFile.read(FilePath(name), limit: limit)
        } catch {
            throw Failure(.badFile, "\(name): \(error.clause); expected \(expecting)")
        }
        guard bytes.count <= limit else {
            throw Failure(.badFile, "\(name): larger than \(limit >> 20) MiB; expected \(expecting)")
        }
        return bytes
    }

    /// Whether something stands at the path, be it readable or not; a link that leads nowhere does, unless it is followed.
    static func exists(_ name: String, following: Bool = false) -> Bool {
        var record = stat()
        let status = unsafe following ? stat(name, &record) : lstat(name, &record)
        return status == 0 || Errno.current != .noSuchFileOrDirectory
    }

    /// Writes to a pipe, a terminal or a device, which cannot be replaced; false for a regular file or none.
    private static func pour(_ bytes: [UInt8], into target: FilePath) throws -> Bool {
        var record = stat()
        guard unsafe stat(target.string, &record) == 0, record.st_mode & S_IFMT != S_IFREG else { return false }
        let file = try FileDescriptor.open(target, .writeOnly, options: [.closeOnExec, .nonBlocking])
        try file.closeAfter { _ = try file.writeAll(bytes) }
        return true
    }

    /// Replaces a file whole, or leaves it as it was: a temporary file beside it, flushed, then renamed.
    ///
    /// A link is followed; a device or pipe is written to.
    static func replace(_ name: String, with bytes: [UInt8]) throws(Failure) {
        do {
            // What is no file is written to by its own name: the links of /proc lead to what has none.
            if try pour(bytes, into: FilePath(name)) { return }
            try AtomicFile.replace(AtomicFile.target(of: FilePath(name)), with: bytes)
        } catch {
            throw Failure(.cannotWrite, "\(name): \((error as? Errno)?.clause ?? "\(error)")")
        }
    }
}
