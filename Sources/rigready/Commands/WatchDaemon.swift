import ConfigurationFiles
import DriverKit
import Fleet
import Glibc
import LocalRig
import Logging
import Permissions
import Readiness
import Rendering
import SystemPackage

/// A watch that runs as a service: keeps its report in a file, publishes it to a broker, notifies its manager, and logs
/// changes.
final class WatchDaemon {
    /// When the next watchdog notification is due.
    private(set) var due = Instant.now
    private let log: Logger
    private let manager = SystemdNotifier.current
    private let keeper: ReportPublisher?
    private let publisher: FleetPublisher?
    private var isReady = false
    private var latest: Assessment?
    /// Whether the last report could not be written; writing is then retried.
    private var isUnkept = false

    /// Creates the service; throws a `CommandFailure` if it cannot publish because of a file of the brokers.
    init(
        keeping file: String?, publishing fleet: (name: RigName, brokers: BrokerConfiguration, isAnnounced: Bool)?
    ) throws(CommandFailure) {
        keeper = file.map(ReportPublisher.init)
        let log = Logger(label: "rigready") { _ in JournalHandler() }
        self.log = log
        do throws(BrokerError) {
            publisher = try fleet.map { (fleet) throws(BrokerError) in
                try FleetPublisher(
                    as: fleet.name, to: fleet.brokers, isAnnounced: fleet.isAnnounced,
                    log: { level, line in log.log(level: level == .notice ? .notice : .warning, "\(line)") })
            }
        } catch {
            throw CommandFailure(error.code == .unusableFile ? .badFile : .software, "\(error)")
        }
    }

    /// Hands a change to the publisher, before anything is written to a file: a disk may take a second for that.
    func publish(_ change: AssessmentChange) { publisher?.publish(change.assessment) }

    /// Keeps a change; throws a `CommandFailure` if the first report cannot be written.
    func show(_ change: AssessmentChange) throws(CommandFailure) {
        let assessment = change.assessment
        latest = assessment
        if !isReady {
            try keeper?.keep(assessment)
            do throws(BrokerError) {
                try publisher?.start()
            } catch {
                throw CommandFailure(.software, "\(error)")
            }
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

    /// Says that no change is noticed until the next pulse.
    func pause() { publisher?.pause() }

    /// Sends the watchdog notification that is due, and retries a failed write.
    func pulse() {
        pause()
        if let latest, let keeper, isUnkept || !keeper.confirm() { keep(latest) }
        publisher?.confirm()
        manager.notify("WATCHDOG=1")
        due = Instant.now.advanced(bySeconds: min(ReportPublisher.pulse, (manager.patience ?? .infinity) / 2))
    }

    /// Notifies the manager that the service ends, and lets the report go: its lock would last as long as a blocked
    /// thread.
    func end() {
        manager.notify("STOPPING=1")
        publisher?.end(within: 1)
        keeper?.letGo()
    }

    private func keep(_ assessment: Assessment) {
        do throws(CommandFailure) {
            try keeper?.keep(assessment)
            isUnkept = false
        } catch {
            if !isUnkept { log.error("\(error)") }
            isUnkept = true
            // The report in the file is no longer current.
            keeper?.letGo()
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

    private let file: KeptFile

    init(_ file: String) {
        self.file = KeptFile(file, for: "the report", mode: 0o640, isLocked: true)
    }

    /// Releases the file: readers see that its writer has ended.
    func letGo() { file.letGo() }

    /// Replaces the report, readable by the group (0640); throws a `CommandFailure` that names the file.
    func keep(_ assessment: Assessment) throws(CommandFailure) {
        try file.replace(with: Output.document(PublishedReport(assessment)))
    }

    /// Confirms that the report is current.
    ///
    /// Returns false if another file, or none, has taken its place, and the report has to be written again.
    func confirm() -> Bool { file.confirm() }
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
