import LocalRig
import Configuration
import DriverKit
import Glibc
import SystemPackage

/// The writer of the file that `--cached` reads: replaced whole at each change, and held locked for as long as the writer
/// lives.
final class ReportPublisher {
    /// Seconds after which a report is stale unless confirmed: less than half of what `--cached` allows by default.
    static let pulse = 4.0

    private let file: FilePath
    /// The file as last written; closing it, or dying, ends the lock.
    private var held: FileDescriptor?

    /// Makes a keeper; writes nothing yet.
    init(_ file: String) { self.file = FilePath(file) }

    deinit { letGo() }

    /// Leaves the file to itself: whoever reads it finds its writer gone.
    func letGo() {
        try? held?.close()
        held = nil
    }

    /// Puts a report in the place of the last one, readable by the group (0640); throws a `CommandFailure` that names the file.
    ///
    /// A link is not followed, since others may have laid it, and what is no file is not replaced.
    func keep(_ assessment: Assessment) throws(CommandFailure) {
        let text = try Output.document(PublishedReport(assessment))
        if let present = try? Stat(file, followTargetSymlink: false), present.type != .regular {
            throw CommandFailure(.cannotWrite, "\(file): expected a regular file, or none, to keep the report in")
        }
        var next: FileDescriptor?
        do {
            try AtomicFile.replace(file, with: Array(text.utf8)) { temporary in
                // The lock is on this very file, so a copy of it, or one that was left behind, is nobody's. It is taken
                // before anybody else may open the file, since a reader's lock would keep it from us.
                let copy = try temporary.duplicate()
                next = copy
                try WriterLock.take(copy)
                guard fchmod(temporary.rawValue, 0o640) == 0 else { throw Errno.current }
            }
        } catch {
            try? next?.close()
            throw CommandFailure(.cannotWrite, "\(file): \((error as? Errno)?.clause ?? "\(error)")")
        }
        letGo()
        held = next
    }

    /// Says that the report still holds: the file's time of change is the time of the last word.
    ///
    /// False where another file, or none, has taken its place, and it has to be kept anew.
    func confirm() -> Bool {
        guard let held else { return false }
        guard let mine = try? Stat(held), let present = try? Stat(file, followTargetSymlink: false),
            mine.inode == present.inode, mine.deviceID == present.deviceID
        else { return false }
        return futimens(held.rawValue, nil) == 0
    }
}
