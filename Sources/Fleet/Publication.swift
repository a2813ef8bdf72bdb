internal import Readiness
internal import Rendering

struct Publication {
    /// The report, without exact positions, on one line.
    let report: [UInt8]
    /// Whether each service asked for runs, by the rule of the exit status.
    let running: [Service: Bool]

    /// Renders an assessment, with notices added to its own.
    init(of assessment: Assessment, with notices: [Report.NoticeLine]) {
        var report = Report(assessment.withCoarsePositions)
        report.notices += notices
        let document = try? String(json: report, onOneLine: true)
        self.report = document.map { Array($0.utf8.dropLast()) } ?? []
        var running: [Service: Bool] = [:]
        for result in assessment.services where result.asked {
            running[result.service] =
                assessment.acceptedServices.contains(result.service)
                || [result].status(strict: assessment.request.strict) == .ready
        }
        self.running = running
    }
}
