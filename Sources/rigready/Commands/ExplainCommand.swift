import ArgumentParser
import CommandOptions
import LocalRig
import Rendering

struct ExplainCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Explain services or a finding: each requirement with its status, all causes, the evidence and the fix.",
        discussion: """
            Without a name it explains each service of the configuration (or of all) that does not run.

            A finding is a cause (denied), a requirement or kind of sensor (gyroscope), both together (motion.denied), \
            or a notice (contradictoryFix). explain prints its meaning, detection and fix, and where it occurs in this \
            rig's report. explain and --format json print the names of all findings.

            Exit status and the other formats: as check, for the services named, else for those of the configuration.

            Try:
              rigready explain                  everything that does not run
              rigready explain dfd impact       two services
              rigready explain motion.denied    one finding, even if this rig does not have it
              rigready explain gyroscope        what this rig has of one kind
            """)

    @Argument(
        help: .value("name", "Services by any of their names, or one finding, kind, cause or notice."),
        completion: .custom(CompletionWords.explained))
    var names: [String] = []

    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var cache: CacheOptions
    @OptionGroup var printing: PrintOptions<ReportFormats>
    @OptionGroup var files: OutputOptions

    /// What is explained.
    private enum Topic {
        case failures
        case services([Service])
        case finding(FindingQuery)
    }

    private var topic: Topic {
        get throws(LocalRigError) {
            if names.isEmpty { return .failures }
            let services = names.compactMap { Service(named: $0) }
            if services.count == names.count { return .services(services) }
            for name in names where Service(named: name) == nil && FindingQuery(named: name) == nil {
                let hint = didYouMean(FindingQuery.suggestion(for: name))
                throw LocalRigError(
                    .invalidRequest,
                    "there is no service, kind, cause or notice '\(name)'.\(hint) See 'rigready explain --help'; "
                        + "for one sensor: rigready sensors.")
            }
            guard names.count == 1, let query = FindingQuery(named: names[0]) else {
                throw LocalRigError(.invalidRequest, "explain takes services, or one finding alone.")
            }
            return .finding(query)
        }
    }

    var rigOptions: LocalRig.Options {
        get throws {
            var rig = try LocalRig.Options(options, reading, user, cache)
            if case .services(let services) = try topic { rig.services = services }
            return rig
        }
    }
    var isQuiet: Bool { printing.quiet }

    func validate() throws { try cache.refuseRecording(in: files) }

    func run() throws {
        let topic = try topic
        let rig = try assembled()
        files.output.checkFiles()
        if case .services = topic, !isQuiet { names.forEach(complainOfOtherMeaning) }
        let (assessment, recording) = try files.assess(rig)
        try printing.finish(
            CommandResult(
                document: { Report(assessment) },
                text: { terminal in
                    switch topic {
                    case .failures: assessment.explanationOfFailures(on: terminal)
                    case .services: assessment.explanation(of: assessment.services, on: terminal)
                    case .finding(let query): assessment.explanation(of: query, on: terminal).text
                    }
                },
                cases: { assessment.caseList },
                page: { AssessmentPage(assessment, explains: true).html }, status: assessment.exitStatus),
            writing: files, recording: recording)
    }

    /// Says how to explain the requirement that has the name of a service.
    private func complainOfOtherMeaning(of name: String) {
        guard case .requirement(let requirement)? = FindingQuery(named: name)?.subject,
            let service = Service(named: name), let kind = requirement.kinds.first
        else { return }
        Output.complain("explains the service \(service.title); for the sensors: rigready explain \(kind.id)")
    }
}
