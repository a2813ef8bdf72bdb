import ArgumentParser
import CommandOptions
import LocalRig
import DriverKit
import Fleet
import Glibc
import Rendering

struct WatchCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the report again at each change, driven by events.",
        discussion: """
            On a terminal it shows a board: the verdict on top, services, sensors and the last events below it; ? shows its keys, and q ends it \
            and leaves the report behind. Otherwise it prints one line per change, and with --format json one report per \
            line. It does not poll: a sensor that stops delivering raises no event, so only --resample detects it, and \
            draws the signals of motion sensors.

            As a gate: rigready watch --until runs --stable 5 --resample 1 --for 120 --service impact
            Its exit status is that of a check, and 2 if the services did not run for as long as --stable requires. \
            --output junit=gate.xml writes the last report when the watch ends.

            As a service: systemctl enable --now rigready, which runs rigready watch --keep /run/rigready/report.json; \
            any command with --cached then uses its report. The service also writes metrics for Prometheus, and the \
            history that rigready history prints.

            For a fleet: rigready watch --publish mqtts://lab; rigready fleet then shows every rig. The user, the password \
            and the certificates are in the configuration.
            """)

    enum Goal: String, CaseIterable, ExpressibleByArgument { case runs }

    @Option(name: .customLong("for"), parsing: .unconditional, help: .value("seconds", "End after this time."))
    var seconds: Double?

    @Option(help: .value("goal", "End as soon as every service asked for runs."))
    var until: Goal?

    @Option(
        parsing: .unconditional, help: .value("seconds", "Make --until wait until the goal has held for this time."))
    var stable: Double = 0

    @Option(
        help: .value(
            "file", "Keep the current report in this file (0640, coarse positions) for --cached, and log changes."))
    var keep: String?

    @Option(
        help: .value(
            "file", "Write the history of requirement changes to this file (mode 0640); see rigready history."
        ), completion: .file())
    var history: String?

    @Option(
        help: .value(
            "url",
            "Publish to this MQTT broker (mqtt://HOST[:PORT], mqtts://…), and log changes; repeatable, tried in turn."
        ))
    var publish: [String] = []

    @Option(help: .value("name", "The rig's name at the broker (default: the host's)."))
    var name: String?

    @Flag(help: "Also announce the rig to Home Assistant, by its MQTT discovery; needs --publish.")
    var homeAssistant = false

    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var printing: PrintOptions<DocumentFormats>
    @OptionGroup var files: OutputOptions
    @OptionGroup var monitoring: MetricsOptions
    @OptionGroup var following: WatchOptions

    var rigOptions: LocalRig.Options { get throws { try LocalRig.Options(services, options, reading, user) } }
    var isWatching: Bool { true }
    var isQuiet: Bool { printing.quiet }

    func validate() throws {
        if isService, printing.format != .text {
            throw ValidationError(
                keep == nil
                    ? "--publish publishes JSON, and writes a log." : "--keep writes JSON to its file, and a log.")
        }
        if files.output.isRecorded {
            throw ValidationError("watch records no probe, so it has no --output record; use rigready record FILE.")
        }
        if homeAssistant, publish.isEmpty { throw ValidationError("--home-assistant needs --publish.") }
        if name != nil, publish.isEmpty { throw ValidationError("--name needs --publish.") }
        if let name, RigName(name) == nil {
            throw ValidationError("--name takes up to 64 letters, digits, _ and -, not '\(name.singleLine)'.")
        }
        try checkSeconds("for", seconds, in: 0.05...86_400 * 365)
        try checkSeconds("stable", stable, in: 0...86_400)
        if stable > 0, until == nil { throw ValidationError("--stable needs --until.") }
        if let seconds, stable > 0, seconds <= stable {
            throw ValidationError("--for must be longer than --stable, which is \(stable) s.")
        }
    }

    /// Whether it runs for others, and logs.
    var isService: Bool { keep != nil || !publish.isEmpty }

    private var isBoard: Bool {
        !isService && printing.format == .text && !isQuiet && isatty(STDOUT_FILENO) == 1
    }

    func run() throws {
        let urls = try BrokerURL.all(named: publish, by: "--publish")
        let signals = SignalHandler(resizes: isBoard)
        let end = Instant.now.advanced(bySeconds: seconds ?? 86_400 * 365 * 10)
        let rig = try assembled()
        files.output.checkFiles()
        try watch(rig, until: end, signals, publishingTo: urls)
    }

    private func watch(
        _ rig: LocalRig, until end: Instant, _ signals: SignalHandler, publishingTo urls: [BrokerURL]
    ) throws {
        var brokers = rig.configuration.broker ?? BrokerConfiguration()
        brokers.urls = urls
        let rigName = name.flatMap { RigName($0) } ?? RigName(host: RigIdentity.live().host)
        let service =
            try isService
            ? WatchDaemon(keeping: keep, publishing: urls.isEmpty ? nil : (rigName, brokers, homeAssistant)) : nil
        let watch = try AssessmentWatch(rig, resample: following.resample)
        var reload: (@Sendable () -> Void)?
        if isService { reload = { watch.readFiles() } }
        let board =
            isBoard
            ? WatchBoard(color: printing.color, isRecorded: rig.recording != nil, resample: following.resample) {
                watch.end()
            } : nil
        signals.forward(reload: reload, resize: { board?.redraw() }) { watch.end() }
        func complain(_ line: String) {
            if let service {
                service.warn(line)
            } else if let board {
                board.note(line)
            } else {
                Output.complain(line)
            }
        }
        var keptFiles: [any WatchFile] = []
        if let metrics = monitoring.metrics { keptFiles.append(MetricsFile(metrics, complain: complain)) }
        if let history { keptFiles.append(HistoryFile(history, complain: complain)) }
        // Whatever ends the watch, the terminal is as it was.
        defer { board?.close() }
        var last: Assessment?
        func finish(_ status: Int32, _ complaint: String? = nil) -> Never {
            board?.close()
            service?.end()
            keptFiles.forEach { $0.end() }
            if let complaint { Output.complain(complaint) }
            let isWritten = last.map { files.output.write($0.result, recording: nil) } ?? files.output.isEmpty
            Output.finish("", status: isWritten ? status : CommandFailure.ExitCode.cannotWrite.rawValue)
        }
        var readySince: Instant?
        var lastTime: String?
        while true {
            let goal = readySince.map { $0.advanced(bySeconds: stable) }
            var due = min(end, goal ?? end, service?.due ?? end, keptFiles.compactMap(\.due).min() ?? end)
            // On a screen a gate counts down.
            let countsDown = board != nil && until != nil && (goal != nil || seconds != nil)
            if countsDown {
                board?.countDown(to: goal ?? end, goal == nil ? "gives up" : "succeeds")
                due = min(due, .now.advanced(bySeconds: 1))
            } else if board != nil {
                // After midnight the times of its events need their date.
                due = min(due, .now.advanced(bySeconds: 60))
            }
            guard let change = try watch.next(until: due, complain: complain, observe: { board?.observe($0) }) else {
                if let signal = signals.received { finish(until == nil ? 0 : 128 + signal) }
                if let goal, Instant.now >= goal { finish(0) }
                let isEarly = board != nil || service != nil || !keptFiles.isEmpty
                guard !watch.isEnded, isEarly, Instant.now < end else { break }
                board?.redraw()
                keptFiles.forEach { $0.pulse() }
                service?.pulse()
                continue
            }
            service?.publish(change)
            for file in keptFiles { try file.show(change) }
            try show(change, on: board, after: &lastTime)
            try service?.show(change)
            last = change.assessment
            if until != nil {
                readySince = change.assessment.status == .ready ? readySince ?? .now : nil
                if readySince != nil, stable == 0 { finish(0) }
            }
        }
        guard until != nil, let last else { finish(0) }
        // A goal that was reached at the end, but not for long enough, is undetermined.
        if last.status == .ready, let readySince {
            let ready = readySince.seconds(to: .now)
            finish(2, "ready for \(ready.fixed(1)) s, but --stable requires \(stable.fixed(1)) s")
        }
        let missing = last.shortcomings.joined(separator: ", ")
        finish(last.exitStatus, "waited for \(missing.isEmpty ? last.tallyWords.text : missing)")
    }

    /// Shows a change; a line has its date if the line before, at `lastTime`, was written on another day.
    private func show(_ change: AssessmentChange, on board: WatchBoard?, after lastTime: inout String?) throws {
        guard !isService, !isQuiet else { return }
        guard printing.format == .text else {
            return Output.write(try Output.document(Report(change.assessment), onOneLine: true))
        }
        let time = RigIdentity.now
        if let board { return board.show(change, at: time) }
        Output.writeLine("\(time.timeWords(onDayOf: lastTime, showsMilliseconds: true)) \(change.summary)")
        lastTime = time
    }
}

// MARK: - The line of a change

extension AssessmentChange {
    /// What changed, in one line; at the first assessment the tally.
    var summary: String { previous == nil ? assessment.tallyWords.text : differences.summary }
}
