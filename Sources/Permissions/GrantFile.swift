public import Configuration
internal import Glibc
public import SystemPackage

/// The grant file of a user: read without a lock, written under one.
///
/// Writers follow one another by a lock on a file beside it, since the grant file itself is replaced at each change. What
/// cannot be read is never overwritten.
public struct GrantFile: Sendable {
    /// Why a change did not happen.
    public enum Failure: Error, Sendable, Hashable {
        /// The file that is there says something else than grants.
        case invalid(ConfigurationError)
        /// The file that is there cannot be read.
        case unreadable(Errno)
        /// The new file cannot be written; the old one stands.
        case unwritable(Errno)
        /// What is there is no regular file, so it is not replaced.
        case irregular
        /// Another writer kept the lock.
        case busy
    }

    /// The largest grant file in bytes.
    public static let limit = 1 << 20

    /// The path as the caller gave it.
    public let path: FilePath

    /// Names a grant file; nothing is opened.
    public init(_ path: FilePath) { self.path = path }

    /// The grants on file; none where there is no file.
    public func read() throws(Failure) -> Grants {
        let bytes: [UInt8]
        do {
            bytes = try Self.contents(of: path)
        } catch {
            let errno = error as? Errno ?? .ioError
            guard errno == .noSuchFileOrDirectory else { throw .unreadable(errno) }
            return Grants(file: path.string)
        }
        do {
            return try Grants(parsing: bytes, file: path.string)
        } catch {
            throw .invalid(error)
        }
    }

    /// Changes the grants on file and returns what `change` does; waits for another writer up to a number of seconds.
    ///
    /// The file gets mode 0600, its folder is made with 0700. Where nothing changes nothing is written.
    public func update<Result>(
        waiting seconds: Double = 5, _ change: (inout Grants) -> Result
    ) throws(Failure) -> Result {
        let target = try resolved()
        let lock = try locked(target, seconds)
        // The lock goes with its descriptor.
        defer { try? lock.close() }
        let before = try GrantFile(target).read()
        var grants = before
        let result = change(&grants)
        guard grants != before else { return result }
        let bytes = Array(grants.text.utf8)
        // What could not be read again is not written.
        guard bytes.count <= Self.limit else { throw .unwritable(.fileTooLarge) }
        do {
            try AtomicFile.replace(target, with: bytes, mark: "new")
        } catch {
            throw .unwritable(error as? Errno ?? .ioError)
        }
        return result
    }

    /// Claims the right to ask the user; nil while another process asks.
    public func claimDialog() throws(Failure) -> DialogClaim? {
        let target = try resolved()
        let file = try openLock(target, ".dialog")
        if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 { return DialogClaim(file) }
        let reason = errno
        try? file.close()
        guard reason == EWOULDBLOCK else { throw .unwritable(Errno(rawValue: reason)) }
        return nil
    }

    // MARK: The files

    private static func contents(of path: FilePath) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        return try file.closeAfter {
            var bytes: [UInt8] = []
            // One byte more than allowed, so that the parser tells of the size.
            while bytes.count <= limit {
                let chunk = try unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                    count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                if chunk.isEmpty { break }
                bytes += chunk
            }
            return bytes
        }
    }

    /// Where links lead to, be there a file or not yet; the folder is made where it is missing.
    ///
    /// What is no regular file is refused: a device or pipe would be replaced by one.
    private func resolved() throws(Failure) -> FilePath {
        guard !path.isEmpty else { throw .unwritable(.noSuchFileOrDirectory) }
        let target = AtomicFile.target(of: path)
        var record = stat()
        if unsafe lstat(target.string, &record) == 0 {
            guard record.st_mode & S_IFMT == S_IFREG else { throw .irregular }
            return target
        }
        var folder = FilePath(root: target.root)
        for component in target.removingLastComponent().components {
            folder.append(component)
            guard unsafe mkdir(folder.string, 0o700) == 0 || errno == EEXIST || errno == EACCES || errno == EROFS else {
                throw .unwritable(Errno(rawValue: errno))
            }
        }
        return target
    }

    private func openLock(_ target: FilePath, _ suffix: String) throws(Failure) -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                FilePath(target.string + suffix), .readWrite, options: [.create, .closeOnExec, .noFollow],
                permissions: .init(rawValue: 0o600))
        } catch {
            throw .unwritable(error as? Errno ?? .ioError)
        }
    }

    private func locked(_ target: FilePath, _ seconds: Double) throws(Failure) -> FileDescriptor {
        let file = try openLock(target, ".lock")
        let deadline = Circumstances.uptime + seconds
        while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
            let reason = errno
            guard reason == EWOULDBLOCK || reason == EINTR, Circumstances.uptime < deadline else {
                try? file.close()
                throw reason == EWOULDBLOCK || reason == EINTR ? .busy : .unwritable(Errno(rawValue: reason))
            }
            usleep(2000)
        }
        return file
    }
}

/// The right to ask the user, kept until it is let go.
public struct DialogClaim: ~Copyable {
    private let file: FileDescriptor
    init(_ file: FileDescriptor) { self.file = file }
    deinit { try? file.close() }
}
