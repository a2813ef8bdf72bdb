import DriverKit
import Glibc
import LocalRig
import Rendering
import Synchronization

/// Shows a watch on the alternate screen of a terminal, which preserves the previous contents, and obeys its keys.
final class WatchBoard: Sendable {
    private struct State {
        var layout: BoardLayout?
        /// The last changes and problems, oldest first; a problem has no time.
        private(set) var events: [(time: String?, words: String)] = []
        var signals: [String: [[Double]]] = [:]
        var focus = BoardLayout.Pane.services
        var offsets: [BoardLayout.Pane: Int] = [:]
        var overlay: BoardLayout.Overlay?
        var overlayOffset = 0
        var keys: TerminalKeys?
        var countdown: String?
        var isLeft = false
        private static let memory = 6

        /// Shows an overlay from its beginning, or the panes if nil.
        mutating func show(_ overlay: BoardLayout.Overlay?) {
            (self.overlay, overlayOffset) = (overlay, 0)
        }

        mutating func add(_ words: String, at time: String?) {
            events = Array((events + [(time: time, words: words)]).suffix(Self.memory))
        }
    }
    /// How many values of an axis are kept: more than a wide terminal has columns for.
    private static let signalLength = 160

    private let color: ColorChoice
    private let remark: String
    private let state = Mutex(State())

    /// Takes the screen and the keyboard; `quit` is called when a person ends it.
    init(color: ColorChoice, isRecorded: Bool, resample: Double?, quit: @escaping @Sendable () -> Void) {
        self.color = color
        remark =
            isRecorded
            ? "recorded, and read once"
            : resample.map { "read every \($0.fixed(1)) s" } ?? "--resample 1 draws signals"
        Output.write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[H\u{1b}[2Jprobing")
        let keys = TerminalKeys()
        state.withLock { $0.keys = keys }
        guard keys != nil else { return }
        TerminalKeys.forward { [weak self] command in
            if command == .quit { quit() } else { self?.obey(command) }
        }
    }

    /// Takes the readings of an assessment, whether or not anything else has changed.
    func observe(_ assessment: Assessment) {
        state.withLock { state in
            for sensor in assessment.sensors {
                guard case .axes(let axes)? = sensor.reading else { continue }
                var values = state.signals[sensor.signalName] ?? [[], [], []]
                for (index, value) in [axes.x, axes.y, axes.z].enumerated() {
                    guard let value else { continue }
                    values[index] = Array((values[index] + [value]).suffix(Self.signalLength))
                }
                state.signals[sensor.signalName] = values
            }
            draw(&state, assessment)
        }
    }

    func show(_ change: AssessmentChange, at time: String) {
        state.withLock { state in
            if change.previous != nil { state.add(change.summary, at: time) }
            draw(&state, change.assessment)
        }
    }

    /// Takes a problem that does not end the watch, as an event.
    func note(_ words: String) {
        state.withLock { state in
            state.add(words, at: nil)
            draw(&state, state.layout?.assessment)
        }
    }

    /// Shows in how many seconds something ends.
    func countDown(to end: Instant, _ words: String) {
        let words = "\(words) in \(Int(max(0, Instant.now.seconds(to: end)).rounded(.up))) s"
        state.withLock { state in
            guard state.countdown != words else { return }
            state.countdown = words
            draw(&state, state.layout?.assessment)
        }
    }

    /// Draws again, for a window of another size.
    func redraw() { state.withLock { draw(&$0, $0.layout?.assessment) } }

    /// Gives screen and keyboard back, and leaves the last report behind.
    func close() {
        state.withLock { state in
            guard !state.isLeft else { return }
            state.isLeft = true
            state.keys?.giveBack()
            Output.write("\u{1b}[?25h\u{1b}[?1049l")
            guard let assessment = state.layout?.assessment else { return }
            Output.write(assessment.text(on: .standardOutput(color)))
        }
    }

    private func obey(_ command: TerminalKeys.Command) {
        state.withLock { state in
            guard let layout = state.layout else { return }
            let overlaid = layout.shownOverlayOffset
            let page = overlaid == nil ? layout.shares[state.focus] ?? 1 : max(1, (layout.terminal.height ?? 24) - 3)
            let before = overlaid ?? layout.offset(of: state.focus)
            var offset = before
            switch command {
            case .otherPane: if overlaid == nil { state.focus = state.focus == .services ? .sensors : .services }
            case .lines(let count): offset += count
            case .pages(let count): offset += count * max(1, page - 1)
            case .begin: offset = 0
            case .end: offset = .max / 2
            case .help: state.show(layout.overlay == .help ? nil : .help)
            case .close: state.show(nil)
            case .open: state.show(overlaid == nil ? layout.causeInView.map { .cause($0) } : nil)
            case .causes(let distance):
                if case .cause(let id)? = layout.overlay {
                    state.show(.cause(layout.cause(distance, from: id)))
                } else if overlaid == nil {
                    state.show(layout.causeInView.map { .cause($0) })
                }
            case .quit, .redraw: break
            }
            if offset != before {
                if overlaid == nil { state.offsets[state.focus] = offset } else { state.overlayOffset = offset }
            }
            draw(&state, layout.assessment)
        }
    }

    private func draw(_ state: inout State, _ assessment: Assessment?) {
        guard let assessment, !state.isLeft else { return }
        let now = RigIdentity.now
        let events = state.events.map { time, words in
            [time?.timeWords(onDayOf: now), words].compactMap(\.self).joined(separator: " ")
        }
        let layout = BoardLayout(
            assessment: assessment, events: events, signals: state.signals, remark: remark,
            countdown: state.countdown, focus: state.focus, offsets: state.offsets, overlay: state.overlay,
            overlayOffset: state.overlayOffset, terminal: .standardOutput(color))
        for pane in BoardLayout.Pane.allCases { state.offsets[pane] = layout.offset(of: pane) }
        // A cause may have gone while it was open.
        if let offset = layout.shownOverlayOffset { state.overlayOffset = offset } else { state.show(nil) }
        state.layout = layout
        // Each line is erased before it is written: after its last column the cursor is still on it.
        let lines = layout.lines.map { "\r\u{1b}[K" + $0 }
        Output.write("\u{1b}[H" + lines.joined(separator: "\r\n") + "\u{1b}[J")
    }
}
