import LocalRig
import Configuration
import DriverKit
import Glibc
import SystemPackage

/// Writes the file that `--cached` reads: it is replaced as a whole at each change, and locked while the writer runs.
final class ReportPublisher {
    /// Seconds between confirmations of a report: less than half of what `--cached` allows by default.
    static let pulse = 4.0

    private let file: FilePath
    /// The file as last written; closing it, or ending the process, releases the lock.
    private var held: FileDescriptor?

    /// Creates a publisher; writes nothing yet.
    init(_ file: String) { self.file = FilePath(file) }

    deinit { letGo() }

    /// Releases the file: readers see that its writer has ended.
    func letGo() {
        try? held?.close()
        held = nil
    }

    /// Replaces the report, readable by the group (0640); throws a `CommandFailure` that names the file.
    ///
    /// A link is not followed, since others may have created it, and only a regular file is replaced.
    func keep(_ assessment: Assessment) throws(CommandFailure) {
        let text = try Output.document(PublishedReport(assessment))
        if let present = try? Stat(file, followTargetSymlink: false), present.type != .regular {
            throw CommandFailure(.cannotWrite, "\(file): expected a regular file, or none, to keep the report in")
        }
        var next: FileDescriptor?
        do {
            try AtomicFile.replace(file, with: Array(text.utf8)) { temporary in
                // The lock belongs to this very file, so a copy of it, or one left behind, has no writer. It is taken
                // before anyone else can open the file, since a reader's lock would prevent it.
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

    /// Confirms that the report is current: the file's modification time is the time of the last confirmation.
    ///
    /// Returns false if another file, or none, has taken its place, and the report has to be written again.
    func confirm() -> Bool {
        guard let held else { return false }
        guard let mine = try? Stat(held), let present = try? Stat(file, followTargetSymlink: false),
            mine.inode == present.inode, mine.deviceID == present.deviceID
        else { return false }
        return futimens(held.rawValue, nil) == 0
    }
}
