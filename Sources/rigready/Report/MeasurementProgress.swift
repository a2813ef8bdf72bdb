import DriverKit
import Glibc
import Measurement
import Readiness
import Rendering
import Synchronization

/// What a measurement has captured so far: a line a sensor on a terminal, a line every few seconds elsewhere.
final class MeasurementProgress: Sendable {
    struct State {
        /// Each sensor with the last values of its first axis.
        private var sensors: [(latest: MeasuringPeriod.Progress, history: [Double])] = []
        var shown = 0
        /// When the first sample came.
        var began: Instant?
        /// What a person is asked to do; empty for a rig that is to lie still.
        var requests: [GuidedMotion.MotionRequest] = []
        var asked = 0
        private static let historyLength = 24

        mutating func take(_ progress: MeasuringPeriod.Progress) {
            let known = sensors.firstIndex { $0.latest.key == progress.key && $0.latest.kind == progress.kind }
            if known == nil { sensors.append((progress, [])) }
            let index = known ?? sensors.count - 1
            let history = sensors[index].history + progress.values.prefix(1)
            sensors[index] = (progress, Array(history.suffix(Self.historyLength)))
        }

        /// The lines on a terminal: what is done, and each sensor's rate, values and sparkline.
        ///
        /// Where the columns do not suffice, the beginning of the key is left out first.
        func lines(after elapsed: Double, of seconds: Double, columns: Int) -> [String] {
            let request = requests.last { $0.begin <= elapsed }
            let words = request.map { "\($0.words) (\(Int($0.end - elapsed)) s)" } ?? "keep the rig still"
            return ["measuring: \(Int(elapsed)) of \(Int(seconds)) s; \(words)"]
                + sensors.map { one, history in
                    let rate = one.seconds > 0 ? (Double(one.samples - 1) / one.seconds).fixed(1) + " Hz" : ""
                    let bars = Sparkline.bars(of: history)
                    let rest = [rate, one.words, bars].joined(separator: "  ")
                    let room = max(8, columns - one.kind.title.count - rest.count - 6)
                    let key = one.key.count > room ? "…" + one.key.suffix(room - 1) : one.key
                    return "  " + [one.kind.title, key, rest].joined(separator: "  ")
                }
        }

        /// The line elsewhere: what is done, and each sensor's samples and values.
        func line(after elapsed: Double, of seconds: Double) -> String {
            let words = sensors.map { one, _ in
                [one.key, "\(one.samples)", one.words].filter { !$0.isEmpty }.joined(separator: " ")
            }
            return "\(Int(elapsed)) of \(Int(seconds)) s: \(words.joined(separator: ", "))"
        }
    }

    /// The seconds of the measurement; nil for a recording, whose progress is not worth a line.
    private let seconds: Double?
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())
    private let isOver = Mutex(false)

    init(seconds: Double?) { self.seconds = seconds }

    func ask(_ requests: [GuidedMotion.MotionRequest]) { state.withLock { $0.requests = requests } }

    /// Takes the state of a sensor; called on any thread.
    func take(_ progress: MeasuringPeriod.Progress) {
        state.withLock { state in
            state.began = state.began ?? .now
            state.take(progress)
        }
    }

    /// Shows the state on standard error from now on, on a thread that ends with the measurement.
    func start(until halt: Waker) {
        guard let seconds else { return }
        _ = Worker.start { [self] in
            var ticks = 0
            while !halt.wait(until: .now.advanced(bySeconds: 0.25)), !isOver.withLock(\.self) {
                ticks += 1
                // Elsewhere a line every five seconds, but a request at once.
                if isTerminal || ticks % 20 == 0 || state.withLock({ !$0.requests.isEmpty }) { show(of: seconds) }
            }
        }
    }

    /// Removes the lines on a terminal.
    func end() {
        isOver.withLock { $0 = true }
        state.withLock { state in
            guard isTerminal, state.shown > 0 else { return }
            Output.log("\u{1b}[\(state.shown)A\u{1b}[J")
            state.shown = 0
        }
    }

    private func show(of seconds: Double) {
        state.withLock { state in
            // Before the first sample the probe shows what it waits for.
            guard !isOver.withLock(\.self), let began = state.began else { return }
            let seconds = state.requests.last?.end ?? seconds
            let elapsed = min(began.seconds(to: .now), seconds)
            guard isTerminal else {
                if let request = state.requests.lastIndex(where: { $0.begin <= elapsed }) {
                    guard state.asked <= request else { return }
                    state.asked = request + 1
                    return Output.log("rigready: \(state.requests[request].words)\n")
                }
                return Output.log("rigready: \(state.line(after: elapsed, of: seconds).singleLine)\n")
            }
            let width = Terminal.widthOfProgress - 1
            let lines = state.lines(after: elapsed, of: seconds, columns: width)
            var text = state.shown > 0 ? "\u{1b}[\(state.shown)A" : ""
            for line in lines { text += "\r\u{1b}[K" + Output.spelled(line.singleLine).prefix(width) + "\n" }
            state.shown = lines.count
            Output.log(text)
        }
    }
}

extension MeasuringPeriod.Progress {
    /// The values with their units.
    fileprivate var words: String {
        switch kind {
        case .accelerometer, .gyroscope, .stepCounter: values.map { $0.fixed(2) }.joined(separator: " ")
        case .locationReceiver:
            zip(values, ["\(Int(values.first ?? 0)) used", (values.last ?? 0).fixed(1) + " m"]).map(\.1)
                .joined(separator: " ")
        case .bluetoothAdapter: values.map { ($0 * 1000).fixed(2) + " ms" }.joined(separator: " ")
        }
    }
}
