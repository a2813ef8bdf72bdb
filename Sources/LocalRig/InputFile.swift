internal import Configuration
internal import DriverKit
internal import SystemPackage

/// Reads files named by the caller, as a whole and in bounds.
package enum InputFile {
    /// Returns the bytes of a file or pipe; throws an error that names it and what was expected.
    ///
    /// Waits for the writer of a pipe, at most two seconds.
    package static func read(_ name: String, limit: Int, expecting: String) throws(LocalRigError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try BoundedFile.read(FilePath(name), limit: limit)
        } catch {
            throw LocalRigError(.unusableFile, "\(name): \(error.clause); expected \(expecting)")
        }
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
