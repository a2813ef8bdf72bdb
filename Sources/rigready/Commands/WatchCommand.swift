import ArgumentParser
import ConfigurationFiles
import DriverKit
import Fleet
import Glibc
import LocalRig
import Readiness
import Rendering

struct WatchCommand: ParsableCommand, ProbingCommand {
    static var refused: RefusedOptions { [.cache, .cases, .output] }
    static let configuration = CommandConfiguration(
        commandName: "watch", _superCommandName: RigReady.name,
        abstract: "Print the report again at each change, driven by events.",
        discussion: """
            On a terminal it updates the screen; otherwise it prints one line per change, and with --format json one \
            report per line. It does not poll: a sensor that stops delivering raises no event, so only --resample \
            detects it.

            As a gate: rigready watch --until runs --stable 5 --for 120 --service impact

            As a service: systemctl enable --now rigready, which runs rigready watch --keep /run/rigready/report.json; \
            any command with --cached then uses its report. Beside it stand the metrics for Prometheus, and the history \
            that rigready history prints.

            For a fleet: rigready watch --publish mqtts://lab; rigready fleet then shows every rig. The user, the password \
            and the certificates are in the configuration.
            """)

    enum Goal: String, Choice { case runs }

    @Option(name: .customLong("for"), parsing: .unconditional, help: .value("seconds", "End after this time."))
    var seconds: Double?

    @Option(help: .value("goal", "End as soon as every service asked for runs."))
    var until: Goal?

    @Option(
        parsing: .unconditional, help: .value("seconds", "Make --until wait until the goal has held for this time."))
    var stable: Double = 0

    @Option(
        parsing: .unconditional, help: .value("seconds", "Read every sensor again at this interval (default: never)."))
    var resample: Double?

    @Option(
        help: .value(
            "file", "Keep the current report in this file (0640, coarse positions) for --cached, and log changes."))
    var keep: String?

    @Option(
        help: .value(
            "file", "Keep Prometheus metrics in this file (0644) for node_exporter's textfile collector, until the end."
        ), completion: .file())
    var metrics: String?

    @Option(
        help: .value(
            "file", "Keep in this file (0640) how often each requirement changed; see rigready history."
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

    @OptionGroup var options: ProbeOptions<WatchCommand>

    func validate() throws {
        if isService, options.format != .text {
            throw ValidationError(
                keep == nil
                    ? "--publish publishes JSON, and writes a log." : "--keep writes JSON to its file, and a log.")
        }
        if homeAssistant, publish.isEmpty { throw ValidationError("--home-assistant needs --publish.") }
        if name != nil, publish.isEmpty { throw ValidationError("--name needs --publish.") }
        if let name, RigName(name) == nil {
            throw ValidationError("--name takes up to 64 letters, digits, _ and -, not '\(name.singleLine)'.")
        }
        try checkSeconds("for", seconds, in: 0.05...86_400 * 365)
        try checkSeconds("stable", stable, in: 0...86_400)
        try checkSeconds("resample", resample, in: 0.1...86_400)
        if stable > 0, until == nil { throw ValidationError("--stable needs --until.") }
    }

    /// Whether it runs for others, and logs.
    private var isService: Bool { keep != nil || !publish.isEmpty }

    func run() throws {
        let urls = try BrokerURL.all(named: publish, by: "--publish")
        let signals = SignalHandler()
        let end = Instant.now.advanced(bySeconds: seconds ?? 86_400 * 365 * 10)
        try options.withRig(isWatch: true, asService: isService) { rig in
            try watch(rig, until: end, signals, publishingTo: urls)
        }
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
        let watch = try AssessmentWatch(rig, resample: resample)
        var reload: (@Sendable () -> Void)?
        if isService { reload = { watch.readFiles() } }
        signals.forward(reload: reload) { watch.end() }
        let screen = service == nil ? WatchScreen(format: options.format, resample: resample) : nil
        func complain(_ line: String) {
            if let service { service.warn(line) } else { Output.complain(line) }
        }
        let files = WatchFiles(metrics: metrics, history: history, complain: complain)
        func leave(_ status: Int32) -> Never {
            screen?.leave()
            service?.end()
            files.end()
            Output.finish("", status: status)
        }
        var readySince: Instant?
        var last: Assessment?
        while true {
            let goal = readySince.map { $0.advanced(bySeconds: stable) }
            let next = min(end, goal ?? end, service?.due ?? end, files.due ?? end)
            guard let change = try watch.next(until: next, complain: complain) else {
                if let signal = signals.received { leave(until == nil ? 0 : 128 + signal) }
                if let goal, Instant.now >= goal { leave(0) }
                guard service != nil || files.due != nil, Instant.now < end else { break }
                service?.pulse()
                files.pulse()
                continue
            }
            do throws(CommandFailure) {
                try files.show(change)
            } catch {
                screen?.leave()
                throw error
            }
            try screen?.show(change)
            try service?.show(change)
            last = change.assessment
            if until != nil {
                readySince = change.assessment.status == .ready ? readySince ?? .now : nil
                if readySince != nil, stable == 0 { leave(0) }
            }
        }
        guard until != nil, let last else { leave(0) }
        let missing = last.services.filter {
            $0.asked && $0.verdict != .runs && $0.verdict != .degraded && !last.acceptedServices.contains($0.service)
        }
        screen?.leave()
        service?.end()
        files.end()
        Output.complain(
            missing.isEmpty
                ? "waited for \(stable.fixed(1)) s without a change"
                : "waited for " + missing.map { "\($0.id) (\(last.reason(for: $0)))" }.joined(separator: ", "))
        // A goal that was reached at the end, but not for long enough, is undetermined.
        Output.finish("", status: last.status == .ready ? 2 : last.exitStatus)
    }
}

/// Shows a watch on a terminal, or prints one line per change.
private final class WatchScreen {
    private let format: Format
    private let resample: Double?
    private let isTerminal: Bool
    private var history: [String] = []
    private static let memory = 6

    init(format: Format, resample: Double?) {
        self.format = format
        self.resample = resample
        isTerminal = format == .text && isatty(STDOUT_FILENO) == 1
        // The alternate screen, which preserves the previous contents.
        if isTerminal { Output.write("\u{1b}[?1049h\u{1b}[?25l") }
    }

    func leave() {
        if isTerminal { Output.write("\u{1b}[?25h\u{1b}[?1049l") }
    }

    func show(_ new: AssessmentChange) throws {
        let assessment = new.assessment
        guard format == .text else { return Output.write(try Output.document(Report(assessment), onOneLine: true)) }
        let time = RigIdentity.now.dropFirst(11).prefix(12)
        let change = new.summary
        guard isTerminal else { return Output.write("\(time) \(change.singleLine)\n") }
        if new.previous != nil { history = Array((history + ["\(time) \(change)"]).suffix(Self.memory)) }
        var page = Page(.standardOutput())
        page.lines(TextReport(assessment: assessment, terminal: .standardOutput()).text)
        page.blank()
        for line in history { page.hanging(2, line, .faint) }
        page.hanging(
            2,
            resample.map { "sensors are read again every \($0.fixed(1)) s; Ctrl-C ends" }
                ?? "driven by events; --resample SECONDS also detects silent sensors; Ctrl-C ends", .faint)
        Output.write("\u{1b}[H\u{1b}[2J" + page.text)
    }
}

// MARK: - The line of a change

extension AssessmentChange {
    /// What changed, in one line; at the first assessment the tally.
    var summary: String { previous == nil ? assessment.tallyWords.text : differences.summary }
}
