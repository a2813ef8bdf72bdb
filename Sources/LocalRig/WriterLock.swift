internal import DriverKit
internal import Glibc
package import SystemPackage

/// A lock that only who may write a file can hold, and that everybody who may read it sees.
///
/// It belongs to the open file and ends when that is closed, at the latest with its process. A lock of flock(2) would not do: who
/// may read a file may take that too, and a writer that has ended would seem to live.
/// Source: fcntl(2), open file description locks.
package enum WriterLock {
    // The C library shows them to programs of GNU's C alone; Linux has them by these numbers on every machine.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

    private static func request(_ kind: Int32) -> flock {
        var request = flock()
        request.l_type = Int16(kind)
        request.l_whence = Int16(SEEK_SET)
        return request
    }

    /// Locks a file that was opened for writing; throws where another holds it.
    package static func take(_ file: FileDescriptor) throws(Errno) {
        var request = request(F_WRLCK)
        guard unsafe fcntl(file.rawValue, setLock, &request) == 0 else { throw .current }
    }

    /// Whether somebody holds the lock of a file.
    package static func isTaken(_ file: FileDescriptor) throws(Errno) -> Bool {
        var request = request(F_RDLCK)
        guard unsafe fcntl(file.rawValue, getLock, &request) == 0 else { throw .current }
        return request.l_type != Int16(F_UNLCK)
    }
}
