import DriverKit
import Glibc
import Measurement
import Readiness
import Rendering
import Synchronization

/// What a measurement has captured so far: a line a sensor on a terminal, a line every few seconds elsewhere.
final class MeasurementProgress: Sendable {
    private struct State {
        var latest: [MeasuringPeriod.Progress] = []
        /// The last values of each sensor's first axis, for its line.
        var history: [String: [Double]] = [:]
        var shown = 0
        /// When the first sample came.
        var began: Instant?
        /// What a person is asked to do; empty for a rig that is to lie still.
        var requests: [GuidedMotion.MotionRequest] = []
        /// The number of requests that were made.
        var asked = 0
    }
    private static let bars = Array("▁▂▃▄▅▆▇█")
    private static let historyLength = 24

    /// The seconds of the measurement; nil for a recording, whose progress is not worth a line.
    private let seconds: Double?
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())
    private let isOver = Mutex(false)

    init(seconds: Double?) { self.seconds = seconds }

    /// Takes what a person is asked to do.
    func ask(_ requests: [GuidedMotion.MotionRequest]) { state.withLock { $0.requests = requests } }

    /// Takes the state of a sensor; called on any thread.
    func take(_ progress: MeasuringPeriod.Progress) {
        state.withLock { state in
            state.began = state.began ?? .now
            if let index = state.latest.firstIndex(where: { $0.key == progress.key && $0.kind == progress.kind }) {
                state.latest[index] = progress
            } else {
                state.latest.append(progress)
            }
            guard let value = progress.values.first else { return }
            var values = state.history[progress.identity, default: []]
            values.append(value)
            state.history[progress.identity] = Array(values.suffix(Self.historyLength))
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
            let request = state.requests.lastIndex { $0.begin <= elapsed }
            guard isTerminal else {
                if let request {
                    guard state.asked <= request else { return }
                    state.asked = request + 1
                    return Output.log("rigready: \(state.requests[request].words)\n")
                }
                let samples = state.latest.map { "\($0.key) \($0.samples)" }.joined(separator: ", ")
                return Output.log("rigready: \(Int(elapsed)) of \(Int(seconds)) s: \(samples.singleLine)\n")
            }
            let width = max(20, Terminal.standardOutput().width - 1)
            let words =
                request.map { state.requests[$0] }.map { "\($0.words) (\(Int($0.end - elapsed)) s)" }
                ?? "keep the rig still"
            var lines = ["measuring: \(Int(elapsed)) of \(Int(seconds)) s; \(words)"]
            for one in state.latest {
                let rate = one.seconds > 0 ? (Double(one.samples) / one.seconds).fixed(1) + " Hz" : ""
                let values = one.values.map { $0.fixed(2) }.joined(separator: " ")
                let bars = Self.sparkline(of: state.history[one.identity] ?? [])
                lines.append("  " + [one.kind.title, one.key, rate, values, bars].joined(separator: "  "))
            }
            var text = state.shown > 0 ? "\u{1b}[\(state.shown)A" : ""
            for line in lines { text += "\r\u{1b}[K" + line.singleLine.prefix(width) + "\n" }
            state.shown = lines.count
            Output.log(text)
        }
    }

    private static func sparkline(of values: [Double]) -> String {
        let values = values.filter(\.isFinite)
        guard let least = values.min(), let greatest = values.max(), greatest > least, (greatest - least).isFinite
        else {
            return ""
        }
        return String(values.map { bars[Int(($0 - least) / (greatest - least) * Double(bars.count - 1))] })
    }
}

extension MeasuringPeriod.Progress {
    /// What distinguishes it from the other sensors.
    fileprivate var identity: String { "\(kind.id) \(key)" }
}
