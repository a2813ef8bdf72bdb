internal import Glibc
public import SystemPackage

/// A file that is replaced whole, or stays as it was.
public enum AtomicFile {
    /// Writes a temporary file beside the target, flushes it, and renames it over the target; throws `Errno`.
    ///
    /// The target is no link, see `target(of:)`: rename would replace it and not what it leads to. Writers that a lock keeps apart
    /// share one `mark` in the temporary file's name, so that those killed leave one file behind and not one each. What
    /// is to be done with the file before it shows, `prepare` does; it is the owner's alone (0600) until then.
    public static func replace(
        _ target: FilePath, with bytes: [UInt8], mark: String? = nil,
        prepare: (FileDescriptor) throws -> Void = { _ in }
    ) throws {
        let folder = target.removingLastComponent()
        let temporary = folder.appending(".\(target.lastComponent?.string ?? "rigready").\(mark ?? "\(getpid())")")
        // One that a killed writer left behind.
        _ = unsafe unlink(temporary.string)
        let file = try FileDescriptor.open(
            temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: .init(rawValue: 0o600))
        do {
            try file.closeAfter {
                _ = try file.writeAll(bytes)
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
                try prepare(file)
            }
            let status = unsafe rename(temporary.string, target.string)
            guard status == 0 else { throw Errno(rawValue: errno) }
        } catch {
            _ = unsafe unlink(temporary.string)
            throw error
        }
        // The new name lasts only once its folder is on the disk too.
        let place = try FileDescriptor.open(folder.isEmpty ? "." : folder, .readOnly, options: .closeOnExec)
        try place.closeAfter { _ = fsync(place.rawValue) }
    }

    /// Where a link leads to, be there something or not yet; the path itself where it is none.
    public static func target(of path: FilePath) -> FilePath {
        var target = path
        // As many links as the kernel follows.
        for _ in 0..<40 {
            var characters = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = unsafe readlink(target.string, &characters, characters.count - 1)
            guard count > 0 else { break }
            target = target.removingLastComponent().pushing(FilePath(platformString: characters))
        }
        return target
    }
}
