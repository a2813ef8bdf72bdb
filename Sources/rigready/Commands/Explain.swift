import ArgumentParser
import DriverKit
import Readiness

/// One service, requirement by requirement.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", _superCommandName: RigReady.name,
        abstract: "Explain one service: each requirement, its standing, all causes, the evidence, the remedy."
    )

    @Argument(help: "The service, by any of its names.")
    var name: String

    @OptionGroup var options: ProbeOptions

    func run() throws {
        let service = try Call.service(named: name)
        guard options.service.isEmpty else {
            throw Failure(.usage, "explain takes one service, as its word, and no --service.")
        }
        let examination = try Call(options, only: service).examine()
        let text =
            switch options.format {
            case .json: try Output.document(Report(examination))
            case .junit: JUnitReport(list: examination.caseList).text
            case .tap: TAPReport(list: examination.caseList).text
            case .text: text(examination)
            }
        Output.finish(text, status: examination.exitStatus)
    }

    private func text(_ examination: Examination) -> String {
        var page = Page(.current)
        for result in examination.results {
            let mark = Mark(result.verdict)
            let reason = examination.reason(for: result)
            page.row(
                [(mark.sign, mark.style), (result.service.title + " ", .strong)],
                rest: result.verdict.id + (reason.isEmpty ? "" : ": \(reason)"), style: mark.style)
            for judgement in examination.judgements {
                let isRequired = result.required.contains(judgement.requirement)
                guard isRequired || result.optional.contains(judgement.requirement) else { continue }
                explain(judgement, isRequired: isRequired, on: &page)
            }
            page.blank()
        }
        return page.text
    }

    private func explain(_ judgement: Judgement, isRequired: Bool, on page: inout Page) {
        let standing: Terminal.Style =
            judgement.standing == .met ? .good : judgement.standing == .unmet ? .bad : .doubtful
        page.row(
            [
                ("  " + judgement.requirement.title.padded(to: 22), nil),
                ((isRequired ? "required" : "optional").padded(to: 10), .faint),
                (judgement.standing.rawValue.padded(to: 11), standing),
            ],
            rest: judgement.causes.map(\.title).joined(separator: ", then ")
                + (judgement.rootCause.map { " (follows from \($0.title))" } ?? ""), style: standing)
        // What only follows from another requirement is told there.
        if judgement.rootCause != nil { return }
        if let detail = judgement.detail { page.hanging(6, detail, nil) }
        if !judgement.decidedBy.isEmpty { page.hanging(6, "by " + judgement.decidedBy.joined(separator: ", "), .faint) }
        for evidence in judgement.evidence {
            let parts = [evidence.path, evidence.said.isEmpty ? evidence.errno : evidence.said].compactMap { $0 }
            let seen = parts.joined(separator: ": ")
            if judgement.detail?.includes(seen) != true { page.hanging(6, "seen: " + seen, .faint) }
        }
        if let remedy = judgement.remedy, judgement.standing != .met { page.remedy(6, remedy) }
    }
}
