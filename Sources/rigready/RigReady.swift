import ArgumentParser
import CGlibc
import Glibc
import LocalRig

/// The command line, as `contract.md` in the documentation describes it.
@main
struct RigReady: ParsableCommand {
    static let name = "rigready"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Show which services can run on this rig and, if one cannot, why, and what fixes it.",
        discussion: """
            Without a command it checks this rig: it looks for motion sensors (IIO), Bluetooth controllers and location \
            receivers (gpsd), reads a sample of each, and evaluates the requirements of thirteen services.

            Exit status: 0 every service asked for runs; 1 at least one does not; 2 none fails, but at least one is \
            undetermined; 64 invalid arguments; 66 a file cannot be read or is not valid; 70 an internal error; 73 a \
            file cannot be written.

            Try:
              rigready                                  this rig, now
              rigready --rig demo                       a recorded rig with everything
              rigready --rig field-kit                  one that lacks some sensors
              rigready --service dfd --service impact   two services, for a job
              rigready explain impact                   each requirement, evidence and fix
              rigready fix                              ask, and run what fixes each cause
              rigready permissions request location     ask the user, like a phone
              rigready consent --service driving        ask for all that driving needs
              rigready audit App/Info.plist             what the app declares and lacks
              rigready measure                          how good each sensor is
              rigready watch                            the report again at each change
              rigready history --since 7d               how often each requirement changed
              rigready fleet --service impact --pick    a rig of the lab that can
              rigready --format json | jq .exitStatus   for scripts
              rigready --output html=rig.html           a page for a ticket too
            """,
        version: Release.version,
        subcommands: [
            CheckCommand.self, WatchCommand.self, SensorsCommand.self, ExplainCommand.self, ServicesCommand.self,
            PermissionsCommand.self, RecordCommand.self, CompareCommand.self, AuditCommand.self, ConsentCommand.self,
            FixCommand.self, MeasureCommand.self, HistoryCommand.self, FleetCommand.self,
        ],
        defaultSubcommand: CheckCommand.self
    )

    static func main() {
        Output.holdStandardDescriptors()
        // A file that may not grow (RLIMIT_FSIZE) is then an error of writing, and not the end of the program.
        signal(SIGXFSZ, SIG_IGN)
        // A few threads that allocate little need no arenas of their own.
        _ = mallopt(M_ARENA_MAX, 1)
        guard CommandLine.argc > 0 else {
            Output.leave(CommandFailure(.software, "the arguments cannot be read: is /proc mounted?"))
        }
        let words = Array(CommandLine.arguments.dropFirst())
        if words == ["--version"] { Output.finish(Release.version + "\n", status: 0) }
        run {
            var command = try alone(words) ?? parseAsRoot()
            try command.run()
        }
    }

    /// Runs a command, or the rest of one; if it fails, prints why and exits with the status for it.
    static func run(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            if let failure = CommandFailure(error) { Output.leave(failure) }
            leave(error)
        }
    }

    /// Parses valid arguments with the command's own parser, since the parser's work grows with its command tree.
    ///
    /// Nil for all other arguments, which the whole tree handles. Each command states its name, since the parser would
    /// otherwise derive it from the type at every call, and its parent command, since the parser would otherwise first
    /// check for a completion request.
    private static func alone(_ words: [String]) -> (any ParsableCommand)? {
        guard let first = words.first, !first.hasPrefix("-") else { return try? CheckCommand.parse(words) }
        let type = configuration.subcommands.first { $0._commandName == first }
        guard let type, type.configuration.subcommands.isEmpty else { return nil }
        return try? type.parse(Array(words.dropFirst()))
    }

    /// Exits with the parser's message and status; for an unknown command it suggests the nearest one.
    private static func leave(_ error: any Error) -> Never {
        let words = Array(CommandLine.arguments.dropFirst())
        let names = configuration.subcommands.map { $0._commandName } + ["help"]
        let status = exitCode(for: error)
        if status == .success {
            // `help chek` shows the whole help without an error.
            if words.first == "help", words.count > 1, !names.contains(words[1]) {
                Output.leave(unknown(words[1], among: names))
            }
            let isHelp = words.contains("-h") || words.contains("--help") || words.first == "help"
            guard isHelp else {
                Output.finish(CompletionScript.completed(fullMessage(for: error)) + "\n", status: 0)
            }
            let help = HelpText.wrapped(fullMessage(for: error, columns: 10_000), to: Terminal.widthOfHelp)
            Output.finish(help + "\n", status: 0)
        }
        guard status == .validationFailure else { Output.leave(CommandFailure(.software, message(for: error))) }
        var path = name
        if let first = words.first {
            if !first.hasPrefix("-"), !names.contains(first) { Output.leave(unknown(first, among: names)) }
            let inner = PermissionsCommand.configuration.subcommands.map { $0._commandName }
            if first == "permissions", words.count > 1, !words[1].hasPrefix("-"), !inner.contains(words[1]) {
                Output.leave(unknown(words[1], among: inner))
            }
            if first.hasPrefix("-"), let late = words.first(where: names.contains) {
                Output.leave(CommandFailure(.usage, "the command comes first: rigready \(late) …"))
            }
            if names.contains(first) { path += " \(first)" }
            if first == "permissions", words.count > 1, inner.contains(words[1]) { path += " \(words[1])" }
        }
        // The parser's sentences in the form of all others.
        var text = message(for: error)
        text = text.prefix(1).lowercased() + text.dropFirst()
        if text.last != ".", text.last != "?" { text += "." }
        if let meant = OptionSynonyms.meant(by: text, in: helpMessage(of: words)) {
            text = meant
        }
        Output.leave(CommandFailure(.usage, "\(text) See '\(path) --help'."))
    }

    /// The help of the command that the words name.
    private static func helpMessage(of words: [String]) -> String {
        let named = configuration.subcommands.first { $0._commandName == words.first } ?? CheckCommand.self
        let inner = named.configuration.subcommands.first { words.count > 1 && $0._commandName == words[1] }
        return (inner ?? named.configuration.defaultSubcommand ?? named).helpMessage()
    }

    private static func unknown(_ word: String, among names: [String]) -> CommandFailure {
        let hint = didYouMean(suggestion(for: word, among: names))
        return CommandFailure(.usage, "there is no command '\(word.singleLine)'.\(hint) See 'rigready --help'.")
    }
}
