import ArgumentParser
import Readiness

/// The command line, as `contract.md` in the documentation describes it.
@main
struct RigReady: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "rigready",
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
              rigready watch                               the report again at each change
              rigready --format json | jq .exitStatus      for scripts
            """,
        version: version,
        subcommands: [
            Check.self, Watch.self, Sensors.self, Explain.self, Services.self, PermissionsCommand.self, Record.self,
            Compare.self,
        ],
        defaultSubcommand: Check.self
    )

    static func main() {
        Output.holdStandardDescriptors()
        guard CommandLine.argc > 0 else {
            Output.leave(Failure(.software, "the call's words cannot be read: is /proc mounted?"))
        }
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as Failure {
            Output.leave(failure)
        } catch {
            Self.leave(error)
        }
    }

    private static let names = [
        "check", "watch", "sensors", "explain", "services", "permissions", "record", "compare", "help",
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
                Output.leave(Failure(.usage, "the command comes first: rigready \(late) …"))
            }
        }
        exit(withError: error)
    }

    private static func unknown(_ word: String, among names: [String]) -> Failure {
        let hint = suggestion(for: word, among: names).map { " Did you mean '\($0)'?" } ?? ""
        return Failure(.usage, "there is no command '\(word.cleaned)'.\(hint) See 'rigready --help'.")
    }
}
