import ArgumentParser
import LocalRig
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
            let assessment = try rig.assess()
            try options.format.finish(
                Report(assessment), text: TextReport(assessment: assessment, terminal: .current).text,
                cases: assessment.caseList, status: assessment.exitStatus)
        }
    }
}
