import ConfigurationFiles
import DriverKit
import Glibc
import LocalRig
import Logging
import Permissions
import Readiness
import Rendering
import SystemPackage

/// A watch that runs as a service: publishes its report, notifies its manager, and logs changes.
final class WatchDaemon {
    /// When the next watchdog notification is due.
    private(set) var due = Instant.now
    private let log: Logger
    private let manager = SystemdNotifier.current
    private let keeper: ReportPublisher
    private var isReady = false
    private var latest: Assessment?
    /// Whether the last report could not be written; writing is then retried.
    private var isUnkept = false

    init(keeping file: String) {
        keeper = ReportPublisher(file)
        log = Logger(label: "rigready") { _ in JournalHandler() }
    }

    /// Publishes a change; throws a `CommandFailure` if the first report cannot be written.
    func show(_ change: AssessmentChange) throws(CommandFailure) {
        let assessment = change.assessment
        latest = assessment
        if !isReady {
            try keeper.keep(assessment)
            isReady = true
            manager.notify("READY=1")
        } else {
            keep(assessment)
        }
        log.notice("\(change.summary)")
        manager.notify("STATUS=\(assessment.tallyWords.text)")
        pulse()
    }

    /// Logs a problem that does not stop the service.
    func warn(_ words: String) { log.warning("\(words)") }

    /// Sends the watchdog notification that is due, and retries a failed write.
    func pulse() {
        if let latest, isUnkept || !keeper.confirm() { keep(latest) }
        manager.notify("WATCHDOG=1")
        due = Instant.now.advanced(bySeconds: min(ReportPublisher.pulse, (manager.patience ?? .infinity) / 2))
    }

    /// Notifies the manager that the service ends, and lets the report go: its lock would last as long as a blocked
    /// thread.
    func end() {
        manager.notify("STOPPING=1")
        keeper.letGo()
    }

    private func keep(_ assessment: Assessment) {
        do throws(CommandFailure) {
            try keeper.keep(assessment)
            isUnkept = false
        } catch {
            if !isUnkept { log.error("\(error)") }
            isUnkept = true
            // The report in the file is no longer current.
            keeper.letGo()
        }
    }
}

/// Writes log lines to standard error for the journal: with a priority prefix, without the time, which the journal
/// adds.
///
/// Source: sd-daemon(3), "Logging prefixes".
struct JournalHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let priority =
            switch event.level {
            case .trace, .debug: 7
            case .info: 6
            case .notice: 5
            case .warning: 4
            case .error: 3
            case .critical: 2
            }
        Output.log("<\(priority)>\("\(event.message)".singleLine)\n")
    }
}

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
        let coarse = assessment.withCoarsePositions
        inventory = coarse.inventory
        report = Report(coarse)
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(inventory, forKey: .inventory)
    }
}

/// Notifies the service manager that started this process.
///
/// Source: sd_notify(3), "Notes", whose protocol is stable: a datagram to the socket in `NOTIFY_SOCKET`.
struct SystemdNotifier {
    private let socket: String?
    /// The watchdog timeout in seconds; nil without a watchdog.
    let patience: Double?

    /// The manager that the environment names, if any.
    static var current: SystemdNotifier {
        let isOurs = Environment.value("WATCHDOG_PID").map { $0 == "\(ProbeProcess.identifier)" } ?? true
        let limit = isOurs ? Environment.value("WATCHDOG_USEC").flatMap(UInt64.init) : nil
        return SystemdNotifier(
            socket: Environment.value("NOTIFY_SOCKET"), patience: limit.flatMap { $0 > 0 ? Double($0) / 1e6 : nil })
    }

    /// Sends a state, such as `READY=1`; errors are ignored, since a missing manager is no error of the service.
    func notify(_ state: String) {
        guard let socket, socket.hasPrefix("/") || socket.hasPrefix("@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract socket's name begins with a zero byte instead of the @.
        let name = (socket.hasPrefix("@") ? [0] : [UInt8(ascii: "/")]) + Array(socket.utf8.dropFirst())
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room else { return }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in unsafe place.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - room + name.count)
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(state.utf8)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT), address, length)
            }
        }
    }
}
