package import Readiness
internal import Rendering
internal import Synchronization

/// A rig at one moment, in every form that the board gives: each is rendered once for all viewers.
///
/// The event is rendered first, since viewers wait for it; the documents when one is asked for. Positions are rounded to
/// 0.1°, as in the file of `rigready watch --keep`.
package final class BoardSnapshot: Sendable {
    /// How many assessments came before it.
    package let number: Int
    /// The server-sent event `report`: the page's `<main>` element.
    package let event: String

    private struct Documents {
        var page, report, metrics: String?
    }
    private let assessment: Assessment
    private let content: AssessmentPage
    private let linksFleet: Bool
    private let documents = Mutex(Documents())

    /// Renders an assessment, with the lines of the last changes, the latest first.
    package init(_ assessment: Assessment, number: Int, changes: [String], linksFleet: Bool = false) {
        self.assessment = assessment.withCoarsePositions
        content = AssessmentPage(self.assessment, changes: changes)
        self.number = number
        self.linksFleet = linksFleet
        event = ServerSentEvent.text("report", id: number, data: content.main.text)
    }

    /// The page, complete without a script.
    package var page: String {
        document(\.page) {
            BoardDocument.html(
                title: content.title, main: content.main, link: linksFleet ? ("fleet/", "All rigs of the fleet") : nil,
                footer: "rigready-web \(Release.version), \(Report.schema), \(assessment.rig.takenAt)")
        }
    }

    package var report: String {
        get throws { try document(\.report) { try String(json: Report(assessment)) } }
    }

    package var metrics: String {
        document(\.metrics) { PrometheusMetrics(assessment, changes: number - 1).text }
    }

    private func document(
        _ place: WritableKeyPath<Documents, String?>, _ render: () throws -> String
    ) rethrows -> String {
        try documents.withLock { documents in
            if let text = documents[keyPath: place] { return text }
            let text = try render()
            documents[keyPath: place] = text
            return text
        }
    }
}

/// The messages of a stream of server-sent events.
///
/// Source: HTML Living Standard, "Server-sent events", 9.2.5 "Parsing an event stream".
enum ServerSentEvent {
    /// A comment, which a reader passes over: it shows both sides that the other is there.
    static let heartbeat = ": still here\n\n"
    /// How long a reader waits before it connects again, in milliseconds.
    static let retry = "retry: 2000\n\n"

    /// A message of its name, its data, and a number that a reader may tell when it comes again.
    ///
    /// Each line of the data is a field of its own.
    static func text(_ name: String, id: Int? = nil, data: String) -> String {
        var text = "event: \(name)\n"
        if let id { text += "id: \(id)\n" }
        // A line ends with LF, CR or both.
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            text += "data: \(line)\n"
        }
        return text + "\n"
    }
}
