import DriverKit
import Logging

/// A watch that runs as a service: keeps its report for others, tells its manager that it lives, and logs what changes.
final class WatchService {
    /// When the next sign of life is due.
    private(set) var due = Instant.now
    private let log: Logger
    private let manager = ServiceManager.current
    private let keeper: ReportKeeper
    private var isReady = false
    private var latest: Examination?
    /// Whether the last report could not be written, which is tried again.
    private var isUnkept = false

    init(keeping file: String) {
        keeper = ReportKeeper(file)
        log = Logger(label: "rigready") { _ in JournalHandler() }
    }

    /// Takes in what the watch has found; throws a `Failure` if the first report cannot be written.
    func show(_ examination: Examination, after last: Examination?) throws(Failure) {
        latest = examination
        if !isReady {
            try keeper.keep(examination)
            isReady = true
            manager.tell("READY=1")
        } else {
            keep(examination)
        }
        log.notice("\(last.map { ChangeWords(from: $0, to: examination).words } ?? examination.tally.0)")
        manager.tell("STATUS=\(examination.tally.0)")
        pulse()
    }

    /// Logs what is amiss and does not stop the service.
    func warn(_ words: String) { log.warning("\(words)") }

    /// Gives the sign of life that is due, and tries again what could not be written.
    func pulse() {
        if let latest, isUnkept || !keeper.confirm() { keep(latest) }
        manager.tell("WATCHDOG=1")
        due = Instant.now.advanced(bySeconds: min(ReportKeeper.pulse, (manager.patience ?? .infinity) / 2))
    }

    /// Says that the service ends.
    func end() { manager.tell("STOPPING=1") }

    private func keep(_ examination: Examination) {
        do throws(Failure) {
            try keeper.keep(examination)
            isUnkept = false
        } catch {
            if !isUnkept { log.error("\(error)") }
            isUnkept = true
            // What stands in the file holds no longer.
            keeper.letGo()
        }
    }
}
