package import Linux
internal import DriverKit
internal import Glibc
package import SystemPackage

/// The contents of a user's file, with a text form that parses to an equal value.
package protocol FileStorable: Sendable, Equatable {
    /// The expected contents in messages, such as "grants in YAML or JSON".
    static var expectation: String { get }
    /// Creates the contents of a missing file.
    init(absent file: String)
    /// Parses the file; throws the place and what was expected.
    init(parsing bytes: [UInt8], file: String) throws(ConfigurationError)
    /// The text of the file.
    var text: String { get }
}

/// The grant file of a user.
package typealias GrantFile = LockedFile<Grants>

extension Grants: FileStorable {
    /// The expected contents of a grant file.
    package static var expectation: String { "grants in YAML or JSON" }
    /// Creates grants without records, with the name of the missing file.
    package init(absent file: String) { self.init(file: file) }
}

extension Policy: FileStorable {
    /// The expected contents of a policy file.
    package static var expectation: String { "a policy in YAML or JSON" }
    /// Creates a policy that allows everything.
    package init(absent file: String) { self.init() }
}

/// A file with a user's decisions: read without a lock, written under one.
///
/// The writers' lock is on a file next to it, since the file itself is replaced at each change. A file that cannot be
/// read is never overwritten.
package struct LockedFile<Record: FileStorable>: Sendable {
    /// The largest file in bytes.
    package static var limit: Int { 1 << 20 }

    /// The path as given by the caller.
    package let path: FilePath

    /// Names a file; nothing is opened.
    package init(_ path: FilePath) { self.path = path }

    /// Reads the record; an empty one if there is no file.
    package func read() throws(DecisionFileError) -> Record { try read(from: path) }

    private func read(from target: FilePath) throws(DecisionFileError) -> Record {
        let bytes: [UInt8]
        do {
            bytes = try BoundedFile.read(target, limit: Self.limit)
        } catch {
            guard error == .noSuchFileOrDirectory else { throw failure(.unreadable(error)) }
            return Record(absent: path.string)
        }
        return try rethrowing(
            as: { (error: ConfigurationError) in failure(.invalid(error)) },
            try Record(parsing: bytes, file: path.string))
    }

    /// Changes the record and returns the result of `change`; waits for another writer up to a number of seconds.
    ///
    /// The file gets mode 0600, its folder is created with 0700. Nothing is written if nothing changes.
    package func update<Result>(
        waiting seconds: Double = 5, _ change: (inout Record) -> Result
    ) throws(DecisionFileError) -> Result {
        let target = try resolved()
        guard let lock = try lock(target, ".lock", waiting: seconds) else { throw failure(.busy) }
        defer { lock.unlock() }
        let before = try read(from: target)
        var record = before
        let result = change(&record)
        guard record != before else { return result }
        let bytes = Array(record.text.utf8)
        // A file too large to be read again is not written.
        guard bytes.count <= Self.limit else { throw failure(.unwritable(.fileTooLarge)) }
        try rethrowing(
            as: { (error: any Error) in failure(.unwritable(error as? Errno ?? .ioError)) },
            try AtomicFile.replace(target, with: bytes, mark: "new"))
        return result
    }

    /// Claims the right to ask the user; nil while another process asks.
    package func claimDialog() throws(DecisionFileError) -> DialogClaim? {
        guard let file = try lock(try resolved(), ".dialog", waiting: 0) else { return nil }
        return DialogClaim(file)
    }

    // MARK: Files

    func failure(_ code: DecisionFileErrorCode) -> DecisionFileError {
        DecisionFileError(code, path: path, expected: Record.expectation)
    }

    /// Follows links, to an existing file or not; creates a missing folder.
    ///
    /// Anything but a regular file is refused: a device or pipe would be replaced by a file.
    private func resolved() throws(DecisionFileError) -> FilePath {
        guard !path.isEmpty else { throw failure(.unwritable(.noSuchFileOrDirectory)) }
        let target = try rethrowing(
            as: { (error: ForeignFileError) in failure(.untrusted(error)) }, try AtomicFile.target(of: path))
        if let present = try? Stat(target, followTargetSymlink: false) {
            guard present.type == .regular else { throw failure(.irregular) }
            return target
        }
        var folder = FilePath(root: target.root)
        for component in target.removingLastComponent().components {
            folder.append(component)
            guard unsafe mkdir(folder.string, 0o700) == 0 || errno == EEXIST || errno == EACCES || errno == EROFS else {
                throw failure(.unwritable(.current))
            }
        }
        return target
    }

    /// Locks a file next to the target; nil if another process still has it locked after some seconds.
    private func lock(
        _ target: FilePath, _ suffix: String, waiting seconds: Double
    ) throws(DecisionFileError) -> FileDescriptor? {
        let file = try rethrowing(
            as: { (error: any Error) in failure(.unwritable(error as? Errno ?? .ioError)) },
            try FileDescriptor.open(
                FilePath(target.string + suffix), .readWrite, options: [.create, .closeOnExec, .noFollow],
                permissions: .init(rawValue: 0o600)))
        let deadline = Instant.now.advanced(bySeconds: seconds)
        while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
            let reason = Errno.current
            let isHeld = reason == .wouldBlock || reason == .interrupted
            guard isHeld, Instant.now < deadline else {
                try? file.close()
                if isHeld { return nil }
                throw failure(.unwritable(reason))
            }
            usleep(2000)
        }
        return file
    }
}

/// The right to ask the user, held until it is released.
package struct DialogClaim: ~Copyable {
    private let file: FileDescriptor
    init(_ file: FileDescriptor) { self.file = file }
    deinit { file.unlock() }
}

extension FileDescriptor {
    /// Releases the lock and closes the file.
    ///
    /// A process that another thread starts has the file as well until it runs its program, and with it the lock:
    /// closing it here would not suffice. Source: flock(2).
    fileprivate func unlock() {
        _ = flock(rawValue, LOCK_UN)
        try? close()
    }
}

/// Why a file of decisions could not be read or changed.
package struct DecisionFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    package let code: DecisionFileErrorCode
    /// The file, as given by the caller.
    package let path: FilePath
    /// The expected contents.
    package let expected: String

    /// Creates an error.
    package init(_ code: DecisionFileErrorCode, path: FilePath, expected: String) {
        self.code = code
        self.path = path
        self.expected = expected
    }

    /// Whether writing failed, and not reading.
    package var isOfWriting: Bool {
        switch code {
        case .unwritable, .untrusted, .busy: true
        case .invalid, .unreadable, .foreign, .irregular: false
        }
    }

    /// The file, the place in it if known, and what was expected.
    package var description: String {
        switch code {
        case .invalid(let error): error.description
        case .unreadable(let errno): "\(path): \(errno.clause); expected \(expected)"
        case .foreign(let place, let owner):
            "\(path): not obeyed, since \(place) belongs to the user \(owner); expected root or this user as its owner"
        case .irregular: "\(path): expected a regular file, found a folder, device or pipe"
        case .unwritable(let errno): "\(path): \(errno.clause)"
        case .untrusted(let error): "\(path): \(error)"
        case .busy: "\(path): another writer has kept it locked for five seconds"
        }
    }
}

/// The kinds of errors of a file of decisions.
package enum DecisionFileErrorCode: Sendable, Equatable {
    /// The contents are not valid.
    case invalid(ConfigurationError)
    /// The file cannot be read.
    case unreadable(Errno)
    /// The file, or its folder, belongs to neither root nor this user.
    case foreign(FilePath, owner: UInt32)
    /// The new file cannot be written; the old one is unchanged.
    case unwritable(Errno)
    /// Another user has put it, or a link on the way to it, in a folder that everybody may write.
    case untrusted(ForeignFileError)
    /// It is not a regular file, so it is not replaced.
    case irregular
    /// Another writer holds the lock.
    case busy
}
