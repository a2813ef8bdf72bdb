import ArgumentParser
import CommandOptions
import LocalRig
import DriverKit
import Fleet

struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Show what every rig that publishes to a broker can run, and why not.",
        discussion: """
            Rigs publish with rigready watch --publish URL. A rig counts if it is online and was seen at most 30 seconds \
            ago. For every other rig the reason is shown.

            Exit status: 0 at least one rig runs all requested services, with --all every rig; 1 no rig does; 2 no \
            broker answers, or it cannot be determined.

            Try:
              rigready fleet --broker mqtt://lab --service impact    each rig, and whether it runs this
              rigready fleet --service impact --pick                 the name of one rig that runs it
              rigready fleet --broker mqtt://n1 --broker mqtt://n2   a cluster's nodes
              rigready fleet --watch                                 each change
              rigready fleet --forget bench-07                       remove a rig that no longer exists

            Without --broker it takes the configuration's brokers, and its user, password and certificates in any case.
            """)

    @OptionGroup var broker: BrokerOptions
    @OptionGroup var services: ServiceOptions
    @OptionGroup var file: ConfigurationOptions

    @Flag(help: "Ask whether every rig runs them, not whether one does.")
    var all = false

    @Flag(help: "Print only the name of one rig that runs them.")
    var pick = false

    @Flag(help: "Go on, and show each change; piped, one line per change or, with --format json, one document.")
    var watch = false

    @Option(help: .value("name", "Remove what the broker keeps of this rig."))
    var forget: String?

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: .value("seconds", "Listen for this time first, to detect wrong clocks; end a --watch after it."))
    var seconds: Double?

    @Option(
        parsing: .unconditional,
        help: .value("seconds", "How long a broker may take to answer, and to send everything (default: 5)."))
    var timeout: Double?

    @OptionGroup var printing: PrintOptions<PageFormats>

    func validate() throws {
        if printing.quiet, watch || pick {
            throw ValidationError("--quiet prints nothing, which \(watch ? "--watch" : "--pick") is for.")
        }
        if watch, printing.format == .html {
            throw ValidationError(
                "--watch needs text or JSON; for a live page use rigready-web --broker.")
        }
        try checkSeconds("for", seconds, in: 0.05...86_400 * 365)
        try checkSeconds("timeout", timeout, in: 0.05...3600)
        if pick, watch || printing.format == .json || printing.format == .html {
            throw ValidationError("--pick prints a name, and ends.")
        }
        if pick, all { throw ValidationError("--pick needs one rig that runs what is asked, and --all every one.") }
        if forget != nil,
            watch || pick || all || !services.service.isEmpty || seconds != nil || printing.formats.chosenFormat != nil
        {
            throw ValidationError("--forget removes a rig, and takes only --broker, --config and --timeout.")
        }
        if let forget, RigName(forget) == nil {
            throw ValidationError(
                "--forget takes the name of a rig: letters, digits, _ and -, not '\(forget.singleLine)'.")
        }
    }

    func run() throws {
        let named = try services.services
        // Without the services: the configuration need not contain the requested ones.
        let options = try LocalRig.Options(file)
        let configuration = try LocalRig.asked(by: options).configuration
        guard let brokers = try BrokerConfiguration(named: broker.broker, by: "--broker", or: configuration.broker)
        else {
            let file = file.config ?? LocalRig.defaultConfiguration
            throw CommandFailure(.usage, "name a broker: --broker mqtt://HOST, or broker: in \(file).")
        }
        if let warning = brokers.passwordWarning { Output.complain(warning) }
        let question = FleetQuestion(
            brokers: brokers, services: named.isEmpty ? configuration.services : ServiceSet(named), all: all,
            patience: timeout ?? 5)
        if let forget, let name = RigName(forget) { try question.forget(name) }
        if watch { try FleetWatch(question, format: printing.format, color: printing.color).run(for: seconds) }
        try answer(question)
    }

    /// Prints what the broker has now, and exits.
    private func answer(_ question: FleetQuestion) throws -> Never {
        let subscription: FleetSubscription
        do {
            let first = question.brokers.urls.first.map { "\($0)" } ?? "the broker"
            subscription = try ProgressLine.during(first, isShown: !printing.quiet, seconds: question.patience) {
                try question.subscribe()
            }
            if let seconds {
                try ProgressLine.during("changes", isShown: !printing.quiet, seconds: seconds) {
                    try subscription.listen(until: .now.advanced(bySeconds: seconds))
                }
            }
        } catch {
            // Its name, and no other, is the result of --pick.
            if printing.format == .json {
                Output.complain("\(error)")
                let document = FleetDocument(withoutBrokerAt: RigIdentity.now)
                Output.finish(printing.quiet ? "" : try Output.document(document), status: document.exitStatus)
            }
            throw error is CommandFailure ? error : CommandFailure(.cannotTell, "\(error)")
        }
        subscription.remarks.forEach(Output.complain)
        let rigs = subscription.rigs.standings(asked: question.services)
        let document = question.document(of: rigs, from: subscription)
        if pick {
            let fit = rigs.first(where: \.standing.isWhole) ?? rigs.first { $0.standing.outcome == .runs }
            Output.finish(fit.map { "\($0.name)\n" } ?? "", status: document.exitStatus)
        }
        if printing.format == .json {
            if !printing.quiet { try document.write(to: Output.write) }
            Output.finish("", status: document.exitStatus)
        }
        let overview = FleetOverview(rigs, broker: subscription.url, services: question.services)
        let result = CommandResult(
            document: { document }, text: overview.text, page: { overview.html(at: document.takenAt) },
            status: document.exitStatus)
        try printing.finish(result)
    }
}

struct FleetQuestion {
    let brokers: BrokerConfiguration
    /// The requested services; nil for those that each rig evaluates.
    let services: ServiceSet?
    let all: Bool
    /// Seconds that a broker may take to answer, and to send everything.
    let patience: Double

    /// Connects to the first broker that answers, and reads everything that it keeps.
    func subscribe() throws -> FleetSubscription {
        let subscription = try open()
        try subscription.readAll(until: .now.advanced(bySeconds: patience))
        return subscription
    }

    private func open() throws -> FleetSubscription {
        do throws(FleetSubscription.NoBroker) {
            return try FleetSubscription(brokers, patience: patience)
        } catch {
            if let file = error.errors.first(where: { $0.code == .unusableFile }) {
                throw CommandFailure(.badFile, "\(file)")
            }
            throw error
        }
    }

    func document(
        of rigs: [(name: RigName, standing: RigStatus)], from subscription: FleetSubscription
    ) -> FleetDocument {
        FleetDocument(
            rigs, broker: subscription.url, all: all, isCut: subscription.rigs.isCut, takenAt: RigIdentity.now)
    }

    /// Removes what the broker keeps of a rig, and exits.
    func forget(_ name: RigName) throws -> Never {
        let count: Int
        do {
            count = try open().forget(name, patience: patience)
        } catch let error as BrokerError where error.code == .inUse {
            Output.complain(error.reason)
            Output.finish("", status: 1)
        } catch {
            throw error is CommandFailure ? error : CommandFailure(.cannotTell, "\(error)")
        }
        Output.finish(
            count == 0 ? "no messages from \(name) on the broker\n" : "forgotten: \(name), \(count) topics\n",
            status: 0)
    }
}
