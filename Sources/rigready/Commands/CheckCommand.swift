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
        var result = assessment.result
        do throws(CommandFailure) {
            if let metrics = monitoring.metrics { try MetricsFile.write(metrics, assessment) }
        } catch {
            // What was found is printed all the same.
            Output.complain(error.description)
            result.status = error.status.rawValue
        }
        try printing.finish(result, writing: files, recording: recording)
    }
}

extension Assessment {
    /// The report of a check, in each format.
    var result: CommandResult {
        CommandResult(
            document: { Report(self) }, text: text, cases: { caseList }, page: { AssessmentPage(self).html },
            status: exitStatus)
    }
}
