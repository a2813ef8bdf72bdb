internal import DriverKit
internal import Glibc
package import SystemPackage

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
    package static func isHeld(_ file: FileDescriptor) throws(Errno) -> Bool {
        var request = request(F_RDLCK)
        guard unsafe fcntl(file.rawValue, getLock, &request) == 0 else { throw .current }
        return request.l_type != Int16(F_UNLCK)
    }
}
