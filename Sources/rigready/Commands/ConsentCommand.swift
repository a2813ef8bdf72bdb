import LocalRig
import ArgumentParser
import CommandOptions
import SystemPackage
import PhoneKit

struct ConsentCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent",
        abstract: "Ask for each permission that the services need.",
        discussion: """
            Each question shows what the permission is for, what it needs on this rig, its status and how to change it \
            later. It is asked until it is decided, even if access alone would allow it. An answer is recorded \
            immediately, so an interrupted consent continues where it stopped. Accepted does not mean granted: the \
            system may deny an accepted permission, or the device may be missing.

            Without a terminal the answers come from a file, YAML or JSON: location: allow, motion: deny. A permission \
            without an answer stays open.

            Exit status: 0 all are granted, 1 at least one is not, 2 none is refused, but at least one is open or \
            undetermined.

            Try:
              rigready consent --service driving --config app.yaml    with its reasons
              rigready consent --service health --with notifications
              rigready consent --with microphone --with health=stepCount,dateOfBirth
              rigready consent --answers answers.yaml --format json   for scripts
              rigready consent --again motion                         change an answer
            """)

    @Option(help: .value("file", "Take the answers from this YAML or JSON file."), completion: .file())
    var answers: String?

    @Option(
        help: .value(
            "name",
            "Also ask for this service of the system; alone, ask only for those named; repeatable. health=TYPE,… names "
                + "HealthKit's types."),
        completion: .list(SystemService.ids))
    var with: [String] = []

    @Option(help: .value("name", "Forget this answer and ask again; repeatable."), completion: .list(SystemService.ids))
    var again: [String] = []

    @Option(
        help: .value(
            "file", "Where the answers are kept (default: consent.yaml in the user's state folder for rigready)."),
        completion: .file())
    var state: String?

    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var printing: PrintOptions<DocumentFormats>

    var rigOptions: LocalRig.Options {
        get throws { try LocalRig.Options(services, options, reading).withoutSamples }
    }
    var isQuiet: Bool { printing.quiet }

    func validate() throws {
        func check(_ option: String, _ names: [String], among known: [String]) throws {
            for name in names where !known.contains(name) {
                let hint = didYouMean(suggestion(for: name, among: known))
                throw ValidationError("--\(option) takes \(known.joined(separator: ", ")), not '\(name)'.\(hint)")
            }
        }
        for name in with where SystemService(named: name) == nil {
            if !name.hasPrefix("health=") { try check("with", [name], among: SystemService.ids) }
            throw ValidationError(
                "--with takes HealthKit's types, such as health=stepCount,dateOfBirth,write:height, not '\(name)'.")
        }
        try check("again", again, among: SystemService.ids)
        if options.rig != nil, options.decisions.permissions == nil || state == nil {
            throw ValidationError("a recorded rig needs the files to write: --permissions FILE --state FILE.")
        }
    }

    func run() throws {
        let answers = try answers.map(Self.answers)
        let grants = try options.decisions.grantFile()
        guard let place = state.map({ FilePath($0) }) ?? UserFolder.state.path()?.appending("consent.yaml") else {
            throw CommandFailure(.usage, "this user has no home folder; name the file: --state FILE")
        }
        let rig = try assembled()
        let assessment = try rig.assess()
        let with = with.compactMap { SystemService(named: $0) }
        let isWanted = with.isEmpty || !services.service.isEmpty || rig.configuration.services != nil
        let host = rig.host(of: assessment, with: with, grants: grants, consent: ConsentFile(place))
        let permissioner = SystemServicePermissioner(host)
        let stops = ConsentStop.all(
            for: assessment, purposes: rig.configuration.purposes, with: with, wanted: isWanted)
        for stop in stops where again.contains(stop.service.id) { try permissioner.forget(stop.service) }
        try walk(stops, permissioner, answers)
        let report = try ConsentReport(stops, permissioner, rig, change: change)
        try printing.finish(
            CommandResult(document: { report }, text: report.text, status: report.exitStatus))
    }

    private func change(_ service: SystemService) -> String {
        service.howToChange(grants: options.decisions.permissions, answers: state)
    }

    /// Asks for each open permission, until the terminal has no more input.
    private func walk(
        _ stops: [ConsentStop], _ permissioner: SystemServicePermissioner, _ answers: [String: PermissionAnswer]?
    ) throws(SystemServiceError) {
        var isLeft = false
        for (number, stop) in stops.enumerated() where !isLeft {
            guard try permissioner.isOpen(stop.service, evenIfAllowed: true) else { continue }
            guard answers != nil || TerminalPrompter.hasStandardTerminal else {
                return Output.complain("there is no terminal to ask on; pass the answers with --answers FILE")
            }
            let state = permissioner.state(of: stop.service)
            let result = try permissioner.requestPermission(for: stop.service, evenIfAllowed: true) { question in
                if let answers { return answers[stop.service.id] }
                Output.log(
                    stop.introduction("\(number + 1) of \(stops.count)", state, change: change(stop.service)))
                switch TerminalPrompter(isASCII: Terminal.printsASCII).reply(to: question) {
                case .answered(let answer): return answer
                case .dismissed: return nil
                case .unattended:
                    isLeft = true
                    return nil
                }
            }
            if result == .busy {
                return Output.complain("another request is waiting for its answer; no more questions are asked")
            }
        }
    }

    /// The answers of a file, for use without a terminal.
    private static func answers(_ file: String) throws -> [String: PermissionAnswer] {
        let bytes = try InputFile.read(file, limit: 1 << 20, expecting: ConsentRecord.expectation)
        return try ConsentRecord.answers(parsing: bytes, file: file) { service in
            service == "location" ? [.allow, .once, .deny] : [.allow, .deny]
        }
    }
}
