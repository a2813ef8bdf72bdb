import ArgumentParser
import LocalRig
import Rendering

struct ExplainCommand: ParsableCommand, ProbingCommand {
    static var refused: RefusedOptions { .service }
    static let configuration = CommandConfiguration(
        commandName: "explain", _superCommandName: RigReady.name,
        abstract: "Explain one service: each requirement with its status, all causes, the evidence and the fix.")

    @Argument(help: "The service, by any of its names.", completion: .custom(CompletionWords.services))
    var name: String

    @OptionGroup var options: ProbeOptions<ExplainCommand>

    func run() throws {
        let service = try Service.named(name)
        try options.withRig(only: service) { rig in
            let (assessment, recording) = try options.assess(rig)
            try options.finish(
                CommandResult(
                    document: { Report(assessment) }, text: { Self.text(assessment, on: $0) },
                    cases: { assessment.caseList },
                    page: { AssessmentPage(assessment, explains: true).html }, status: assessment.exitStatus),
                recording: recording)
        }
    }

    private static func text(_ assessment: Assessment, on terminal: Terminal) -> String {
        var page = Page(terminal)
        for result in assessment.services {
            let mark = Mark(result.verdict)
            let reason = assessment.reason(for: result)
            page.row(
                (mark.sign + " ", mark.tone.style), (result.service.title + " ", .strong),
                rest: result.verdict.id + (reason.isEmpty ? "" : ": \(reason)"), style: mark.tone.style)
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
        page.repeatVerdict(assessment)
        return page.text
    }

    private static func explain(_ result: RequirementResult, isRequired: Bool, on page: inout Page) {
        let status = Mark(result.status).tone.style
        page.row(
            ("  " + result.requirement.title.padded(to: 22), nil),
            ((isRequired ? "required" : "optional").padded(to: 10), .faint),
            (result.status.rawValue.padded(to: 11), status), rest: result.causeWords, style: status)
        let (detail, facts) = result.explanation
        if let detail { page.hanging(6, detail, nil) }
        for fact in facts { page.hanging(6, fact, .faint) }
    }
}
