import ArgumentParser
import DriverKit
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
            any command with --cached then uses its report.
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

    @OptionGroup var options: ProbeOptions<WatchCommand>

    func validate() throws {
        if keep != nil, options.format != .text {
            throw ValidationError("--keep writes JSON to its file, and a log.")
        }
        try checkSeconds("for", seconds, in: 0.05...86_400 * 365)
        try checkSeconds("stable", stable, in: 0...86_400)
        try checkSeconds("resample", resample, in: 0.1...86_400)
        if stable > 0, until == nil { throw ValidationError("--stable needs --until.") }
    }

    func run() throws {
        let signals = SignalHandler()
        let end = Instant.now.advanced(bySeconds: seconds ?? 86_400 * 365 * 10)
        try options.withRig(isWatch: true, asService: keep != nil) { rig in try watch(rig, until: end, signals) }
    }

    private func watch(_ rig: LocalRig, until end: Instant, _ signals: SignalHandler) throws {
        let service = keep.map(WatchDaemon.init(keeping:))
        let watch = try AssessmentWatch(rig, resample: resample)
        var reload: (@Sendable () -> Void)?
        if keep != nil { reload = { watch.readFiles() } }
        signals.forward(reload: reload) { watch.end() }
        let screen = keep == nil ? WatchScreen(format: options.format, resample: resample) : nil
        func complain(_ line: String) {
            if let service { service.warn(line) } else { Output.complain(line) }
        }
        func leave(_ status: Int32) -> Never {
            screen?.leave()
            service?.end()
            Output.finish("", status: status)
        }
        var readySince: Instant?
        var last: Assessment?
        while true {
            let goal = readySince.map { $0.advanced(bySeconds: stable) }
            guard let change = try watch.next(until: min(end, goal ?? end, service?.due ?? end), complain: complain)
            else {
                if let signal = signals.received { leave(until == nil ? 0 : 128 + signal) }
                if let goal, Instant.now >= goal { leave(0) }
                guard let service, Instant.now < end else { break }
                service.pulse()
                continue
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
