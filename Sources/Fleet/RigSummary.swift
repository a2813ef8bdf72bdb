package import Readiness
internal import Rendering

package struct ServiceSummary: Sendable {
    package let id: String
    /// Nil for a service that this program does not know.
    package let service: Service?
    package let asked: Bool
    /// Nil for a word that is no verdict.
    package let verdict: Verdict?
    /// Whether it counts apart, since its findings are accepted.
    package let isAccepted: Bool
    /// The requirements that it lacks, or that are unknown.
    let lacks: Set<String>
}

package struct RigSummary: Sendable {
    let boot: String
    let version: String
    let takenAt: String
    let lines: [ServiceSummary]
    let rootCauses: [Report.RootCauseLine]
    let notices: [Report.NoticeLine]

    init(_ report: FleetReport.Document) {
        (boot, version, takenAt) = (report.rig.boot, report.version, report.takenAt)
        (rootCauses, notices) = (report.rootCauses, report.notices)
        lines = report.services.map { line in
            ServiceSummary(
                id: String(line.id.singleLine.prefix(80)), service: Service(id: line.id),
                asked: line.asked, verdict: Verdict(id: line.verdict),
                isAccepted: report.acceptedServices.contains(line.id),
                lacks: Set(line.failures + line.warnings + line.unknown))
        }
    }

    /// Whether another report of the same boot was taken later.
    func isOlder(than other: RigSummary) -> Bool { boot == other.boot && takenAt < other.takenAt }
}
