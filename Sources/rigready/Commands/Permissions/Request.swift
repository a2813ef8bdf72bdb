public import ArgumentParser
import Configuration
import Glibc
public import Permissions
import Readiness

/// Asks the user for a permission, as a phone would.
struct Request: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask the user for a permission, where there is something to ask.",
        discussion: """
            The configuration's purposes say why; a request without its text is refused. Nothing is asked that the user \
            cannot change: what the policy restricts, what the operating system denies, what was denied before.

            Exit status: 0 granted, 1 refused, 2 nobody to ask.
            """)

    @Argument(help: "location, motion, bluetooth or health.")
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
    var answer: Question.Answer?

    @OptionGroup var options: ProbeOptions

    func validate() throws {
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
        guard let file = options.grantFile() else {
            throw Failure(.usage, "this user has no home folder; name the file: --permissions FILE")
        }
        let call = try Call(options.shallow)
        let claim: DialogClaim?
        do {
            claim = try file.claimDialog()
        } catch {
            throw Failure(error, of: file)
        }
        guard let claim else {
            Output.complain("another request is waiting for its answer; this one has no effect")
            Output.finish("", status: 2)
        }
        let access = Authorizations(access: try call.examine().inventory)
        var flow = RequestFlow(call.decisions, access: access, purposes: call.purposes)
        guard case .ask(let question) = try step(&flow, call) else { try finish(flow, settled(&flow, call)) }
        guard let answer = try answer ?? Self.ask(question) else {
            Output.complain("nobody answered; nothing was recorded")
            Output.finish("", status: 2)
        }
        guard question.answers.contains(answer) else {
            let offered = question.answers.map(\.rawValue).joined(separator: " or ")
            throw Failure(.usage, "the question '\(question.text)' takes \(offered), not \(answer.rawValue).")
        }
        // Under the lock, on what stands there by now.
        let outcome: RequestFlow.Outcome
        do {
            outcome = try file.update { grants in
                var decisions = call.decisions
                decisions.grants = grants
                decisions.grants.option = options.permissionsOption
                flow = RequestFlow(decisions, access: access, purposes: call.purposes)
                let step = try? flow.begin(request)
                guard case .ask = step else {
                    if case .settled(let outcome) = step { return outcome }
                    return .deferred
                }
                let outcome = flow.answer(answer) ?? .deferred
                let option = grants.option
                grants = flow.grants
                grants.option = option
                return outcome
            }
        } catch {
            throw Failure(error, of: file)
        }
        _ = claim
        try finish(flow, outcome)
    }

    private var request: RequestFlow.Request {
        switch name {
        case .location:
            fullAccuracy.map { .fullAccuracy(purpose: $0, seconds: seconds ?? 3600) } ?? .location(always: always)
        case .motion: .motion
        case .bluetooth: .bluetooth
        case .health: .health
        }
    }

    private func step(_ flow: inout RequestFlow, _ call: Call) throws(Failure) -> RequestFlow.Step {
        do throws(RequestFlow.MissingPurpose) {
            return try flow.begin(request)
        } catch {
            guard let file = call.configurationFile else {
                throw Failure(.usage, "\(error); name a configuration with it: --config FILE")
            }
            throw Failure(.badFile, "\(file): \(error)")
        }
    }

    private func settled(_ flow: inout RequestFlow, _ call: Call) throws(Failure) -> RequestFlow.Outcome {
        guard case .settled(let outcome) = try step(&flow, call) else { return .deferred }
        return outcome
    }

    private func finish(_ flow: RequestFlow, _ outcome: RequestFlow.Outcome) throws -> Never {
        let lines = PermissionsReport.Line.all(flow.authorizations)
        var text = ""
        if options.format == .json { text = try Output.document(PermissionsReport(permissions: lines)) }
        switch outcome {
        case .granted:
            if options.format == .text, let line = lines.first(where: { $0.id == name.rawValue }) {
                text = "\(name.title): \(line.status) (\(line.evidence))\n"
            }
            Output.finish(text, status: 0)
        case .refused(let reason, let remedy):
            Output.complain("\(name.title) is not granted: \(reason)" + (remedy.map { "; → \($0)" } ?? ""))
            Output.finish(text, status: 1)
        case .deferred:
            Output.complain("nothing was recorded: the grants changed while the question was open; ask again")
            Output.finish(text, status: 2)
        }
    }

    /// Asks on the terminal; nil where it is put away.
    ///
    /// Without a terminal the program ends.
    private static func ask(_ question: Question) throws(Failure) -> Question.Answer? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            let answers = question.answers.map(\.rawValue).joined(separator: "|")
            Output.complain(
                "there is no terminal to ask on: '\(question.text)' (\(question.purpose)); --answer \(answers)")
            Output.finish("", status: 2)
        }
        var lines = ["\(question.text)", "  \(question.purpose.cleaned)"]
        for (number, answer) in question.answers.enumerated() {
            lines.append("  \(number + 1)  \(question.meaning(of: answer)) (\(answer.rawValue))")
        }
        for _ in 0..<3 {
            Output.prompt((lines + ["> "]).joined(separator: "\n"))
            guard let line = readLine() else { return nil }
            let word = line.cleaned.filter { $0 != " " }.lowercased()
            if word.isEmpty { return nil }
            if let number = Int(word), question.answers.indices.contains(number - 1) {
                return question.answers[number - 1]
            }
            if let answer = question.answers.first(where: { $0.rawValue.hasPrefix(word) }) { return answer }
            lines = ["Please answer with one of the numbers, or press Return to be asked another time."]
        }
        return nil
    }
}

extension Question.Answer: ExpressibleByArgument {}
