public import LocalRig
public import ArgumentParser
import CommandOptions
import Rendering

struct RequestCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Ask the user for a permission, if there is something to ask.",
        discussion: """
            The purposes in the configuration are shown as the reason; a request without a purpose is an error. The \
            request asks nothing if the user cannot change the result: the policy restricts the permission, the \
            operating system denies it, or the user denied it before.

            Exit status: 0 granted, 1 refused, 2 no answer.
            """)

    @Argument(help: Permission.help, completion: Permission.completion, transform: Permission.named)
    var name: Permission

    @Flag(help: "Ask for location always, not only while in use.")
    var always = false

    @Option(help: .value("purpose", "Ask for temporary full accuracy, for this purpose of the configuration."))
    var fullAccuracy: String?

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: .value("seconds", "How long full accuracy is allowed (default: 3600)."))
    var seconds: Double?

    @Option(help: .value("answer", "The answer without a terminal: allow, once or deny."))
    var answer: PermissionAnswer?

    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var printing: PrintOptions<DocumentFormats>

    var rigOptions: LocalRig.Options {
        get throws { try LocalRig.Options(services, options, reading).withoutSamples }
    }
    var isQuiet: Bool { printing.quiet }

    func validate() throws {
        if name != .location, always || fullAccuracy != nil {
            throw ValidationError("--always and --full-accuracy are only for location.")
        }
        if always, fullAccuracy != nil { throw ValidationError("--always and --full-accuracy are two requests.") }
        if seconds != nil, fullAccuracy == nil { throw ValidationError("--for needs --full-accuracy.") }
        try checkSeconds("for", seconds, in: 1...86_400)
    }

    func run() throws {
        let file = try options.decisions.grantFile()
        let rig = try assembled()
        try ask(on: rig, recordingIn: file)
    }

    private func ask(on rig: LocalRig, recordingIn file: GrantFile) throws {
        let access = Authorizations(access: try rig.assess().inventory)
        let decisions = rig.currentDecisions(in: file)
        let requester = PermissionRequester(
            recordingIn: file, decisions: decisions, access: access, purposes: rig.configuration.purposes)
        var unseen: PermissionQuestion?
        let result: PermissionRequestResult
        do {
            result = try requester.request(request) { question in
                if let answer { return answer }
                guard TerminalPrompter.hasStandardTerminal else {
                    unseen = question
                    return nil
                }
                return TerminalPrompter(isASCII: Terminal.printsASCII).answer(to: question)
            }
        } catch {
            guard case .missingPurpose(let purpose) = error else { throw error }
            guard let file = rig.configurationFile else {
                throw CommandFailure(
                    .usage,
                    "\(purpose); add it to the file that 'rigready init' writes, and pass the file with --config FILE")
            }
            throw CommandFailure(.badFile, "\(file): \(purpose)")
        }
        let authorizations = rig.decided(by: try decisions()).authorizations(access)
        var status: Int32 = 2
        var complaint: String?
        switch result {
        case .asked(.granted), .settled(.granted): status = 0
        case .asked(.refused(let reason, let remedies)), .settled(.refused(let reason, let remedies)):
            status = 1
            let hint = remedies.commandLine.map { "; → \($0)" } ?? ""
            complaint = "\(name.title) is not granted: \(reason)\(hint)"
        case .asked(.undetermined(let reason, let remedies)), .settled(.undetermined(let reason, let remedies)):
            let hint = remedies.commandLine.map { "; → \($0)" } ?? ""
            complaint = "cannot tell whether \(name.title) is allowed: \(reason)\(hint)"
        case .asked(.deferred), .settled(.deferred):
            complaint =
                unseen.map {
                    "there is no terminal to ask on: '\($0.text)' (\($0.purpose)); --answer \($0.answers.list("|"))"
                } ?? "no answer; nothing was recorded"
        case .busy: complaint = "another request is waiting for its answer; this one has no effect"
        case .superseded: complaint = "the grants changed while the question was open; nothing was recorded"
        case .notOffered(let answer, let question):
            throw CommandFailure(
                .usage,
                "the question '\(question.text)' takes \(question.answers.list(" or ")), not \(answer.rawValue).")
        }
        if let complaint { Output.complain(complaint) }
        // As JSON the document, as text the permission itself if it is granted.
        let report = PermissionsReport(authorizations)
        let line = status == 0 ? report.permissions.first { $0.id == name.rawValue } : nil
        let text = line.map { "\(name.title): \($0.words) (\($0.evidence))\n" } ?? ""
        try printing.finish(CommandResult(document: { report }, text: { $0.spelled(text) }, status: status))
    }

    private var request: PermissionRequest {
        fullAccuracy.map { .fullAccuracy(purpose: $0, seconds: seconds ?? 3600) }
            ?? PermissionRequest(name, always: always)
    }
}

extension PermissionAnswer: ExpressibleByArgument {}

extension [PermissionAnswer] {
    fileprivate func list(_ separator: String) -> String { map(\.rawValue).joined(separator: separator) }
}
