package import Readiness

/// An assessment as a page: the verdicts first, then the causes in the order in which to repair them, then the hardware.
///
/// It says what the text report says, in the same words, and below it what each requirement was decided by. `main` is
/// the whole content: a program that shows the page live replaces it.
package struct AssessmentPage {
    private let assessment: Assessment
    private let explains: Bool
    private let changes: [String]

    /// Makes the page of an assessment; one that `explains` has the requirements directly after the verdicts.
    ///
    /// A watch gives the lines of the last changes, the latest first.
    package init(_ assessment: Assessment, explains: Bool = false, changes: [String] = []) {
        self.assessment = assessment
        self.explains = explains
        self.changes = changes
    }

    /// The page's title: the host, and how it stands.
    package var title: String { "\(assessment.rig.host): \(assessment.tallyWords.text)" }

    /// The whole file.
    package var html: String {
        HTMLDocument.html(
            title: title, main: main,
            footer: "rigready \(Release.version), \(Report.schema), \(assessment.rig.takenAt)")
    }

    /// The page's `<main>` element.
    package var main: Markup {
        """
        <main>
        <header>
        <h1>\(assessment.rig.host)</h1>
        <p class="meta">\(assessment.probeWords)</p>
        \(Markup.tally(assessment.tallyWords))
        </header>
        <div class="sides">
        \(services)
        \(causes)
        </div>
        \(explains ? requirements : nil)
        \(accepted)\(sensors)
        \(lastChanges)
        \(Markup.notices(assessment.noticesOfRig.map(\.detail)))\(authorizations)
        \(explains ? nil : requirements)
        </main>
        """
    }

    // MARK: Verdicts

    private var services: Markup {
        let rows = assessment.services.map { result -> Markup.Row in
            let isAccepted = assessment.acceptedServices.contains(result.service)
            let verdict = Markup.verdict(Mark(result.verdict, isAccepted: isAccepted), result.verdict.id)
            let remarks = [result.asked ? nil : "not asked for", isAccepted ? "accepted" : nil].compactMap(\.self)
            let remark: Markup? = remarks.isEmpty ? nil : " <small>(\(remarks.joined(separator: ", ")))</small>"
            return Markup.Row(
                "\(result.service.title)\(remark)", [verdict, "\(assessment.reason(for: result))"],
                isSubordinate: result.service.parent != nil)
        }
        let table = Markup.table(
            "By the requirements of rules \(assessment.request.evaluator.rules.profile)",
            ["Service", "Verdict", "Reason"], rows)
        return .section("services", "Services", table)
    }

    // MARK: Causes

    private var causes: Markup? {
        guard !assessment.rootCauses.isEmpty else { return nil }
        let items = assessment.rootCauses.withHeadings.map { heading, cause -> Markup in
            let effects = assessment.rootCauses.effectLines(of: cause).map { words -> Markup in
                "<p class=\"note\">\(words)</p>\n"
            }
            let detail = cause.detail.map { detail -> Markup in
                "<p><span class=\"\(cause.cause.tone.rawValue)\">\(Mark(cause.cause.tone).sign)</span> \(detail)</p>\n"
            }
            return "<li><h3>\(heading)</h3>\n\(effects)\(detail)\(Self.steps(cause.remedies))</li>\n"
        }
        return .section("causes", "What to repair, in this order", "<ol class=\"causes\">\n\(items)</ol>")
    }

    /// Remedies one below the other; one that is typed as a command is selected whole by a click.
    private static func steps(_ remedies: [Remedy]) -> Markup? {
        guard !remedies.isEmpty else { return nil }
        let items = remedies.map { remedy -> Markup in
            let needs = remedy.needsInWords.map { needs -> Markup in " <small>\(needs)</small>" }
            guard let line = remedy.shellLine else { return "<li>→ \(remedy.commandLine)\(needs)</li>\n" }
            var note: Markup?
            if case .command(_, let words?) = remedy { note = " <small>\(words)</small>" }
            return "<li><code class=\"command\">\(line)</code>\(needs)\(note)</li>\n"
        }
        return "<ul class=\"steps\">\n\(items)</ul>"
    }

    private var accepted: Markup? {
        guard !assessment.accepted.isEmpty else { return nil }
        let items = assessment.accepted.map { accepted -> Markup in
            let tone = accepted.state == .expired ? Tone.bad : .doubtful
            return """
                <li><span class="\(tone.rawValue)">\(Mark(tone).sign) \(accepted.state.title)</span> \
                <code>\(accepted.finding.id)</code> \(accepted.words)</li>

                """
        }
        return .section("accepted", "Accepted findings", "<ul class=\"list\">\n\(items)</ul>")
    }

    // MARK: Hardware and authorizations

    private var sensors: Markup {
        let sensors = assessment.sensors
        if sensors.isEmpty {
            return .section("sensors", "Sensors", "<p>No sensor, controller or receiver was found.</p>")
        }
        let rows = sensors.map { sensor -> Markup.Row in
            let mark = Mark(sensor.availability)
            return Markup.Row(
                "\(sensor.kind.title)",
                [
                    "\(sensor.label ?? sensor.name)", "<span class=\"key\">\(sensor.key)</span>",
                    "<span class=\"\(mark.tone.rawValue)\">\(mark.sign)</span> \(sensor.lastingSummary)",
                ])
        }
        let table = Markup.table("Sensors and their state", ["Kind", "Name", "Key", "State"], rows)
        return .section("sensors", "Sensors", table)
    }

    private var lastChanges: Markup? {
        guard !changes.isEmpty else { return nil }
        let items = changes.map { line -> Markup in "<li>\(line)</li>\n" }
        return .section("changes", "Last changes", "<ul class=\"list\">\n\(items)</ul>")
    }

    private var authorizations: Markup {
        let rows = PermissionsReport(assessment.authorizations).permissions.map { line -> Markup.Row in
            let verdict = Markup.verdict(Mark(line.isAllowed ? .good : .bad), line.words)
            let remedy = line.remedy.map { remedy -> Markup in "<small>→ \(remedy)</small>" }
            return Markup.Row("\(line.id)", [verdict, "\(line.from)", "\(line.evidence)\(remedy)"])
        }
        let table = Markup.table(
            "What the user \(assessment.rig.user) may do, and who decided it",
            ["Permission", "Status", "From", "Evidence"], rows)
        return .section("authorizations", "Authorizations", table)
    }

    // MARK: Requirements

    private var requirements: Markup {
        let rows = assessment.requirements.compactMap { result -> Markup.Row? in
            let required = assessment.services.filter { $0.required.contains(result.requirement) }
            let optional = assessment.services.filter { $0.optional.contains(result.requirement) }
            let uses = [("required by", required), ("optional for", optional)].filter { !$0.1.isEmpty }
            guard !uses.isEmpty else { return nil }
            let users = uses.map { words, services -> Markup in
                "<small>\(words) \(services.map(\.service.title).joined(separator: ", "))</small>"
            }
            let (detail, facts) = result.explanation
            let accepted = assessment.accepted.filter { $0.requirements.contains(result.requirement) }
                .map { "\($0.state.title): \($0.words)" }
            let lines = (facts + accepted).map { line -> Markup in "<small>\(line)</small>" }
            let causes = result.causeWords.isEmpty ? nil : result.causeWords
            return Markup.Row(
                "\(result.requirement.title)\(explains ? users : [])",
                [
                    .verdict(Mark(result.status), result.status.rawValue),
                    "\([causes, detail].compactMap(\.self).joined(separator: ": "))\(lines)",
                ])
        }
        let table = Markup.table(
            "What the services require, and what decided it", ["Requirement", "Status", "Because"], rows)
        return .section("requirements", "Requirements", table)
    }
}
