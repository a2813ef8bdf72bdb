import Linux
import ArgumentParser
import DriverKit
import Glibc
import Readiness
import Probing

/// The report again at each change.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", _superCommandName: RigReady.name,
        abstract: "Print the report again at each change, driven by events.",
        discussion: """
            On a terminal it keeps a board up to date; elsewhere it prints one line a change, and with --format json one \
            report a line. Nothing polls: a sensor that falls silent makes no event, so only --resample notices it.

            As a gate: rigready watch --until runs --stable 5 --for 120 --service impact

            As a service: systemctl enable --now rigready, which runs rigready watch --keep /run/rigready/report.json; \
            any call with --cached then takes what it has found.
            """)

    enum Goal: String, Choice { case runs }

    @Option(name: .customLong("for"), help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var seconds: Double?

    @Option(help: ArgumentHelp("End as soon as every service asked for runs.", valueName: "goal"))
    var until: Goal?

    @Option(help: ArgumentHelp("Let --until wait until it has been so for so long.", valueName: "seconds"))
    var stable: Double = 0

    @Option(help: ArgumentHelp("Read every sensor again that often (default: never).", valueName: "seconds"))
    var resample: Double?

    @Option(
        help: ArgumentHelp(
            "Keep the current report in this file (0640, positions coarse) for --cached, and log what changes.",
            valueName: "file"))
    var keep: String?

    @OptionGroup var options: ProbeOptions

    func validate() throws {
        try options.refuseCache(of: "watch")
        if keep != nil, options.format != .text {
            throw ValidationError("--keep writes JSON into its file, and a log.")
        }
        for (name, value, range) in [
            ("for", seconds ?? 1, 0.05...86_400 * 365), ("stable", stable, 0...86_400),
            ("resample", resample ?? 1, 0.1...86_400),
        ] where !range.contains(value) {
            throw ValidationError(
                "--\(name) takes a number from \(range.lowerBound) to \(Int(range.upperBound)) seconds.")
        }
        if stable > 0, until == nil { throw ValidationError("--stable goes with --until.") }
    }

    func run() throws {
        try options.format.refuseCases(of: "watch")
        var invocation = try Invocation(options)
        let signals = SignalHandler()
        let began = Instant.now
        let end = began.advanced(bySeconds: seconds ?? 86_400 * 365 * 10)
        let watch = try invocation.watch(resample: resample)
        signals.forward { watch.end() }
        let files = FileWatch(invocation.files) { watch.call() }
        let board = keep == nil ? WatchScreen(format: options.format, resample: resample) : nil
        let service = keep.map(WatchDaemon.init(keeping:))
        func leave(_ status: Int32) -> Never {
            board?.leave()
            service?.end()
            Output.finish("", status: status)
        }
        var readySince: Instant?
        var last: Assessment?
        while true {
            let goal = readySince.map { $0.advanced(bySeconds: stable) }
            guard let update = try watch.next(until: min(end, goal ?? end, service?.due ?? end)) else {
                if let signal = signals.received { leave(until == nil ? 0 : 128 + signal) }
                if let goal, Instant.now >= goal { leave(0) }
                guard let service, Instant.now < end else { break }
                service.pulse()
                continue
            }
            if files?.takeChange() == true {
                // A file that is being edited is not always valid: what held before holds on.
                do {
                    invocation = try Invocation(options)
                } catch {
                    let words = "\(error); what held before holds on"
                    if let service { service.warn(words) } else { Output.complain(words) }
                }
            }
            let assessment = invocation.assessment(of: update.inventory, resample: resample)
            if let last, !update.isNews, assessment.judges(as: last) { continue }
            try board?.show(assessment, after: last)
            try service?.show(assessment, after: last)
            last = assessment
            if until != nil {
                readySince = assessment.exitStatus == 0 ? readySince ?? .now : nil
                if readySince != nil, stable == 0 { leave(0) }
            }
        }
        guard until != nil, let last else { leave(0) }
        let missing = last.results.filter { $0.asked && $0.verdict != .runs && $0.verdict != .degraded }
        board?.leave()
        Output.complain(
            missing.isEmpty
                ? "waited for \(stable.fixed(1)) s without a change"
                : "waited for " + missing.map { "\($0.service.id) (\(last.reason(for: $0)))" }.joined(separator: ", "))
        // What held at the end, but for so short a time that it does not count, cannot be told.
        Output.finish("", status: last.exitStatus == 0 ? 2 : last.exitStatus)
    }
}

/// Where a watch shows what it sees.
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
        // A screen of its own, which leaves what was there before untouched.
        if isTerminal { Output.write("\u{1b}[?1049h\u{1b}[?25l") }
    }

    /// Gives the terminal back.
    func leave() {
        if isTerminal { Output.write("\u{1b}[?25h\u{1b}[?1049l") }
    }

    func show(_ assessment: Assessment, after last: Assessment?) throws {
        guard format == .text else { return Output.write(try Output.line(Report(assessment))) }
        let time = RigIdentity.now.dropFirst(11).prefix(12)
        let change = last.map { ChangeSummary(from: $0, to: assessment).words } ?? assessment.tally.0
        guard isTerminal else { return Output.write("\(time) \(change.singleLine)\n") }
        if last != nil { history = Array((history + ["\(time) \(change)"]).suffix(Self.memory)) }
        var page = Page(.current)
        page.lines(TextReport(assessment: assessment, terminal: .current).text)
        page.blank()
        for line in history { page.hanging(2, line, .faint) }
        page.hanging(
            2,
            resample.map { "sensors are read again every \($0.fixed(1)) s; Ctrl-C ends" }
                ?? "driven by events; a sensor that falls silent makes none (--resample SECONDS); Ctrl-C ends", .faint)
        Output.write("\u{1b}[H\u{1b}[2J" + page.text)
    }
}
