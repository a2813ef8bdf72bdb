import ArgumentParser
import DriverKit
import LocalRig
import Readiness
import Rendering

struct ExplainCommand: ParsableCommand, ProbingCommand {
    static var refused: RefusedOptions { .service }
    static let configuration = CommandConfiguration(
        commandName: "explain", _superCommandName: RigReady.name,
        abstract: "Explain one service: each requirement with its status, all causes, the evidence and the fix.")

    @Argument(help: "The service, by any of its names.")
    var name: String

    @OptionGroup var options: ProbeOptions<ExplainCommand>

    func run() throws {
        let service = try Service.named(name)
        try options.withRig(only: service) { rig in
            let assessment = try rig.assess()
            try options.format.finish(
                Report(assessment), text: text(assessment), cases: assessment.caseList, status: assessment.exitStatus)
        }
    }

    private func text(_ assessment: Assessment) -> String {
        var page = Page(.current)
        for result in assessment.services {
            let mark = Mark(result.verdict)
            let reason = assessment.reason(for: result)
            page.row(
                (mark.sign, mark.style), (result.service.title + " ", .strong),
                rest: result.verdict.id + (reason.isEmpty ? "" : ": \(reason)"), style: mark.style)
            for requirement in assessment.requirements {
                let isRequired = result.required.contains(requirement.requirement)
                guard isRequired || result.optional.contains(requirement.requirement) else { continue }
                explain(requirement, isRequired: isRequired, on: &page)
                for accepted in assessment.accepted where accepted.requirements.contains(requirement.requirement) {
                    let finding = accepted.finding
                    page.hanging(6, "\(accepted.state.title) until \(finding.until): \(finding.reason)", nil)
                }
            }
            page.blank()
        }
        page.causes(assessment.rootCauses)
        return page.text
    }

    private func explain(_ result: RequirementResult, isRequired: Bool, on page: inout Page) {
        let status: Terminal.Style = result.status == .met ? .good : result.status == .unmet ? .bad : .doubtful
        page.row(
            ("  " + result.requirement.title.padded(to: 22), nil),
            ((isRequired ? "required" : "optional").padded(to: 10), .faint),
            (result.status.rawValue.padded(to: 11), status),
            rest: result.causes.map(\.title).joined(separator: ", then ")
                + (result.rootCause.map { " (follows from \($0.title))" } ?? ""), style: status)
        // A requirement that follows from another is explained there.
        if result.rootCause != nil { return }
        if let detail = result.detail { page.hanging(6, detail, nil) }
        if let finding = result.findingID { page.hanging(6, "finding \(finding)", .faint) }
        if !result.decidedBy.isEmpty { page.hanging(6, "by " + result.decidedBy.joined(separator: ", "), .faint) }
        for line in result.evidence.lines(besides: result.detail) { page.hanging(6, line, .faint) }
    }
}
