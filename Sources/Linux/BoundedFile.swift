internal import Glibc
public import SystemPackage

/// Reads a file or pipe as a whole, within a bound.
public enum BoundedFile {
    /// Returns the bytes; a few more than `limit` if the file is larger.
    ///
    /// Waits for the writer of a pipe, at most two seconds.
    public static func read(_ path: FilePath, limit: Int) throws(Errno) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter { try read(file, limit) }
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    private static func read(_ file: FileDescriptor, _ limit: Int) throws -> [UInt8] {
        let deadline = ContinuousClock.now + .seconds(2)
        let isPipe = try Stat(file).type == .fifo
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            do {
                let chunk = try unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                    count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                bytes += chunk
                // An empty pipe may not have been opened for writing yet.
                if chunk.isEmpty, !isPipe || !bytes.isEmpty { break }
                if !chunk.isEmpty { continue }
            } catch Errno.wouldBlock {}
            guard ContinuousClock.now < deadline else { throw Errno.timedOut }
            usleep(10_000)
        }
        return bytes
    }
}
