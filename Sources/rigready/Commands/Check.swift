import ArgumentParser
import Glibc

/// Probes once and prints the report.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Probe this rig once and print the report.",
        discussion: "This is what rigready does without a command."
    )

    @OptionGroup var options: ProbeOptions

    func run() throws {
        let examination = try Call(options).examine()
        switch options.format {
        case .json: try Output.write(Output.document(Report(examination)))
        case .text: try Output.write(TextReport(examination: examination, terminal: .current).text)
        }
        // The report is out; threads that a device still holds do not keep the program.
        Glibc.exit(examination.exitStatus)
    }
}
