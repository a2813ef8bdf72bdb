import DriverKit
import LocalRig
import Readiness
import Rendering

/// The files beside the report that a watch keeps: metrics, and the history of the requirements.
final class WatchFiles {
    private let metrics: MetricsFile?
    private let history: HistoryFile?
    private let complain: (String) -> Void

    /// Reads what an earlier watch left in the files that are named.
    ///
    /// `complain` receives a line for what does not stop the watch: a history that is damaged, a file that cannot be
    /// written any more.
    init(metrics: String?, history: String?, complain: @escaping (String) -> Void) {
        self.metrics = metrics.map(MetricsFile.init)
        self.history = history.map { HistoryFile($0, complain: complain) }
        self.complain = complain
    }

    /// When `pulse` is due; nil if there are no files.
    var due: Instant? {
        [metrics?.due, history?.due].compactMap(\.self).min()
    }

    /// Writes a change; throws a `CommandFailure` if a file cannot be written the first time.
    func show(_ change: AssessmentChange) throws(CommandFailure) {
        try metrics?.show(change, complain)
        try history?.show(change, complain)
    }

    /// Confirms and writes what is due.
    func pulse() {
        metrics?.pulse(complain)
        history?.pulse(complain)
    }

    /// Removes the metrics, which nobody keeps current any more, and writes what the history has not written yet.
    func end() {
        metrics?.end()
        history?.end(complain)
    }
}

/// Metrics in a file for node_exporter's textfile collector, readable by everyone (0644).
final class MetricsFile {
    private(set) var due = Instant.now
    private let file: KeptFile
    private var latest: Assessment?
    private var changes = 0
    /// Whether the last text could not be written; writing is then retried.
    private var isUnkept = false

    init(_ file: String) { self.file = Self.file(file) }

    private static func file(_ name: String) -> KeptFile { KeptFile(name, for: "metrics", mode: 0o644) }

    /// Writes the metrics of a single check.
    static func write(_ name: String, _ assessment: Assessment) throws(CommandFailure) {
        try file(name).replace(with: PrometheusMetrics(assessment).text)
    }

    func show(_ change: AssessmentChange, _ complain: (String) -> Void) throws(CommandFailure) {
        let isFirst = latest == nil
        latest = change.assessment
        if isFirst {
            try file.replace(with: PrometheusMetrics(change.assessment, changes: changes).text)
        } else {
            changes += 1
            keep(change.assessment, complain)
        }
        due = Instant.now.advanced(bySeconds: ReportPublisher.pulse)
    }

    func pulse(_ complain: (String) -> Void) {
        guard Instant.now >= due else { return }
        if let latest, isUnkept || !file.confirm() { keep(latest, complain) }
        due = Instant.now.advanced(bySeconds: ReportPublisher.pulse)
    }

    func end() { file.remove() }

    private func keep(_ assessment: Assessment, _ complain: (String) -> Void) {
        do throws(CommandFailure) {
            try file.replace(with: PrometheusMetrics(assessment, changes: changes).text)
            isUnkept = false
        } catch {
            if !isUnkept { complain(error.description) }
            isUnkept = true
            // What the file says is no longer current.
            file.remove()
        }
    }
}

/// The history of the requirements in a file, readable by the group (0640).
///
/// A change is written at once, further ones at most every ten seconds; without changes the time of the last
/// confirmation is written every ten minutes. So a watch that is killed loses at most ten seconds of a requirement that
/// changes again and again, and tells when a requirement was last met to ten minutes.
final class HistoryFile {
    static let defaultFile = "/var/lib/rigready/history.json"
    /// Seconds between two writes for changes.
    static let shortestPause = 10.0
    /// Seconds between two writes without changes.
    static let longestPause = 600.0

    private let file: KeptFile
    private var history: RequirementHistory?
    private var isFirst = true
    private var isUnwritten = false
    private var isFailing = false
    private var written: Instant?

    var due: Instant? {
        written.map { $0.advanced(bySeconds: isUnwritten ? Self.shortestPause : Self.longestPause) }
    }

    /// Reads what an earlier watch left; a file that is no history is told, and replaced at the first write.
    init(_ name: String, complain: (String) -> Void) {
        file = KeptFile(name, for: "the history", mode: 0o640)
        guard InputFile.exists(name) else { return }
        do throws(CommandFailure) {
            history = try Self.read(name)
        } catch {
            complain("\(error); a new history begins")
        }
    }

    /// Reads a history; throws the file, the place and what was expected.
    static func read(_ name: String) throws(CommandFailure) -> RequirementHistory {
        let bytes: [UInt8]
        do throws(LocalRigError) {
            bytes = try InputFile.read(name, limit: StatedDocument.limit, expecting: "the history of a watch")
        } catch {
            throw CommandFailure(.badFile, error.description)
        }
        return try parse(bytes, file: name)
    }

    /// Parses the bytes of a file in bounds.
    static func parse(_ bytes: [UInt8], file: String) throws(CommandFailure) -> RequirementHistory {
        let document = try StatedDocument(
            bytes, file: file, as: "the history of a watch", schemas: [RequirementHistory.schema])
        return try document.read(as: "the history of a watch") { (history: RequirementHistory) in
            do throws(RequirementHistory.Fault) {
                return try history.checked()
            } catch {
                throw StatedDocument.DocumentFault(error.message)
            }
        }
    }

    func show(_ change: AssessmentChange, _ complain: (String) -> Void) throws(CommandFailure) {
        let now = RigIdentity.now
        var history = history ?? RequirementHistory(host: change.assessment.rig.host, now: now)
        let isChanged = history.take(change.assessment, at: now, isFirst: isFirst)
        history.host = change.assessment.rig.host
        history.version = Release.version
        self.history = history
        if isFirst {
            isFirst = false
            return try write()
        }
        isUnwritten = isUnwritten || isChanged
        writeIfDue(complain)
    }

    func pulse(_ complain: (String) -> Void) {
        history?.confirm(at: RigIdentity.now)
        writeIfDue(complain)
    }

    func end(_ complain: (String) -> Void) {
        guard !isFirst else { return }
        history?.confirm(at: RigIdentity.now)
        tryToWrite(complain)
    }

    private func writeIfDue(_ complain: (String) -> Void) {
        if let due, Instant.now >= due { tryToWrite(complain) }
    }

    private func tryToWrite(_ complain: (String) -> Void) {
        do throws(CommandFailure) {
            try write()
            isFailing = false
        } catch {
            if !isFailing { complain(error.description) }
            isFailing = true
            // Tried again after the next pause.
            written = .now
        }
    }

    private func write() throws(CommandFailure) {
        guard let history else { return }
        try file.replace(with: Output.document(history, onOneLine: true))
        written = .now
        isUnwritten = false
    }
}
