internal import CGlibc
internal import Glibc
public import SystemPackage

/// Replaces a file as a whole, or leaves it unchanged.
public enum AtomicFile {
    /// Who may open the file afterwards.
    public enum FileAccess: Sendable {
        /// This mode, also for a file that had another one.
        case only(FilePermissions)
        /// Mode, owner and access list of the file that is replaced, as far as this user may give them; a new file gets
        /// what the umask leaves of this mode.
        case asBefore(new: FilePermissions)
    }

    /// Writes a temporary file in the target's folder, flushes it, and renames it over the target; throws `Errno`.
    ///
    /// The target must not be a link, see `target(of:)`: rename would replace the link. The temporary file has no name
    /// until it is complete, so that a killed writer leaves none, where the file system can do that (O_TMPFILE). On others
    /// writers that exclude each other by a lock use one `mark` in its name, so that they leave one file and not one each.
    /// `prepare` is called before the file has a name; until then only the owner has access. Without `overwrites` an
    /// existing target is left as it is (EEXIST).
    public static func replace(
        _ target: FilePath, with bytes: [UInt8], access: FileAccess = .only([.ownerReadWrite]), mark: String? = nil,
        overwrites: Bool = true, prepare: (FileDescriptor) throws -> Void = { _ in }
    ) throws {
        let folder = target.removingLastComponent()
        let place: FilePath = folder.isEmpty ? "." : folder
        let temporary = place.appending(".\(target.lastComponent?.string ?? "rigready").\(mark ?? "\(getpid())")")
        // One that a killed writer left.
        _ = unsafe unlink(temporary.string)
        let before = try? Stat(target, followTargetSymlink: false)
        let (file, isNamed) = try open(in: place, or: temporary, access, isNew: before == nil)
        do {
            try file.closeAfter {
                _ = try file.writeAll(bytes)
                switch access {
                case .only(let mode): guard fchmod(file.rawValue, mode.rawValue) == 0 else { throw Errno.latest }
                case .asBefore: if let before { try give(file, theAccessOf: target, before) }
                }
                try prepare(file)
                guard fsync(file.rawValue) == 0 else { throw Errno.latest }
                if isNamed { return }
                // Source: open(2), "O_TMPFILE".
                let own = "/proc/self/fd/\(file.rawValue)"
                guard unsafe linkat(AT_FDCWD, own, AT_FDCWD, temporary.string, AT_SYMLINK_FOLLOW) == 0 else {
                    throw Errno.latest
                }
            }
            if overwrites {
                guard unsafe rename(temporary.string, target.string) == 0 else { throw Errno.latest }
            } else {
                try move(temporary, toFree: target)
            }
        } catch {
            _ = unsafe unlink(temporary.string)
            throw error
        }
        // The new name is durable only once its folder is on the disk too. The file is replaced by then, so that a
        // folder which cannot be opened for that is no failure to write.
        let opened = try? FileDescriptor.open(place, .readOnly, options: .closeOnExec)
        try? opened?.closeAfter { _ = opened.map { fsync($0.rawValue) } }
    }

    /// Gives a complete file a name that no other file has; throws EEXIST if one has it.
    private static func move(_ temporary: FilePath, toFree target: FilePath) throws {
        // link(2) never replaces a file, rename(2) does.
        if unsafe link(temporary.string, target.string) == 0 {
            _ = unsafe unlink(temporary.string)
            return
        }
        let failure = Errno.latest
        // File systems without hard links, such as vfat, return EPERM.
        guard failure == .notPermitted else { throw failure }
        if (try? Stat(target, followTargetSymlink: false)) != nil { throw Errno.fileExists }
        guard unsafe rename(temporary.string, target.string) == 0 else { throw Errno.latest }
    }

    /// Opens a file without a name in a folder, or one of that name where that cannot be done.
    private static func open(
        in folder: FilePath, or temporary: FilePath, _ access: FileAccess, isNew: Bool
    ) throws -> (FileDescriptor, isNamed: Bool) {
        var mode: FilePermissions = [.ownerReadWrite]
        if isNew, case .asBefore(let new) = access { mode = new }
        // fcntl-linux.h: __O_TMPFILE, which Glibc's module shows with its extensions only.
        let unnamed = FileDescriptor.OpenOptions(rawValue: 0o20_000_000)
        if unsafe Glibc.access("/proc/self/fd", X_OK) == 0,
            let file = try? FileDescriptor.open(
                folder, .writeOnly, options: [unnamed, .directory, .closeOnExec], permissions: mode)
        {
            return (file, false)
        }
        let file = try FileDescriptor.open(
            temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: mode)
        return (file, true)
    }

    /// Gives a new file the owner, access list and mode of the one that it replaces, and never more access than that.
    private static func give(_ file: FileDescriptor, theAccessOf target: FilePath, _ before: Stat) throws {
        let (owner, group) = (before.userID.rawValue, before.groupID.rawValue)
        let hasGroup = fchown(file.rawValue, owner, group) == 0 || fchown(file.rawValue, .max, group) == 0
        var mode = before.permissions
        // Another group gets no more than everybody.
        if !hasGroup { mode.subtract(FilePermissions(rawValue: ~(mode.rawValue << 3) & 0o070)) }
        // Set-user-ID bits are not for data.
        guard fchmod(file.rawValue, mode.rawValue & 0o777) == 0 else { throw Errno.latest }
        // Source: acl(5); the list's mask is the mode's group, which is why the list follows the mode.
        var entries = [UInt8](repeating: 0, count: 4096)
        let count = unsafe getxattr(target.string, "system.posix_acl_access", &entries, entries.count)
        guard count > 0, hasGroup else { return }
        guard unsafe fsetxattr(file.rawValue, "system.posix_acl_access", entries, count, 0) == 0 else {
            // Without it the mask would be the group's own access.
            guard fchmod(file.rawValue, mode.rawValue & 0o707) == 0 else { throw Errno.latest }
            return
        }
    }

    /// Follows links, to an existing file or not; returns the path itself if it is no link.
    ///
    /// Throws if a link on the way, or the file itself, may be another user's trap: it is in a sticky folder that
    /// everybody may write, such as /tmp, and belongs neither to this user nor to the folder's owner. It is the kernel's
    /// rule for opening, which does not see a link that a program has read, and which a system may have switched off.
    /// Source: proc_sys_fs(5), protected_symlinks, protected_regular and protected_fifos.
    public static func target(of path: FilePath) throws(ForeignFileError) -> FilePath {
        var target = path
        // The kernel's own limit of links.
        for _ in 0..<40 {
            try refuseForeign(target)
            var characters = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = unsafe readlink(target.string, &characters, characters.count - 1)
            guard count > 0 else { break }
            target = target.removingLastComponent().pushing(FilePath(platformString: characters))
        }
        return target
    }

    private static func refuseForeign(_ path: FilePath) throws(ForeignFileError) {
        let folder = path.removingLastComponent()
        guard let present = try? Stat(path, followTargetSymlink: false),
            let place = try? Stat(folder.isEmpty ? "." : folder),
            place.permissions.isSuperset(of: [.saveText, .otherWrite]),
            ![geteuid(), place.userID.rawValue].contains(present.userID.rawValue)
        else { return }
        throw ForeignFileError(path: path, owner: present.userID.rawValue)
    }
}

/// A file or link that another user has put in a folder where everybody may do so; it is neither followed nor replaced.
public struct ForeignFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file or link.
    public let path: FilePath
    /// The number of the user it belongs to.
    public let owner: UInt32

    /// The file, its owner, and what to do.
    public var description: String {
        "\(path) belongs to the user \(owner), in a folder that everybody may write, so it may be a trap (EACCES); "
            + "remove it or choose another folder"
    }
}

extension Errno {
    /// The error of the last system call of this thread.
    fileprivate static var latest: Errno { Errno(rawValue: errno) }
}
