import Configuration
import DriverKit
import Glibc
import LocalRig
import Permissions
import Readiness
import Rendering
import SystemPackage

/// Writes the file that `--cached` reads: it is replaced as a whole at each change, and locked while the writer runs.
final class ReportPublisher {
    /// Seconds between confirmations of a report: less than half of what `--cached` allows by default.
    static let pulse = 4.0

    private let file: FilePath
    /// The file as last written; closing it, or ending the process, releases the lock.
    private var held: FileDescriptor?

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

/// The report that a running service publishes: `rigready.report/1`, with the whole inventory in addition.
///
/// The key `inventory` is only for `--cached` of the same version; others read the rest.
struct PublishedReport: Encodable {
    let report: Report
    let inventory: Inventory

    private enum Key: String, CodingKey { case inventory }

    /// Creates the report of an assessment, with positions rounded to 0.1°: readers of the file may not be allowed
    /// more.
    init(_ assessment: Assessment) {
        var coarse = assessment.authorizations
        coarse.accuracy.status = .reducedAccuracy
        inventory = assessment.inventory.narrowed(to: coarse)
        var report = Report(assessment)
        report.sensors = inventory.sensors.map(SensorLine.init)
        self.report = report
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(inventory, forKey: .inventory)
    }
}
