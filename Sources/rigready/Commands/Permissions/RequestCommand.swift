import LocalRig
public import ArgumentParser
import Configuration
public import Permissions
import Readiness

/// Asks the user for a permission, as a phone would.
struct RequestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Ask the user for a permission, where there is something to ask.",
        discussion: """
            The configuration's purposes say why; a request without its text is refused. Nothing is asked that the user \
            cannot change: what the policy restricts, what the operating system denies, what was denied before.

            Exit status: 0 granted, 1 refused, 2 nobody to ask.
            """)

    @Argument(help: Permission.help, completion: Permission.completion, transform: Permission.named)
    var name: Permission

    @Flag(help: "Ask for location always, and not only while in use.")
    var always = false

    @Option(
        help: ArgumentHelp(
            "Ask for full accuracy for a time, for this purpose of the configuration.", valueName: "purpose"))
    var fullAccuracy: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long the full accuracy counts (default: 3600).", valueName: "seconds"))
    var seconds: Double?

    @Option(help: ArgumentHelp("The answer, where no terminal is: allow, once or deny.", valueName: "answer"))
    var answer: PermissionAnswer?

    @OptionGroup var options: ProbeOptions

    func validate() throws {
        try options.refuseCache(of: "request")
        if name != .location, always || fullAccuracy != nil {
            throw ValidationError("--always and --full-accuracy go with location alone.")
        }
        if always, fullAccuracy != nil { throw ValidationError("--always and --full-accuracy are two requests.") }
        if seconds != nil, fullAccuracy == nil { throw ValidationError("--for goes with --full-accuracy.") }
        guard (1...86_400).contains(seconds ?? 3600) else {
            throw ValidationError("--for takes a number from 1 to 86400 seconds.")
        }
        if options.user != nil {
            throw ValidationError("a request asks the user who makes it; --as does not go with it.")
        }
    }

    func run() throws {
        try options.format.refuseCases(of: "permissions request")
        guard let file = options.files.grantFile else {
            throw Failure(.usage, "this user has no home folder; name the file: --permissions FILE")
        }
        let rig = try options.shallow.rig()
        let access = Authorizations(access: try rig.assess().inventory)
        var flow = RequestFlow(rig.decisions, access: access, purposes: rig.configuration.purposes)
        let claim: DialogClaim?
        do {
            claim = try file.claimDialog()
        } catch {
            throw Failure(error, of: file)
        }
        guard let claim else {
            try finish(flow, status: 2, "another request is waiting for its answer; this one has no effect")
        }
        let question: PermissionQuestion
        switch try step(&flow, rig) {
        case .ask(let asked), .waiting(let asked): question = asked
        case .settled(let outcome): try finish(flow, outcome)
        }
        guard answer != nil || Dialog.hasTerminal else {
            let answers = question.answers.map(\.rawValue).joined(separator: "|")
            try finish(
                flow, status: 2,
                "there is no terminal to ask on: '\(question.text)' (\(question.purpose)); --answer \(answers)")
        }
        let choices = question.answers.map { ($0, question.meaning(of: $0)) }
        guard let answer = answer ?? Dialog.ask(question.text, question.purpose, choices).answer else {
            try finish(flow, flow.dismiss() ?? .deferred)
        }
        guard question.answers.contains(answer) else {
            let offered = question.answers.map(\.rawValue).joined(separator: " or ")
            throw Failure(.usage, "the question '\(question.text)' takes \(offered), not \(answer.rawValue).")
        }
        let answered: (flow: RequestFlow, outcome: RequestOutcome)?
        do {
            answered = try file.record(
                answer, to: question, of: request, on: rig.decisions, access: access,
                purposes: rig.configuration.purposes)
        } catch {
            throw Failure(error, of: file)
        }
        _ = claim
        guard let answered else {
            try finish(flow, status: 2, "the grants changed while the question was open; nothing was recorded")
        }
        try finish(answered.flow, answered.outcome)
    }

    private var request: PermissionRequest {
        switch name {
        case .location:
            fullAccuracy.map { .fullAccuracy(purpose: $0, seconds: seconds ?? 3600) } ?? .location(always: always)
        case .motion: .motion
        case .bluetooth: .bluetooth
        case .health: .health
        }
    }

    private func step(_ flow: inout RequestFlow, _ rig: LocalRig) throws(Failure) -> RequestStep {
        do throws(RequestFlow.MissingPurpose) {
            return try flow.begin(request)
        } catch {
            guard let file = rig.configurationFile else {
                throw Failure(.usage, "\(error); name a configuration with it: --config FILE")
            }
            throw Failure(.badFile, "\(file): \(error)")
        }
    }

    private func finish(_ flow: RequestFlow, _ outcome: RequestOutcome) throws -> Never {
        switch outcome {
        case .granted: try finish(flow, status: 0, nil)
        case .refused(let reason, let remedy):
            try finish(
                flow, status: 1, "\(name.title) is not granted: \(reason)" + (remedy.map { "; → \($0)" } ?? ""))
        case .deferred: try finish(flow, status: 2, "nobody answered; nothing was recorded")
        }
    }

    /// Ends the program with what holds now: as JSON the document, as text the permission itself once it is granted.
    private func finish(_ flow: RequestFlow, status: Int32, _ complaint: String?) throws -> Never {
        if let complaint { Output.complain(complaint) }
        let lines = PermissionsReport.Line.all(flow.authorizations)
        if options.format == .json {
            Output.finish(try Output.document(PermissionsReport(permissions: lines)), status: status)
        }
        let line = status == 0 ? lines.first { $0.id == name.rawValue } : nil
        Output.finish(line.map { "\(name.title): \($0.status) (\($0.evidence))\n" } ?? "", status: status)
    }
}

extension PermissionAnswer: ExpressibleByArgument {}
