import ArgumentParser
import CommandOptions
import LocalRig
import Readiness
import Rendering

struct CheckCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Probe this rig once and print the report.",
        discussion: "This is the default command."
    )

    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var cache: CacheOptions
    @OptionGroup var printing: PrintOptions<ReportFormats>
    @OptionGroup var files: OutputOptions
    @OptionGroup var monitoring: MetricsOptions

    var rigOptions: LocalRig.Options { get throws { try LocalRig.Options(services, options, reading, user, cache) } }
    var isQuiet: Bool { printing.quiet }

    func validate() throws { try cache.refuseRecording(in: files) }

    func run() throws {
        let rig = try assembled()
        files.output.checkFiles()
        let (assessment, recording) = try files.assess(rig)
        var status = assessment.exitStatus
        do throws(CommandFailure) {
            if let metrics = monitoring.metrics { try MetricsFile.write(metrics, assessment) }
        } catch {
            // What was found is printed all the same.
            Output.complain(error.description)
            status = error.status.rawValue
        }
        try printing.finish(
            CommandResult(
                document: { Report(assessment) },
                text: assessment.text,
                cases: { assessment.caseList }, page: { AssessmentPage(assessment).html }, status: status),
            writing: files, recording: recording)
    }
}
