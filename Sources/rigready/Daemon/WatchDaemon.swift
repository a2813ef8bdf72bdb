import DriverKit
import LocalRig
import Logging
import Readiness

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
            manager.tell("READY=1")
        } else {
            keep(assessment)
        }
        log.notice("\(change.summary)")
        manager.tell("STATUS=\(assessment.tallyWords.text)")
        pulse()
    }

    /// Logs a problem that does not stop the service.
    func warn(_ words: String) { log.warning("\(words)") }

    /// Sends the watchdog notification that is due, and retries a failed write.
    func pulse() {
        if let latest, isUnkept || !keeper.confirm() { keep(latest) }
        manager.tell("WATCHDOG=1")
        due = Instant.now.advanced(bySeconds: min(ReportPublisher.pulse, (manager.patience ?? .infinity) / 2))
    }

    /// Notifies the manager that the service ends.
    func end() { manager.tell("STOPPING=1") }

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
