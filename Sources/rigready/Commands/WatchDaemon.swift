import LocalRig
import DriverKit
import Fleet
import Rendering

/// A watch that runs as a service: keeps its report in a file, publishes it to a broker, notifies its manager, and logs
/// changes.
final class WatchDaemon {
    /// When the next watchdog notification is due.
    private(set) var due = Instant.now
    private let manager = SystemdNotifier.current
    /// The file that `--cached` reads, readable by the group (0640), and locked while this process runs.
    private let keeper: KeptFile?
    private let publisher: FleetPublisher?
    private var isReady = false
    private var latest: Assessment?

    /// Creates the service; throws if it cannot publish because of a file of the brokers.
    init(
        keeping file: String?, publishing fleet: (name: RigName, brokers: BrokerConfiguration, isAnnounced: Bool)?
    ) throws(BrokerError) {
        keeper = file.map { KeptFile($0, for: "the report", mode: 0o640, isLocked: true) }
        publisher = try fleet.map { (fleet) throws(BrokerError) in
            try FleetPublisher(
                as: fleet.name, to: fleet.brokers, isAnnounced: fleet.isAnnounced,
                log: { level, line in Self.log(level == .notice ? .notice : .warning, line) })
        }
    }

    /// Hands a change to the publisher, before anything is written to a file: a disk may take a second for that.
    func publish(_ change: AssessmentChange) { publisher?.publish(change.assessment) }

    /// Keeps a change; throws if the first report cannot be written.
    func show(_ change: AssessmentChange) throws {
        let assessment = change.assessment
        latest = assessment
        if !isReady {
            try keeper?.replace(with: Self.document(of: assessment))
            try publisher?.start()
            isReady = true
            manager.notify("READY=1")
        } else {
            keep(assessment)
        }
        Self.log(.notice, change.summary)
        manager.notify("STATUS=\(assessment.tallyWords.text)")
        pulse()
    }

    func warn(_ words: String) { Self.log(.warning, words) }

    /// Sends the watchdog notification that is due, and retries a failed write.
    func pulse() {
        if let latest, keeper?.confirm() == false { keep(latest) }
        publisher?.confirm()
        manager.notify("WATCHDOG=1")
        due = Instant.now.advanced(bySeconds: min(KeptFile.pulse, (manager.patience ?? .infinity) / 2))
    }

    /// Notifies the manager that the service ends, and lets the report go: its lock would last as long as a blocked
    /// thread.
    func end() {
        manager.notify("STOPPING=1")
        publisher?.end(within: 1)
        keeper?.letGo()
    }

    private func keep(_ assessment: Assessment) {
        guard let keeper else { return }
        let isKept = keeper.tryToReplace(with: try Self.document(of: assessment)) { words in
            Self.log(.error, words)
        }
        // The report in the file is no longer current.
        if !isKept { keeper.letGo() }
    }

    /// The report that a running service publishes: `rigready.report/1`, with the whole inventory in addition.
    ///
    /// The key `inventory` is only for `--cached` of the same version; others read the rest. Positions are rounded to
    /// 0.1°, since readers of the file may not be allowed more.
    private static func document(of assessment: Assessment) throws(CommandFailure) -> String {
        let coarse = assessment.withCoarsePositions
        return try Output.document(ExtendedReport(Report(coarse), with: ["inventory": coarse.inventory]))
    }

    /// The priority of a line of the log, which the journal takes from its prefix.
    ///
    /// Source: sd-daemon(3), "Logging prefixes".
    private enum JournalPriority: Int { case error = 3, warning, notice }

    /// Writes a line to standard error for the journal, without the time, which the journal adds.
    private static func log(_ priority: JournalPriority, _ words: String) {
        Output.log("<\(priority.rawValue)>\(words.singleLine)\n")
    }
}
