public import Configuration
internal import Glibc
public import SystemPackage

/// What a file of a user keeps, as text that reads back equal.
public protocol FileStorable: Sendable, Equatable {
    /// What an absent file holds.
    init(absent file: String)
    /// Reads the file's bytes; throws the place and what was expected.
    init(parsing bytes: [UInt8], file: String) throws(ConfigurationError)
    /// The file's text.
    var text: String { get }
}

/// The grant file of a user.
public typealias GrantFile = LockedFile<Grants>

extension Grants: FileStorable {
    /// No record, which is of the file all the same.
    public init(absent file: String) { self.init(file: file) }
}

extension Policy: FileStorable {
    /// A policy that allows all.
    public init(absent file: String) { self.init() }
}

/// Why a file that keeps a user's decisions could not be read, or a change did not happen.
public enum LockedFileError: Error, Sendable, Equatable {
    /// The file that is there says something else than a record.
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

/// A file that keeps a user's decisions: read without a lock, written under one.
///
/// Writers follow one another by a lock on a file beside it, since the file itself is replaced at each change. What cannot
/// be read is never overwritten.
public struct LockedFile<Record: FileStorable>: Sendable {
    /// Why a change did not happen; not an inner type, whose throwing crashes the optimizer of Swift 6.3.1.
    public typealias Failure = LockedFileError

    /// The largest file in bytes.
    public static var limit: Int { 1 << 20 }

    /// The path as the caller gave it.
    public let path: FilePath

    /// Names a file; nothing is opened.
    public init(_ path: FilePath) { self.path = path }

    /// The record on file; an empty one where there is no file.
    public func read() throws(Failure) -> Record {
        let bytes: [UInt8]
        do {
            bytes = try Self.contents(of: path)
        } catch {
            let errno = error as? Errno ?? .ioError
            guard errno == .noSuchFileOrDirectory else { throw .unreadable(errno) }
            return Record(absent: path.string)
        }
        do {
            return try Record(parsing: bytes, file: path.string)
        } catch {
            throw .invalid(error)
        }
    }

    /// Changes the record on file and returns what `change` does; waits for another writer up to a number of seconds.
    ///
    /// The file gets mode 0600, its folder is made with 0700. Where nothing changes nothing is written.
    public func update<Result>(
        waiting seconds: Double = 5, _ change: (inout Record) -> Result
    ) throws(Failure) -> Result {
        let target = try resolved()
        let lock = try locked(target, seconds)
        // The lock goes with its descriptor.
        defer { try? lock.close() }
        let before = try LockedFile(target).read()
        var record = before
        let result = change(&record)
        guard record != before else { return result }
        let bytes = Array(record.text.utf8)
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

    /// The bytes of a file of decisions, more than allowed where it is too large, of which the parser tells; throws `Errno`.
    package static func contents(of path: FilePath) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        return try file.closeAfter {
            var bytes: [UInt8] = []
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
        if let present = try? Stat(target, followTargetSymlink: false) {
            guard present.type == .regular else { throw .irregular }
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
        let deadline = GrantContext.uptime + seconds
        while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
            let reason = errno
            guard reason == EWOULDBLOCK || reason == EINTR, GrantContext.uptime < deadline else {
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
