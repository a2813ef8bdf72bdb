import DriverKit
import Fleet
import Glibc
import LocalRig
import Rendering

/// Shows a fleet as it changes: a board on a terminal, otherwise one line or one document per change.
final class FleetWatch {
    /// Seconds between two looks at what changes by time alone, such as a rig that is not seen any more.
    private static let pulse = 1.0
    /// Seconds between two drawings of the board.
    private static let refresh = 0.1

    private let question: FleetQuestion
    private let format: Format
    private let color: ColorChoice
    private let isTerminal: Bool
    /// What was shown last of each rig; nil before the first time.
    private var shown: [RigName: RigStatus]?
    /// Seconds until the first rig is not seen any more, if it says nothing.
    private var earliest = pulse
    private var drawn: (text: String, at: Instant)?
    /// When the last line was written.
    private var lastTime: String?

    init(_ question: FleetQuestion, format: Format, color: ColorChoice) {
        self.question = question
        self.format = format
        self.color = color
        isTerminal = format == .text && isatty(STDOUT_FILENO) == 1
    }

    /// Watches for a time, or until a signal, and exits.
    func run(for seconds: Double?) throws -> Never {
        let signals = SignalHandler()
        let end = Instant.now.advanced(bySeconds: seconds ?? 86_400 * 365 * 10)
        // It may be waiting for a broker, and leaves nothing behind that another process could wait for.
        signals.forward { [isTerminal] in
            if isTerminal { Output.write(Self.leaving) }
            Output.finish("", status: 0)
        }
        if isTerminal { Output.write("\u{1b}[?1049h\u{1b}[?25l") }
        var delay = 1.0
        var complaint = ""
        while Instant.now < end {
            do {
                let subscription = try question.subscribe()
                (delay, complaint) = (1, "")
                subscription.remarks.forEach(complain)
                try follow(subscription, until: end)
                break
            } catch let failure as CommandFailure {
                if isTerminal { Output.write(Self.leaving) }
                throw failure
            } catch {
                try loseAll("\(error)", again: &complaint)
            }
            let left = Instant.now.seconds(to: end)
            usleep(UInt32(max(0, min(delay * .random(in: 0.5...1), left)) * 1e6))
            delay = min(delay * 2, 30)
        }
        if isTerminal { Output.write(Self.leaving) }
        Output.finish("", status: 0)
    }

    private static let leaving = "\u{1b}[?25h\u{1b}[?1049l"

    private func complain(_ line: String) {
        if !isTerminal { Output.complain(line) }
    }

    // MARK: Following

    private func follow(_ subscription: FleetSubscription, until end: Instant) throws {
        try showAll(subscription)
        var nextPulse = nextLook
        var changed: Set<RigName> = []
        while Instant.now < end {
            let redraw = drawn?.at.advanced(bySeconds: Self.refresh) ?? .now
            let due = changed.isEmpty ? nextPulse : min(nextPulse, redraw)
            changed.formUnion(try subscription.next(until: min(end, due)))
            if Instant.now >= nextPulse {
                changed = []
                try showAll(subscription)
                nextPulse = nextLook
            } else if !isTerminal, !changed.isEmpty {
                for name in changed.sorted() {
                    try show(name, subscription.rigs.standing(of: name, asked: question.services), subscription)
                }
                changed = []
            } else if isTerminal, !changed.isEmpty, Instant.now >= redraw {
                changed = []
                try showAll(subscription)
            }
        }
    }

    /// When to look again at what changes by time: as soon as a rig is not seen any more.
    private var nextLook: Instant {
        Instant.now.advanced(bySeconds: min(Self.pulse, earliest))
    }

    /// Tells what changed of every rig, by time too.
    private func showAll(_ subscription: FleetSubscription) throws {
        let rigs = subscription.rigs.standings(asked: question.services)
        earliest = rigs.compactMap(\.standing.remaining).min() ?? Self.pulse
        if isTerminal { return draw(rigs, subscription) }
        let now = Dictionary(uniqueKeysWithValues: rigs.map { ($0.name, $0.standing) })
        guard let before = shown else {
            shown = now
            if format == .json { return try write(rigs, subscription) }
            for (name, standing) in rigs { write(name, standing.summary(since: nil)) }
            return
        }
        for name in Set(now.keys).union(before.keys).sorted() { try show(name, now[name], subscription) }
    }

    /// Tells what changed of a rig; nil if nothing is left of it.
    private func show(_ name: RigName, _ standing: RigStatus?, _ subscription: FleetSubscription) throws {
        let before = shown?[name]
        shown?[name] = standing
        let summary = standing.map { $0.summary(since: before) } ?? (before == nil ? "" : "forgotten")
        guard !summary.isEmpty else { return }
        guard format == .json else { return write(name, summary) }
        try write(subscription.rigs.standings(asked: question.services), subscription)
    }

    private func write(_ name: RigName, _ summary: String) {
        let time = RigIdentity.now
        Output.writeLine("\(time.timeWords(onDayOf: lastTime, showsMilliseconds: true)) \(name): \(summary)")
        lastTime = time
    }

    private func write(
        _ rigs: [(name: RigName, standing: RigStatus)], _ subscription: FleetSubscription
    ) throws {
        try question.document(of: rigs, from: subscription).write(onOneLine: true, to: Output.write)
    }

    private func draw(_ rigs: [(name: RigName, standing: RigStatus)], _ subscription: FleetSubscription) {
        let terminal = Terminal.standardOutput(color)
        let overview = FleetOverview(rigs, broker: subscription.url, services: question.services)
        var text = Page(terminal)
        let lines = overview.text(on: terminal).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let room = max(4, (terminal.height ?? 50) - 4 - subscription.remarks.count)
        text.append(lines.prefix(room).map { $0 + "\n" }.joined())
        if lines.count > room { text.hanging(2, "\((lines.count - room).counted("line")) more", .faint) }
        text.blank()
        subscription.remarks.forEach { text.hanging(2, $0, .doubtful) }
        text.hanging(2, "Ctrl-C ends", .faint)
        if text.text != drawn?.text { Output.write("\u{1b}[H\u{1b}[2J" + text.text) }
        drawn = (text.text, .now)
    }

    /// Shows no rigs, because no broker answers.
    private func loseAll(_ reason: String, again complaint: inout String) throws {
        if isTerminal {
            let overview = FleetOverview([], broker: nil, services: question.services)
            var text = Page(.standardOutput(color))
            text.append(overview.text(on: text.terminal))
            text.hanging(2, reason, .bad)
            text.hanging(2, "retrying; Ctrl-C ends", .faint)
            Output.write("\u{1b}[H\u{1b}[2J" + text.text)
            return
        }
        if reason != complaint { Output.complain("\(reason); retrying") }
        complaint = reason
        if format == .json, shown?.isEmpty != true {
            Output.write(try Output.document(FleetDocument(withoutBrokerAt: RigIdentity.now), onOneLine: true))
        }
        for name in (shown ?? [:]).keys.sorted() where format == .text { write(name, "cannot tell: no broker answers") }
        shown = [:]
    }
}

extension RigStatus {
    /// What changed since it was shown last, in one line; empty if nothing did.
    fileprivate func summary(since before: RigStatus?) -> String {
        guard let before else { return summary }
        guard before.mark != mark else { return "" }
        guard before.isCounted, isCounted else { return summary }
        let changes = lines.compactMap { line -> String? in
            guard let old = before.lines.first(where: { $0.id == line.id }) else { return nil }
            let (then, now) = (before.verdict(of: old), verdict(of: line))
            return then == now ? nil : "\(line.service?.title ?? line.id) \(then.id) → \(now.id)"
        }
        return changes.isEmpty ? summary : changes.joined(separator: "; ") + clause
    }

    private var summary: String { words + clause }

    private var clause: String { reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))" }

    /// What makes two standings one to the reader: numbers of seconds that only grow do not.
    private var mark: [String] {
        [words] + lines.map { "\($0.id) \(verdict(of: $0).id)" }
            + reasons.map { $0.split(separator: " ").filter { $0.first?.isNumber != true }.joined(separator: " ") }
    }
}
