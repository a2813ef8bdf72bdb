import ArgumentParser
import CommandOptions
import DriverKit
import LocalRig
import Rendering

struct FixCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "fix",
        abstract: "Walk through the causes of what does not run, and run the commands that fix them.",
        discussion: """
            fix shows the causes in repair order, each with its remedies and their requirements. For each command of \
            the report it asks: y runs the command, s or Return skips it, q ends fix. The command runs as printed, for \
            at most five minutes; then fix probes the rig again and shows the change. If a command still runs after \
            five minutes and cannot be ended because it runs as root, fix prints its process number and stops. If a \
            command fails, fix prints its error output, and repeats nothing. It takes back settings of a unit (a drop-in) \
            that have changed nothing, and undoes nothing else. Remedies without a command are only shown.

            Exit status: as check, of the last probe; 64 without a terminal, unless --yes or --dry-run is given.

            Try:
              rigready fix                         ask before each command
              rigready fix --dry-run >fix.sh       the same commands as a shell script
              rigready fix --yes --service impact  run them all; only show decisions
            """)

    @Flag(help: "Print the steps as a shell script, and run nothing.")
    var dryRun = false

    @Flag(help: "Run every command without asking; requests for a permission are only shown.")
    var yes = false

    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var terminals: TerminalOptions

    var rigOptions: LocalRig.Options { get throws { try LocalRig.Options(services, options, reading, user) } }
    var isWatching: Bool { !dryRun }
    var isQuiet: Bool { terminals.quiet }

    func validate() throws {
        if isQuiet, !yes { throw ValidationError("fix shows what it asks, so --quiet needs --yes.") }
        if options.rig != nil, !dryRun {
            throw ValidationError("fix changes this machine; for a recording it only prints the steps: --dry-run.")
        }
    }

    func run() throws {
        if dryRun {
            let rig = try assembled()
            let assessment = try rig.assess()
            Output.finish(isQuiet ? "" : assessment.fixScript, status: assessment.exitStatus)
        }
        guard yes || TerminalPrompter.hasStandardTerminal else {
            throw CommandFailure(
                .usage, "there is no terminal to ask on; --yes runs every command, --dry-run prints them.")
        }
        let rig = try assembled()
        var walk = FixWalk(asks: !yes, terminal: isQuiet ? nil : terminals.colors.terminal)
        var assessment = try rig.assess()
        while let step = walk.next(of: assessment) {
            guard try walk.run(step) else { continue }
            let after: Assessment
            do {
                // With the files as they are now.
                after = try assembled().assess()
            } catch {
                // Such as a unit that does not start with its new setting.
                _ = try walk.undo(step)
                throw error
            }
            let isUndone = try walk.showChange(from: assessment, to: after) == .none && walk.undo(step)
            assessment = isUndone ? try assembled().assess() : after
        }
        let tally = Output.spelled("\n\(assessment.tallyWords.text)\n")
        Output.finish(isQuiet ? "" : tally, status: assessment.exitStatus)
    }
}

private struct FixStep {
    let cause: RootCause
    let heading: String
    /// What is wrong in one clause, and the services that the heading only counts.
    let explanation: [String]
    let remedy: Remedy

    /// What `/bin/sh` runs; nil for what a person does, or an option of another probe.
    var line: String? { remedy.shellLine }

    /// The command that takes its change back; nil if there is none.
    var undo: ShellCommand? { if case .command(let command, _) = remedy { command.undo } else { nil } }

    /// Whether only a person may answer it.
    var isDecision: Bool { if case .permission = remedy { true } else { false } }

    /// What is the same after another probe, whatever its details say.
    var identity: String { line ?? "\(cause.id) \(cause.cause.id) \(remedy)".filter { !$0.isNumber } }
}

extension Assessment {
    /// The remedies of the root causes in their order, without the accepted ones.
    fileprivate var fixSteps: [FixStep] {
        let accepted = acceptedRequirements
        let causes = rootCauses.filter { !$0.requirements.allSatisfy(accepted.contains) }
        return causes.withHeadings.flatMap { heading, cause in
            let explanation = [cause.detail].compactMap(\.self) + causes.effectLines(of: cause)
            return cause.remedies.map {
                FixStep(cause: cause, heading: heading, explanation: explanation, remedy: $0)
            }
        }
    }

    /// The steps as a script of the shell: the commands as printed, everything else as comments.
    fileprivate var fixScript: String {
        var lines = [
            "#!/bin/sh", "# \(rig.host) at \(rig.takenAt): \(tallyWords.text); by rigready \(Release.version)",
        ]
        var heading: String?
        for step in fixSteps {
            if step.heading != heading {
                lines += ["", "# \(step.heading)"] + step.explanation.map { "# \($0)" }
                heading = step.heading
            }
            if let needs = step.remedy.needsInWords { lines.append("# \(needs)") }
            lines.append(step.line == nil ? "# \(step.remedy.commandLine)" : step.remedy.commandLine)
        }
        // A command keeps its characters: it may name a file.
        return lines.map(\.singleLine).map { ($0.hasPrefix("#") ? Output.spelled($0) : $0) + "\n" }.joined()
    }
}

private struct FixWalk {
    /// How long a command may take, in seconds: long enough to install a package.
    static let limit = 300.0

    let asks: Bool
    /// Where it is shown; nil for nowhere.
    let terminal: Terminal?
    var taken: Set<String> = []
    var heading: String?
    var isStopped = false
    /// Whether the last command did what it should.
    var hasSucceeded = false

    /// The first step that was not taken yet.
    mutating func next(of assessment: Assessment) -> FixStep? {
        guard !isStopped, let step = assessment.fixSteps.first(where: { !taken.contains($0.identity) }) else {
            return nil
        }
        taken.insert(step.identity)
        return step
    }

    /// Shows a step and, if it is a command and the person agrees, runs it; returns whether it was run.
    mutating func run(_ step: FixStep) throws -> Bool {
        if let terminal {
            var page = Page(terminal)
            if step.heading != heading {
                page.blank()
                page.hanging(0, step.heading, .strong)
                for line in step.explanation { page.hanging(2, line, nil) }
            }
            page.remedy(2, step.remedy, needs: step.remedy.needsInWords)
            Output.write(page.text)
        }
        heading = step.heading
        guard let line = step.line, asks || !step.isDecision, agrees() else { return false }
        let outcome = try rethrowing(
            as: { (error: any Error) in CommandFailure(.software, "/bin/sh cannot be started: \(error)") },
            try ShellProcess.run(line, seconds: Self.limit, isDialog: step.isDecision))
        if !outcome.isSuccess { show("it \(outcome.words)", .bad) }
        hasSucceeded = outcome.isSuccess
        // What comes next would run at the same time.
        if !outcome.survivors.isEmpty { isStopped = true }
        return true
    }

    private mutating func agrees() -> Bool {
        guard asks else { return true }
        let reply = TerminalPrompter(isASCII: Terminal.printsASCII).reply(
            to: FixAnswer.prompt, orElse: FixAnswer.nextPrompt, choice: FixAnswer.reply)
        switch reply {
        case .answered(.run): return true
        case .answered(.skip), .dismissed:
            show("skipped", .doubtful)
            return false
        case .answered(.quit), .unattended:
            isStopped = true
            return false
        }
    }

    enum Effect { case none, some }

    /// Shows what a step has changed.
    func showChange(from before: Assessment, to after: Assessment) -> Effect {
        let differences = Comparison(before: before, after: after).differences
        show(differences.isEmpty ? "nothing has changed" : differences.summary, differences.isEmpty ? .doubtful : .good)
        return differences.isEmpty ? .none : .some
    }

    /// Takes back what a step has changed; returns whether it could be.
    ///
    /// After a command that failed, nothing is known to have been changed.
    mutating func undo(_ step: FixStep) throws -> Bool {
        guard hasSucceeded, !isStopped, let undo = step.undo else { return false }
        show("fix takes it back: \(undo.line)", .doubtful)
        let outcome = try ShellProcess.run(undo.line, seconds: Self.limit)
        if !outcome.isSuccess { show("it \(outcome.words)", .bad) }
        if !outcome.survivors.isEmpty { isStopped = true }
        return outcome.isSuccess
    }

    private func show(_ words: String, _ style: Terminal.Style) {
        guard let terminal else {
            // A problem is told all the same.
            if style == .bad { Output.complain("\(heading ?? ""): \(words)") }
            return
        }
        var page = Page(terminal)
        page.hanging(2, words, style)
        Output.write(page.text)
    }
}

extension ShellProcess.CommandOutcome {
    /// What became of it, after "it".
    var words: String {
        let end =
            switch end {
            case .exited(let status): "failed with status \(status)"
            case .signalled(let signal): "was ended by signal \(signal)"
            case .late where survivors.isEmpty: "was ended after \(Int(FixWalk.limit)) s"
            case .late:
                "still runs after \(Int(FixWalk.limit)) s and cannot be ended by this user "
                    + "(process \(survivors.map(String.init).list("and"))); nothing else is run"
            }
        return end + (said.isEmpty ? "" : ": \(said)")
    }
}
