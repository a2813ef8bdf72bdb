import LocalRig
import DriverKit
import Logging

/// A watch that runs as a service: keeps its report for others, tells its manager that it lives, and logs what changes.
final class WatchDaemon {
    /// When the next sign of life is due.
    private(set) var due = Instant.now
    private let log: Logger
    private let manager = SystemdNotifier.current
    private let keeper: ReportPublisher
    private var isReady = false
    private var latest: Assessment?
    /// Whether the last report could not be written, which is tried again.
    private var isUnkept = false

    init(keeping file: String) {
        keeper = ReportPublisher(file)
        log = Logger(label: "rigready") { _ in JournalHandler() }
    }

    /// Takes in what the watch has found; throws a `CommandFailure` if the first report cannot be written.
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

    /// Logs what is amiss and does not stop the service.
    func warn(_ words: String) { log.warning("\(words)") }

    /// Gives the sign of life that is due, and tries again what could not be written.
    func pulse() {
        if let latest, isUnkept || !keeper.confirm() { keep(latest) }
        manager.tell("WATCHDOG=1")
        due = Instant.now.advanced(bySeconds: min(ReportPublisher.pulse, (manager.patience ?? .infinity) / 2))
    }

    /// Says that the service ends.
    func end() { manager.tell("STOPPING=1") }

    private func keep(_ assessment: Assessment) {
        do throws(CommandFailure) {
            try keeper.keep(assessment)
            isUnkept = false
        } catch {
            if !isUnkept { log.error("\(error)") }
            isUnkept = true
            // What stands in the file holds no longer.
            keeper.letGo()
        }
    }
}
