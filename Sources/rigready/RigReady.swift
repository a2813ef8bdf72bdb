import ArgumentParser
import CMalloc
import LocalRig
import Readiness

/// The command line, as `contract.md` in the documentation describes it.
@main
struct RigReady: ParsableCommand {
    static let name = "rigready"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Tells which services can run on this rig, and if one cannot, why and what would mend it.",
        discussion: """
            Without a command it checks this rig: it looks for motion sensors (IIO), Bluetooth controllers and location \
            receivers (gpsd), asks each for a sample, and judges thirteen services by what they require.

            Exit status: 0 every service asked for runs; 1 at least one does not; 2 none fails, but at least one cannot \
            be told; 64 the call's words are wrong; 66 a file cannot be read or is not valid; 70 a fault of rigready; \
            73 a file cannot be written.

            Try:
              rigready                                     this rig, now
              rigready --rig demo                          a rig with everything, from a recording
              rigready --rig field-kit                     one that lacks some; and prototype-board, which lacks much
              rigready --service dfd --service impact      two services, and whether a job may start
              rigready explain impact                      one service: each requirement, its evidence and its remedy
              rigready permissions request location        ask the user, as a phone would
              rigready consent --service driving           walk a person through what driving needs
              rigready audit App/Info.plist                does a host app declare what its services ask for
              rigready watch                               the report again at each change
              rigready --format json | jq .exitStatus      for scripts
            """,
        version: Release.version,
        subcommands: [
            CheckCommand.self, WatchCommand.self, SensorsCommand.self, ExplainCommand.self, ServicesCommand.self,
            PermissionsCommand.self, RecordCommand.self,
            CompareCommand.self, AuditCommand.self, ConsentCommand.self,
        ],
        defaultSubcommand: CheckCommand.self
    )

    static func main() {
        Output.holdStandardDescriptors()
        // A handful of threads that allocate little need no heap each.
        _ = mallopt(M_ARENA_MAX, 1)
        guard CommandLine.argc > 0 else {
            Output.leave(CommandFailure(.software, "the call's words cannot be read: is /proc mounted?"))
        }
        let words = Array(CommandLine.arguments.dropFirst())
        if words == ["--version"] { Output.finish(Release.version + "\n", status: 0) }
        do {
            var command = try alone(words) ?? parseAsRoot()
            try command.run()
        } catch let failure as CommandFailure {
            Output.leave(failure)
        } catch let error as LocalRigError {
            Output.leave(CommandFailure(error))
        } catch {
            Self.leave(error)
        }
    }

    /// The command of a call without fault, parsed by itself: the parser's work grows with the tree it is given.
    ///
    /// Nil for every other call, which the whole tree has to answer. Each command tells its name itself, since the parser
    /// would make it of the type's at every call, and the command that it belongs to, since the parser would else look first
    /// whether it is asked for the completions of a program.
    private static func alone(_ words: [String]) -> (any ParsableCommand)? {
        guard let first = words.first, !first.hasPrefix("-") else { return try? CheckCommand.parse(words) }
        let type = configuration.subcommands.first { $0._commandName == first }
        guard let type, type.configuration.subcommands.isEmpty else { return nil }
        return try? type.parse(Array(words.dropFirst()))
    }

    private static let names = [
        "check", "watch", "sensors", "explain", "services", "permissions", "record", "compare", "audit",
        "consent", "help",
    ]
    private static let namesOfPermissions = ["show", "grant", "revoke", "reset", "forget", "request"]

    /// Ends with the parser's own message and status; a mistyped command gets the nearest one suggested.
    private static func leave(_ error: any Error) -> Never {
        let words = Array(CommandLine.arguments.dropFirst())
        let status = exitCode(for: error)
        if status == .success {
            // `help chek` shows the whole help as if nothing were wrong.
            if words.first == "help", words.count > 1, !names.contains(words[1]) {
                Output.leave(unknown(words[1], among: names))
            }
            Output.finish(fullMessage(for: error) + "\n", status: 0)
        }
        if status == .validationFailure, let first = words.first {
            if !first.hasPrefix("-"), !names.contains(first) { Output.leave(unknown(first, among: names)) }
            if first == "permissions", words.count > 1, !words[1].hasPrefix("-"),
                !namesOfPermissions.contains(words[1])
            {
                Output.leave(unknown(words[1], among: namesOfPermissions))
            }
            if first.hasPrefix("-"), let late = words.first(where: names.contains) {
                Output.leave(CommandFailure(.usage, "the command comes first: rigready \(late) …"))
            }
        }
        exit(withError: error)
    }

    private static func unknown(_ word: String, among names: [String]) -> CommandFailure {
        let hint = suggestion(for: word, among: names).map { " Did you mean '\($0)'?" } ?? ""
        return CommandFailure(.usage, "there is no command '\(word.singleLine)'.\(hint) See 'rigready --help'.")
    }
}
