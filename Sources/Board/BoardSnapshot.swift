package import Readiness
internal import Rendering

/// A rig at one moment, in every form that the board gives: rendered once for all viewers.
///
/// Positions are rounded to 0.1°, as in the file of `rigready watch --keep`.
package struct BoardSnapshot: Sendable {
    /// How many assessments came before it.
    package let number: Int
    /// The page, complete without a script.
    package let page: String
    /// The document `rigready.report/1`.
    package let report: String
    /// The text for Prometheus.
    package let metrics: String
    /// The server-sent event `report`: the page's `<main>` element.
    package let event: String

    /// Renders an assessment, with the lines of the last changes, the latest first.
    package init(_ assessment: Assessment, number: Int, changes: [String], linksFleet: Bool = false) throws {
        let assessment = assessment.withCoarsePositions
        let content = AssessmentPage(assessment, changes: changes)
        self.number = number
        let main = content.main
        page =
            BoardDocument(
                title: content.title, main: main, link: linksFleet ? ("fleet/", "All rigs of the fleet") : nil,
                footer: "rigready-web \(Release.version), \(Report.schema), \(assessment.rig.takenAt)"
            ).html
        report = try JSONDocument(Report(assessment)).text
        metrics = PrometheusMetrics(assessment, changes: number - 1).text
        event = ServerSentEvent("report", id: number, data: main.text).text
    }
}

/// One message of a stream of server-sent events.
///
/// Source: HTML Living Standard, "Server-sent events", 9.2.5 "Parsing an event stream".
package struct ServerSentEvent: Sendable {
    /// The message as it is sent; each line of its data is a field of its own.
    package let text: String

    /// A comment, which a reader passes over: it shows both sides that the other is there.
    package static let heartbeat = ": still here\n\n"
    /// How long a reader waits before it connects again, in milliseconds.
    package static let retry = "retry: 2000\n\n"

    /// Makes a message of its name, its data, and a number that a reader may tell when it comes again.
    package init(_ name: String, id: Int? = nil, data: String) {
        var text = "event: \(name)\n"
        if let id { text += "id: \(id)\n" }
        // A line ends with LF, CR or both.
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            text += "data: \(line)\n"
        }
        self.text = text + "\n"
    }
}
