import ArgumentParser

/// Probes once and prints the report.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", _superCommandName: RigReady.name,
        abstract: "Probe this rig once and print the report.",
        discussion: "This is what rigready does without a command."
    )

    @OptionGroup var options: ProbeOptions

    func run() throws {
        let examination = try Call(options).examine()
        let text =
            switch options.format {
            case .json: try Output.document(Report(examination))
            case .junit: JUnitReport(list: examination.caseList).text
            case .tap: TAPReport(list: examination.caseList).text
            case .text: TextReport(examination: examination, terminal: .current).text
            }
        Output.finish(text, status: examination.exitStatus)
    }
}
