internal import Glibc
public import SystemPackage

/// Replaces a file as a whole, or leaves it unchanged.
public enum AtomicFile {
    /// Writes a temporary file next to the target, flushes it, and renames it over the target; throws `Errno`.
    ///
    /// The target must not be a link, see `target(of:)`: rename would replace the link. Writers that exclude each other
    /// by a lock use one `mark` in the temporary file's name, so that killed writers leave one file and not one each.
    /// `prepare` is called before the file is renamed; until then only the owner has access (0600).
    public static func replace(
        _ target: FilePath, with bytes: [UInt8], mark: String? = nil,
        prepare: (FileDescriptor) throws -> Void = { _ in }
    ) throws {
        let folder = target.removingLastComponent()
        let temporary = folder.appending(".\(target.lastComponent?.string ?? "rigready").\(mark ?? "\(getpid())")")
        // One that a killed writer left.
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
        // The new name is durable only once its folder is on the disk too. The file is replaced by then, so that a
        // folder which cannot be opened for that is no failure to write.
        let place = try? FileDescriptor.open(folder.isEmpty ? "." : folder, .readOnly, options: .closeOnExec)
        try? place?.closeAfter { _ = place.map { fsync($0.rawValue) } }
    }

    /// Follows links, to an existing file or not; returns the path itself if it is no link.
    public static func target(of path: FilePath) -> FilePath {
        var target = path
        // The kernel's own limit of links.
        for _ in 0..<40 {
            var characters = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = unsafe readlink(target.string, &characters, characters.count - 1)
            guard count > 0 else { break }
            target = target.removingLastComponent().pushing(FilePath(platformString: characters))
        }
        return target
    }
}
