internal import Synchronization

/// What one viewer has not received yet, in bounds: the newest state, and the last signals.
///
/// A viewer who reads slowly misses signals and states in between, and holds nobody else up.
package final class BoardViewer: Sendable {
    /// Two seconds of signals.
    private static let signalLimit = 40

    private struct State {
        var report: String?
        var signals: [String] = []
        var isBeaten = false
        /// The signs of life since what was taken last is being sent; nil if nothing is.
        var beatsWhileSending: Int?
        var isFirst = true
    }

    /// Yields whenever there is something to take; ends with the viewer.
    package let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    /// Whether its access is guarded.
    let isGuarded: Bool

    init(isGuarded: Bool = false) {
        self.isGuarded = isGuarded
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Has an event sent that takes the place of the one before, if that is still pending.
    func show(_ report: String) {
        state.withLock { $0.report = report }
        waker.yield()
    }

    func add(_ signals: String) {
        state.withLock { state in
            if state.signals.count == Self.signalLimit { state.signals.removeFirst() }
            state.signals.append(signals)
        }
        waker.yield()
    }

    /// Takes what is pending, as events of a stream; it counts as being sent until the next call.
    package func take() -> String {
        state.withLock { state in
            var text = state.isFirst ? ServerSentEvent.retry : ""
            text += (state.report ?? "") + state.signals.joined()
            if text.isEmpty, state.isBeaten { text = ServerSentEvent.heartbeat }
            (state.report, state.signals) = (nil, [])
            (state.isFirst, state.isBeaten) = (false, false)
            state.beatsWhileSending = text.isEmpty ? nil : 0
            return text
        }
    }

    package func finishSending() { state.withLock { $0.beatsWhileSending = nil } }

    /// Has a sign of life sent; returns false if the viewer has not received anything since the last but one.
    package func beat() -> Bool {
        let isAlive = state.withLock { state in
            if state.beatsWhileSending == 1 { return false }
            state.beatsWhileSending? += 1
            state.isBeaten = true
            return true
        }
        waker.yield()
        return isAlive
    }

    /// Ends `wakes`.
    package func end() { waker.finish() }
}
