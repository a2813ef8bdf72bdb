public import DriverKit
internal import Synchronization

/// A peer that answers from a script.
public final class FakeChannel: Channel {
    private struct State {
        var pending: [[UInt8]]
        var sent: [[UInt8]] = []
        var now = Instant.now
    }
    private let state: Mutex<State>
    private let answer: @Sendable ([UInt8]) -> [[UInt8]]
    private let ends: Bool
    private let recorded: [UInt8]?

    /// Creates a peer that sends `greeting`, answers each frame with the result of `answer`, and then stops answering,
    /// or closes the connection if `ends` is set.
    ///
    /// With `onlyRecorded` no other frame can be sent, as in a replay.
    public init(
        greeting: [[UInt8]] = [], ends: Bool = false,
        onlyRecorded: [UInt8]? = nil,
        answer: @escaping @Sendable ([UInt8]) -> [[UInt8]] = { _ in [] }
    ) {
        state = Mutex(State(pending: greeting))
        self.answer = answer
        self.ends = ends
        recorded = onlyRecorded
    }

    /// The frames that were sent so far.
    public var sent: [[UInt8]] { state.withLock { $0.sent } }

    /// The channel's own time, for the clock of a world; only a receive that times out advances it, to its deadline.
    public var now: Instant { state.withLock { $0.now } }

    /// Records the frame and queues its answer.
    public func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        if let recorded, frame != recorded { throw DriverError(.notRecorded, subject: "the scripted peer") }
        let frames = answer(frame)
        state.withLock {
            $0.sent.append(frame)
            $0.pending += frames
        }
    }

    /// The next frame of the script, cut to `limit` bytes; at its end `closed`, or `timedOut`
    /// without waiting.
    public func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let frame = state.withLock { state -> [UInt8]? in
            guard let first = state.pending.first else {
                if !ends { state.now = max(state.now, deadline) }
                return nil
            }
            state.pending.removeFirst()
            if first.count > limit { state.pending.insert(Array(first.dropFirst(limit)), at: 0) }
            return Array(first.prefix(limit))
        }
        guard let frame else { throw DriverError(ends ? .closed : .timedOut, subject: "the scripted peer") }
        return frame
    }

    /// Does nothing: no call of this channel waits.
    public func cancel() {}
}
