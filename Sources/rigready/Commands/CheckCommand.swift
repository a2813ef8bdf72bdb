import ArgumentParser
import Readiness
import Rendering

struct CheckCommand: ParsableCommand, ProbingCommand {
    static var refused: RefusedOptions { [] }
    static let configuration = CommandConfiguration(
        commandName: "check", _superCommandName: RigReady.name,
        abstract: "Probe this rig once and print the report.",
        discussion: "This is the default command."
    )

    @Option(
        help: .value("file", "Also write Prometheus metrics to this file (0644)."), completion: .file())
    var metrics: String?

    @OptionGroup var options: ProbeOptions<CheckCommand>

    func run() throws {
        try options.withRig { rig in
            let (assessment, recording) = try options.assess(rig)
            var status = assessment.exitStatus
            do throws(CommandFailure) {
                if let metrics { try MetricsFile.write(metrics, assessment) }
            } catch {
                // What was found is printed all the same.
                Output.complain(error.description)
                status = error.status.rawValue
            }
            try options.finish(
                CommandResult(
                    document: { Report(assessment) },
                    text: assessment.text,
                    cases: { assessment.caseList }, page: { AssessmentPage(assessment).html }, status: status),
                recording: recording)
        }
    }
}
