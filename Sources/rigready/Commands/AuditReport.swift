import LocalRig
import Rendering

/// The document `rigready.audit/1`, also as text and as cases.
struct AuditReport: Encodable {
    struct Line: Encodable {
        var key: String
        var severity: String
        var services: [String]
        var reason: String
    }

    var schema = "rigready.audit/1"
    /// The version of the SDK by whose rules the app was audited.
    var rules: String
    var findings: [Line]
    private let found: [AuditFinding]
    private let audit: Audit
    private let path: String
    private let asked: ServiceSet

    private enum CodingKeys: CodingKey { case schema, rules, findings }

    init(_ audit: Audit, of path: String, asked: ServiceSet) {
        self.audit = audit
        rules = "\(audit.version)"
        found = audit.findings
        findings = found.map {
            Line(
                key: $0.key, severity: $0.severity.rawValue, services: $0.services.members.map(\.id),
                reason: "\($0.reason) (\($0.source))")
        }
        self.path = path
        self.asked = asked
    }

    /// The version, and that of its requirement table if it is another one.
    private var versionWords: String {
        let table = Rules(audit.version).profile
        return "\(audit.version)" + (table == audit.version ? "" : ", requirement table \(table)")
    }

    private func count(_ severity: AuditFinding.Severity) -> Int { found.count { $0.severity == severity } }

    var exitStatus: Int32 { count(.error) > 0 ? 1 : 0 }

    /// The tally, then one line per finding, with its source below.
    func text(on terminal: Terminal) -> String {
        var page = Page(terminal)
        let (errors, warnings) = (count(.error), count(.warning))
        let tally = [errors > 0 ? errors.counted("error") : nil, warnings > 0 ? warnings.counted("warning") : nil]
        page.ends(
            "\(path) for \(asked.members.count.counted("service")), rules \(versionWords)",
            found.isEmpty ? "no findings" : tally.compactMap { $0 }.joined(separator: ", "),
            errors > 0 ? .bad : warnings > 0 ? .doubtful : .good)
        for finding in found {
            page.blank()
            let (sign, style): (String, Terminal.Style) = finding.severity == .error ? ("✗ ", .bad) : ("! ", .doubtful)
            page.row((sign, style), (finding.key, .strong))
            page.hanging(4, finding.reason, nil)
            page.hanging(4, finding.source, .faint)
        }
        return page.text
    }

    /// A case for each key that was checked, and for each that should not be there.
    var caseList: CaseList {
        let checked = audit.checkedKeys
        let strays = found.map(\.key).filter { !checked.contains($0) }
        let host = RigIdentity.live()
        return CaseList(
            host: host.host, takenAt: host.takenAt,
            properties: [
                ("version", Release.version), ("rules", Rules(audit.version).profile.description), ("path", path),
                ("services", asked.members.map(\.id).joined(separator: ",")),
            ],
            seconds: 0,
            cases: (checked + strays).map { key in
                Case(name: key, className: "rigready.audit", outcome: outcome(of: key), seconds: nil)
            })
    }

    private func outcome(of key: String) -> CaseOutcome {
        guard let finding = found.first(where: { $0.key == key }) else { return .passed(nil) }
        let account = CaseDescription(
            word: finding.severity.rawValue, message: finding.reason, lines: ["source: \(finding.source)"])
        return finding.severity == .error ? .failed(account) : .passed(account)
    }
}
