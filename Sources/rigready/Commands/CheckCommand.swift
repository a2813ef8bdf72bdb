import ArgumentParser
import LocalRig
import Readiness
import Rendering

struct CheckCommand: ParsableCommand, ProbingCommand {
    static var refused: RefusedOptions { [] }
    static let configuration = CommandConfiguration(
        commandName: "check", _superCommandName: RigReady.name,
        abstract: "Probe this rig once and print the report.",
        discussion: "This is the default command."
    )

    @OptionGroup var options: ProbeOptions<CheckCommand>

    func run() throws {
        try options.withRig { rig in
            let probe = try options.assess(rig)
            let assessment = probe.assessment
            try options.finish(
                CommandResult(
                    Report(assessment), text: { TextReport(assessment: assessment, terminal: $0).text },
                    cases: assessment.caseList, page: { AssessmentPage(assessment).html },
                    status: assessment.exitStatus), recording: probe.recording)
        }
    }
}
