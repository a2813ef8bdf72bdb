import ArgumentParser
import CommandOptions
import DriverKit
import Linux
import LocalRig
import Rendering
import SystemPackage

struct InitCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented configuration of what this rig has.",
        discussion: """
            The file lists the services of --service, else those that run now; the other services, the sensors and \
            every other key are comments to choose from. It changes no verdict of these services. A configuration that exists is not read, and an \
            existing file is replaced only with --force.

            Try:
              rigready init                         write rigready.yaml
              rigready --config rigready.yaml       check the rig with it
              rigready init - --rig field-kit       print the file for a recorded rig
            """
    )

    @Argument(help: "The file to write, or - for standard output.", completion: .file())
    var file = "rigready.yaml"

    @OptionGroup var overwriting: OverwriteOptions
    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var terminals: TerminalOptions

    var rigOptions: LocalRig.Options { get throws { try LocalRig.Options(services, options, reading, user) } }
    var isQuiet: Bool { terminals.quiet }

    func run() throws {
        if options.configuration.config != nil {
            throw CommandFailure(
                .usage, "init writes a configuration and reads none, so it cannot be used with --config.")
        }
        let isPrinted = file == "-"
        if !isPrinted { try OutputFile.checkNew(file, overwrites: overwriting.force) }
        let rig = try assembled(by: rigOptions.withoutConfiguration)
        let assessment = try rig.assess()
        let other = otherOptions
        let check = (["rigready --config \(ShellWord.shown(isPrinted ? "rigready.yaml" : file))"] + other)
            .joined(separator: " ")
        let text = StarterConfiguration(
            assessment: assessment, options: rig.options,
            command: check, hasOtherOptions: !other.isEmpty
        ).text
        if isPrinted { Output.finish(text, status: 0) }
        // A file that others may read, as far as the umask allows.
        try OutputFile.create(
            file, with: Array(text.utf8), access: .asBefore(new: FilePermissions(rawValue: 0o666)),
            overwrites: overwriting.force)
        if !isQuiet {
            let running = assessment.services.count {
                rig.options.services != nil || [.runs, .degraded].contains($0.verdict)
            }
            let others = (assessment.services.count - running).counted("service")
            let sensors = assessment.sensors.count.counted("sensor")
            Output.complain(
                "wrote \(file): \(running.counted("service")) in use, \(others) and \(sensors) as comments; try: \(check)"
            )
        }
        Output.finish("", status: 0)
    }

    /// The options that were given and that have no key in a configuration, as typed.
    private var otherOptions: [String] {
        var words: [String] = []
        func add(_ option: String, _ value: String?) {
            if let value { words.append("\(option) \(ShellWord.shown(value))") }
        }
        let (sensors, probe) = (options.sensors, options.probe)
        add("--rig", options.rig)
        add("--min-fix", sensors.minFix.map { $0.rawValue.lowercased() })
        add("--max-age", sensors.maxAge.map { "\($0)" })
        if sensors.noSimulated { words.append("--no-simulated") }
        if options.verdict.strict { words.append("--strict") }
        add("--depth", reading.depth?.rawValue)
        add("--timeout", probe.timeout.map { "\($0)" })
        add("--wait-fix", probe.waitFix.map { "\($0)" })
        add("--gpsd", probe.gpsd?.description)
        for context in probe.iio { add("--iio", context) }
        add("--sysfs", reading.sysfs)
        add("--permissions", options.decisions.permissions)
        add("--policy", options.decisions.policy)
        add("--as", user.user)
        add("--as-unit", user.asUnit)
        add("--as-pid", user.asPid.map(String.init))
        add("--as-container", user.asContainer)
        return words
    }
}
