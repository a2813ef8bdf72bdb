import Rendering
import LocalRig
import ArgumentParser

/// Probes once and prints the report.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", _superCommandName: RigReady.name,
        abstract: "Probe this rig once and print the report.",
        discussion: "This is the default command."
    )

    @OptionGroup var options: ProbeOptions

    func run() throws {
        let assessment = try options.rig().assess()
        let text =
            switch options.format {
            case .json: try Output.document(Report(assessment))
            case .junit: JUnitReport(list: assessment.caseList).text
            case .tap: TAPReport(list: assessment.caseList).text
            case .text: TextReport(assessment: assessment, terminal: .current).text
            }
        Output.finish(text, status: assessment.exitStatus)
    }
}
