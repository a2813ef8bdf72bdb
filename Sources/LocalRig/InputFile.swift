internal import Linux
internal import DriverKit
internal import Glibc
internal import Readiness
internal import SystemPackage

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

    /// Reads a file with a password, key or token: it must belong to this user or root, and only its owner and its group
    /// may have access.
    package static func readSecret(_ name: String, limit: Int, expecting: String) throws(LocalRigError) -> [UInt8] {
        try checkSecret(name, expecting: expecting)
        return try read(name, limit: limit, expecting: expecting)
    }

    /// Throws if users other than the owner and its group may use a secret, or another user owns it.
    package static func checkSecret(_ name: String, expecting: String) throws(LocalRigError) {
        let status = try rethrowing(
            as: { (error: Errno) in LocalRigError(.unusableFile, "\(name): \(error.clause); expected \(expecting)") },
            try Stat(FilePath(name)))
        guard status.permissions.isDisjoint(with: .otherReadWriteExecute) else {
            let command = ShellWord(name).map { ("chmod o= \($0)" as ShellCommand).line } ?? "chmod o= on it"
            throw LocalRigError(.unusableFile, "\(name): every user may use this secret; \(command), then try again")
        }
        let owner = status.userID.rawValue
        guard [0, geteuid()].contains(owner) else {
            throw LocalRigError(
                .unusableFile, "\(name): this secret belongs to the user \(owner); expected root or this user")
        }
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
