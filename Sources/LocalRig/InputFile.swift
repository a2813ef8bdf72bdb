internal import ConfigurationFiles
internal import DriverKit
internal import Glibc
package import SystemPackage

/// Reads files named by the caller, as a whole and in bounds.
package enum InputFile {
    /// Returns the bytes of a file or pipe; throws an error that names it and what was expected.
    ///
    /// Waits for the writer of a pipe, at most two seconds.
    package static func read(_ name: String, limit: Int, expecting: String) throws(LocalRigError) -> [UInt8] {
        let bytes = try rethrowing(
            as: { (error: Errno) in LocalRigError(.unusableFile, "\(name): \(error.clause); expected \(expecting)") },
            try BoundedFile.read(FilePath(name), limit: limit))
        guard bytes.count <= limit else {
            throw LocalRigError(.unusableFile, "\(name): larger than \(limit >> 20) MiB; expected \(expecting)")
        }
        return bytes
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

/// A lock that only a process that may write a file can hold, and that every process that may read it can see.
///
/// It belongs to the open file and ends when that is closed, at the latest with its process. flock(2) would not
/// suffice: readers can take that too, and a writer that has ended would appear to be running. Source: fcntl(2), open
/// file description locks.
package enum WriterLock {
    // The C library declares them only for GNU C; Linux has these numbers on every machine.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

    private static func request(_ kind: Int32) -> flock {
        var request = flock()
        request.l_type = Int16(kind)
        request.l_whence = Int16(SEEK_SET)
        return request
    }

    /// Locks a file that was opened for writing; throws if another process holds it.
    package static func take(_ file: FileDescriptor) throws(Errno) {
        var request = request(F_WRLCK)
        guard unsafe fcntl(file.rawValue, setLock, &request) == 0 else { throw .current }
    }

    /// Whether a process holds the lock of a file.
    package static func isTaken(_ file: FileDescriptor) throws(Errno) -> Bool {
        var request = request(F_RDLCK)
        guard unsafe fcntl(file.rawValue, getLock, &request) == 0 else { throw .current }
        return request.l_type != Int16(F_UNLCK)
    }
}
