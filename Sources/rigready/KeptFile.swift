import Linux
import LocalRig
import DriverKit
import Glibc
import SystemPackage

/// A file that a watch keeps current: it is replaced as a whole at each change, and confirmed in between.
///
/// Its modification time is the time of the last confirmation. A link is not followed, since others may have created it,
/// and only a regular file is replaced.
final class KeptFile {
    /// Seconds between confirmations: less than half of the age that `--cached` allows by default.
    static let pulse = 4.0

    private let file: FilePath
    /// What the file is, for the error if something else is in its place.
    private let purpose: String
    private let mode: mode_t
    private let isLocked: Bool
    /// The file as last written; closing it, or ending the process, releases the lock.
    private var held: FileDescriptor?
    private var isFailing = false

    /// Creates a file with access `mode`; `isLocked` has it locked while this process runs, which tells readers so.
    init(_ file: String, for purpose: String, mode: mode_t, isLocked: Bool = false) {
        self.file = FilePath(file)
        self.purpose = purpose
        self.mode = mode
        self.isLocked = isLocked
    }

    deinit { letGo() }

    /// Releases the file: readers see that its writer has ended.
    func letGo() {
        try? held?.close()
        held = nil
    }

    /// Replaces the contents; throws a `CommandFailure` that names the file.
    func replace(with text: String) throws(CommandFailure) {
        if let present = try? Stat(file, followTargetSymlink: false), present.type != .regular {
            throw CommandFailure(.cannotWrite, "\(file): expected a regular file, or none, to keep \(purpose) in")
        }
        var next: FileDescriptor?
        do {
            let access = AtomicFile.FileAccess.only(FilePermissions(rawValue: mode))
            try AtomicFile.replace(file, with: Array(text.utf8), access: access) { temporary in
                // The lock belongs to this very file, so a copy of it, or one left behind, has no writer. It is taken
                // before anyone else can open the file, since a reader's lock would prevent it.
                let copy = try temporary.duplicate()
                next = copy
                if isLocked { try WriterLock.take(copy) }
            }
        } catch {
            try? next?.close()
            throw CommandFailure(.cannotWrite, "\(file): \((error as? Errno)?.clause ?? "\(error)")")
        }
        letGo()
        held = next
    }

    /// Replaces the contents, if it can; `complain` receives why not, once until it can again.
    func tryToReplace(
        with text: @autoclosure () throws(CommandFailure) -> String, _ complain: (String) -> Void
    ) -> Bool {
        do throws(CommandFailure) {
            try replace(with: text())
            isFailing = false
        } catch {
            if !isFailing { complain(error.description) }
            isFailing = true
        }
        return !isFailing
    }

    /// Confirms that the contents are current; false if another file, or none, has taken the place, or if it was released.
    func confirm() -> Bool {
        guard let held, isOurs(held) else { return false }
        return futimens(held.rawValue, nil) == 0
    }

    /// Removes the file, if it is the one that was written.
    func remove() {
        if let held, isOurs(held) { _ = unsafe unlink(file.string) }
        letGo()
    }

    private func isOurs(_ held: FileDescriptor) -> Bool {
        guard let mine = try? Stat(held), let present = try? Stat(file, followTargetSymlink: false) else {
            return false
        }
        return mine.inode == present.inode && mine.deviceID == present.deviceID
    }
}
