import DriverKit
import Glibc
import SystemPackage

/// Files that the call names.
enum Files {
    /// The bytes of a file or pipe; throws a `Failure` that names it and what was expected.
    ///
    /// A pipe without a writer must not hang the program, so reads wait ten seconds at most.
    static func read(_ name: String, limit: Int, expecting: String) throws(Failure) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(FilePath(name), .readOnly, options: [.closeOnExec, .nonBlocking])
            defer { try? file.close() }
            let deadline = Instant.now.advanced(bySeconds: 10)
            var bytes: [UInt8] = []
            while bytes.count <= limit {
                let chunk: [UInt8]
                do {
                    chunk = try unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                        count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
                    }
                } catch Errno.wouldBlock where Instant.now < deadline {
                    var set = pollfd(fd: file.rawValue, events: CShort(POLLIN), revents: 0)
                    _ = unsafe poll(&set, 1, CInt(max(1, Instant.now.seconds(to: deadline) * 1000)))
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

    /// Whether something stands at the path, be it readable or not.
    static func exists(_ name: String) -> Bool {
        var record = stat()
        return unsafe lstat(name, &record) == 0 || Errno.current != .noSuchFileOrDirectory
    }

    /// Replaces a file whole, or leaves it as it was: a temporary file beside it, flushed, then renamed.
    static func replace(_ name: String, with bytes: [UInt8]) throws(Failure) {
        let target = FilePath(name)
        let folder = target.removingLastComponent()
        let temporary = folder.appending(".\(target.lastComponent?.string ?? "rigready").\(getpid())")
        do {
            let file = try FileDescriptor.open(
                temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .init(rawValue: 0o600))
            do {
                try file.closeAfter {
                    _ = try file.writeAll(bytes)
                    guard fsync(file.rawValue) == 0 else { throw Errno.current }
                }
                let status = unsafe rename(temporary.string, target.string)
                guard status == 0 else { throw Errno.current }
            } catch {
                _ = unsafe unlink(temporary.string)
                throw error
            }
            // The new name lasts only once its folder is on the disk too.
            let place = try FileDescriptor.open(folder.isEmpty ? "." : folder, .readOnly, options: .closeOnExec)
            try place.closeAfter { _ = fsync(place.rawValue) }
        } catch {
            throw Failure(.cannotWrite, "\(name): \((error as? Errno)?.clause ?? "\(error)")")
        }
    }
}
