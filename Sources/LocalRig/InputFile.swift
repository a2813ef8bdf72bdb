internal import DriverKit
internal import Glibc
internal import SystemPackage

/// Files that somebody names: read whole and in bounds.
package enum InputFile {
    /// The bytes of a file or pipe; throws an error that names it and what was expected.
    ///
    /// A pipe's writer is waited for, two seconds at most.
    package static func read(_ name: String, limit: Int, expecting: String) throws(LocalRigError) -> [UInt8] {
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
                    // No writer has opened the other end yet.
                    guard Instant.now < deadline else { throw Errno.timedOut }
                    usleep(10_000)
                    continue
                }
                if chunk.isEmpty { return bytes }
                bytes += chunk
            }
        } catch {
            let reason = (error as? Errno)?.clause ?? "\(error)"
            throw LocalRigError(.unusableFile, "\(name): \(reason); expected \(expecting)")
        }
        throw LocalRigError(.unusableFile, "\(name): larger than \(limit >> 20) MiB; expected \(expecting)")
    }

    /// Whether something exists at the path, readable or not; a dangling link does, unless it is followed.
    package static func exists(_ name: String, following: Bool = false) -> Bool {
        do {
            _ = try Stat(FilePath(name), followTargetSymlink: following)
            return true
        } catch {
            return error != .noSuchFileOrDirectory
        }
    }
}
