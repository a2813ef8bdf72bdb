import ArgumentParser
import CommandOptions
import CGlibc
import Glibc
import LocalRig

/// The command line, as `Documentation/commands.md` describes it.
@main
struct RigReady: ParsableCommand {
    static let name = "rigready"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Show which services can run on this rig and, if one cannot, why, and what fixes it.",
        discussion: """
            Without a command it checks this rig: it looks for motion sensors (IIO), Bluetooth controllers and location \
            receivers (gpsd), reads a sample of each, and evaluates the requirements of thirteen services. The options of \
            this check are in rigready check --help.

            Exit status: 0 every service asked for runs; 1 at least one does not; 2 none fails, but at least one is \
            undetermined; 64 invalid arguments; 66 a file cannot be read or is not valid; 70 an internal error; 73 a \
            file cannot be written.

            Try:
              rigready                                  this rig, now
              rigready --rig demo                       a recorded rig with everything
              rigready --rig field-kit                  one that lacks some sensors
              rigready --service dfd --service impact   two services, for a job
              rigready explain                          why each service that does not run fails
              rigready explain impact                   each requirement, evidence and fix
              rigready fix                              ask, and run what fixes each cause
              rigready permissions                      what this user may use, and who decided it
              rigready consent --service driving        ask for all that driving needs
              rigready audit App/Info.plist             what the app declares and lacks
              rigready measure                          how good each sensor is
              rigready watch                            the report again at each change
              rigready history --since 7d               how often each requirement changed
              rigready fleet --service impact --pick    one rig of the lab that runs it
              rigready --format json | jq .exitStatus   for scripts
              rigready --output html=rig.html           a page for a ticket too
              rigready init                             a commented configuration of this rig
              rigready support                          one archive for a ticket
            """,
        version: Release.version,
        subcommands: [
            CheckCommand.self, WatchCommand.self, SensorsCommand.self, ExplainCommand.self, ServicesCommand.self,
            PermissionsCommand.self, RecordCommand.self, CompareCommand.self, AuditCommand.self, ConsentCommand.self,
            FixCommand.self, MeasureCommand.self, HistoryCommand.self, FleetCommand.self, SchemaCommand.self,
            InitCommand.self, SupportCommand.self,
        ],
        defaultSubcommand: CheckCommand.self
    )

    /// The arguments.
    private static let words = ProbeProcess.arguments()

    static func main() {
        SubjectServer.serveIfStarted()
        Output.holdStandardDescriptors()
        // A file that may not grow (RLIMIT_FSIZE) is then an error of writing, and not the end of the program.
        signal(SIGXFSZ, SIG_IGN)
        // A few threads that allocate little need no arenas of their own.
        _ = mallopt(M_ARENA_MAX, 1)
        guard CommandLine.argc > 0 else {
            Output.fail(CommandFailure(.software, "the arguments cannot be read: is /proc mounted?"))
        }
        run {
            var command = try parseAsRoot(words)
            if let probing = command as? any ProbingCommand, probing.mayBlock {
                try ProbeProcess.start(asService: probing.isService)
            }
            try command.run()
            ProbeProcess.end(EXIT_SUCCESS)
        }
    }

    /// Runs a command, or the rest of one; if it fails, prints why and exits with the status for it.
    static func run(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            if let failure = CommandFailure(error) { Output.fail(failure) }
            fail(error)
        }
    }

    /// Exits with the parser's message and status; for an unknown command it suggests the nearest one.
    private static func fail(_ error: any Error) -> Never {
        let names = configuration.subcommands.map { $0._commandName } + ["help"]
        let status = exitCode(for: error)
        if status == .success {
            // `help chek` shows the whole help without an error.
            if words.first == "help", words.count > 1, !names.contains(words[1]) {
                Output.fail(unknown(words[1], among: names))
            }
            let isHelp = words.contains("-h") || words.contains("--help") || words.first == "help"
            guard isHelp else {
                Output.finish(CompletionScript.completed(fullMessage(for: error)) + "\n", status: 0)
            }
            let message = Output.spelled(fullMessage(for: error, columns: 10_000))
            let help = HelpText.wrapped(message, to: Terminal.widthOfHelp)
            Output.finish(help + "\n", status: 0)
        }
        guard status == .validationFailure else { Output.fail(CommandFailure(.software, message(for: error))) }
        var path = name
        if let first = words.first {
            if !first.hasPrefix("-"), !names.contains(first) { Output.fail(unknown(first, among: names)) }
            let inner = PermissionsCommand.configuration.subcommands.map { $0._commandName }
            if first == "permissions", words.count > 1, !words[1].hasPrefix("-"), !inner.contains(words[1]) {
                Output.fail(unknown(words[1], among: inner, below: "\(name) permissions"))
            }
            if first.hasPrefix("-"), let late = words.first(where: names.contains) {
                Output.fail(CommandFailure(.usage, "the command comes first: rigready \(late) …"))
            }
            if names.contains(first) { path += " \(first)" }
            if first == "permissions", words.count > 1, inner.contains(words[1]) { path += " \(words[1])" }
        }
        Output.fail(CommandFailure(.usage, "\(complaint(about: error, in: words)) See '\(path) --help'."))
    }

    private static func unknown(_ word: String, among names: [String], below path: String = name) -> CommandFailure {
        let meant: String? =
            switch word {
            case "web", "board": "Scripts/run web"
            case _ where EmbeddedRig(rawValue: word) != nil: "rigready --rig \(word)"
            case _ where Service(named: word) != nil: "rigready --service \(word)"
            default: suggestion(for: word, among: names)
            }
        let hint = didYouMean(meant)
        return CommandFailure(.usage, "there is no command '\(word.singleLine)'.\(hint) See '\(path) --help'.")
    }
}
