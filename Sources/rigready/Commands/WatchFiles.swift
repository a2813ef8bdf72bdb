import DriverKit
import LocalRig
import Rendering

/// A file beside the report that a watch keeps.
///
/// Each is made with a `complain`, which receives a line for what does not stop the watch: a history that is damaged, a
/// file that cannot be written any more.
protocol WatchFile {
    /// When `pulse` is due; nil before the first change.
    var due: Instant? { get }

    /// Writes a change; throws a `CommandFailure` if the file cannot be written the first time.
    func show(_ change: AssessmentChange) throws(CommandFailure)

    /// Confirms and writes what is due.
    func pulse()

    /// Writes what is not written yet, or removes the file, since nobody keeps it current any more.
    func end()
}

/// Metrics in a file for node_exporter's textfile collector, readable by everyone (0644).
final class MetricsFile: WatchFile {
    private(set) var due: Instant?
    private let file: KeptFile
    private let complain: (String) -> Void
    private var latest: Assessment?
    private var changes = 0

    init(_ name: String, complain: @escaping (String) -> Void) {
        file = Self.file(name)
        self.complain = complain
    }

    private static func file(_ name: String) -> KeptFile { KeptFile(name, for: "metrics", mode: 0o644) }

    /// Writes the metrics of a single check.
    static func write(_ name: String, _ assessment: Assessment) throws(CommandFailure) {
        try file(name).replace(with: PrometheusMetrics(assessment).text)
    }

    func show(_ change: AssessmentChange) throws(CommandFailure) {
        let isFirst = latest == nil
        latest = change.assessment
        if isFirst {
            try file.replace(with: PrometheusMetrics(change.assessment, changes: changes).text)
        } else {
            changes += 1
            keep(change.assessment)
        }
        due = Instant.now.advanced(bySeconds: KeptFile.pulse)
    }

    func pulse() {
        guard let due, Instant.now >= due else { return }
        if let latest, !file.confirm() { keep(latest) }
        self.due = Instant.now.advanced(bySeconds: KeptFile.pulse)
    }

    func end() { file.remove() }

    private func keep(_ assessment: Assessment) {
        let isKept = file.tryToReplace(with: PrometheusMetrics(assessment, changes: changes).text, complain)
        // What the file says is no longer current.
        if !isKept { file.remove() }
    }
}

/// The history of the requirements in a file, readable by the group (0640).
///
/// A change is written at once, further ones at most every ten seconds; without changes the time of the last
/// confirmation is written every ten minutes. So a watch that is killed loses at most ten seconds of a requirement that
/// changes again and again, and tells when a requirement was last met to ten minutes.
final class HistoryFile: WatchFile {
    static let defaultFile = "/var/lib/rigready/history.json"
    /// Seconds between two writes for changes.
    static let shortestPause = 10.0
    /// Seconds between two writes without changes.
    static let longestPause = 600.0

    private let file: KeptFile
    private let complain: (String) -> Void
    private var history: RequirementHistory?
    private var isUnwritten = false
    /// When it was written last; nil before the first time.
    private var written: Instant?

    var due: Instant? {
        written.map { $0.advanced(bySeconds: isUnwritten ? Self.shortestPause : Self.longestPause) }
    }

    /// Reads what an earlier watch left; a file that is no history is told, and replaced at the first write.
    init(_ name: String, complain: @escaping (String) -> Void) {
        file = KeptFile(name, for: "the history", mode: 0o640)
        self.complain = complain
        guard InputFile.exists(name) else { return }
        do {
            history = try Self.read(name)
        } catch {
            complain("\(error); a new history begins")
        }
    }

    /// Reads a history; throws the file, the place and what was expected.
    static func read(_ name: String) throws -> RequirementHistory {
        try parse(
            InputFile.read(name, limit: EarlierDocument.limit, expecting: "the history of a watch"), file: name)
    }

    /// Parses the bytes of a file in bounds.
    static func parse(_ bytes: [UInt8], file: String) throws(CommandFailure) -> RequirementHistory {
        let document = try EarlierDocument(
            bytes, file: file, as: "the history of a watch", schemas: [RequirementHistory.schema])
        return try document.read(as: "the history of a watch") { (history: RequirementHistory) in
            try history.checked()
        }
    }

    func show(_ change: AssessmentChange) throws(CommandFailure) {
        let now = RigIdentity.now
        var history = history ?? RequirementHistory(host: change.assessment.rig.host, now: now)
        let isChanged = history.take(change.assessment, at: now, isFirst: written == nil)
        history.host = change.assessment.rig.host
        history.version = Release.version
        self.history = history
        if written == nil {
            try file.replace(with: Output.document(history, onOneLine: true))
            written = .now
            return
        }
        isUnwritten = isUnwritten || isChanged
        writeIfDue()
    }

    func pulse() {
        history?.confirm(at: RigIdentity.now)
        writeIfDue()
    }

    func end() {
        guard written != nil else { return }
        history?.confirm(at: RigIdentity.now)
        write()
    }

    private func writeIfDue() {
        if let due, Instant.now >= due { write() }
    }

    private func write() {
        guard let history else { return }
        if file.tryToReplace(with: try Output.document(history, onOneLine: true), complain) { isUnwritten = false }
        // If it was not replaced, it is tried again after the next pause.
        written = .now
    }
}
