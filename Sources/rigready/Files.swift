import Configuration
import DriverKit
import Glibc
import SystemPackage

/// Files that the call names.
enum Files {
    /// The bytes of a file or pipe; throws a `Failure` that names it and what was expected.
    ///
    /// A pipe's writer may come late, or never: it is waited for, two seconds at most.
    static func read(_ name: String, limit: Int, expecting: String) throws(Failure) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(FilePath(name), .readOnly, options: [.closeOnExec, .nonBlocking])
            defer { try? file.close() }
            let deadline = Instant.now.advanced(bySeconds: 2)
            let isPipe = try Stat(file).type == .fifo
            var bytes: [UInt8] = []
            while bytes.count <= limit {
                let chunk: [UInt8]
                do {
                    chunk = try unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                        count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
                    }
                } catch Errno.wouldBlock {
                    guard Instant.now < deadline else { throw Errno.timedOut }
                    var set = pollfd(fd: file.rawValue, events: CShort(POLLIN), revents: 0)
                    _ = unsafe poll(&set, 1, CInt(max(1, Instant.now.seconds(to: deadline) * 1000)))
                    continue
                }
                if chunk.isEmpty, isPipe, bytes.isEmpty {
                    // Nobody has opened the other end yet.
                    guard Instant.now < deadline else { throw Errno.timedOut }
                    usleep(10_000)
                    continue
                }
                if chunk.isEmpty { return bytes }
                bytes += chunk
            }
        } catch {
            let reason = (error as? Errno)?.clause ?? "\(error)"
            throw Failure(.badFile, "\(name): \(reason); expected \(expecting)")
        }
        throw Failure(.badFile, "\(name): larger than \(limit >> 20) MiB; expected \(expecting)")
    }

    /// Whether something stands at the path, be it readable or not; a link that leads nowhere does, unless it is followed.
    static func exists(_ name: String, following: Bool = false) -> Bool {
        do {
            _ = try Stat(FilePath(name), followTargetSymlink: following)
            return true
        } catch {
            return error != .noSuchFileOrDirectory
        }
    }

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
