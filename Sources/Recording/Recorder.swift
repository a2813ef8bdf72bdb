internal import DriverKit
internal import Synchronization

/// Records the requests and answers of all drivers of one probe.
public final class Recorder: Sendable {
    /// A request without an answer yet.
    private struct WorldQuery {
        var entry: Entry
        /// Seconds after which an answer is too late to count.
        var limit: Double
    }
    private struct State {
        var answered: [Entry] = []
        /// By their number, in the order in which they were asked.
        var open: [Int: WorldQuery] = [:]
        var asked = 0
        var channels = 0
    }

    /// When the recording began, on the clock that includes suspend.
    let began = Instant.now
    private let state = Mutex(State())

    /// Makes an empty recorder.
    public init() {}

    /// The entries so far, in the order of the answers.
    ///
    /// A request that was not answered, or too late, is where the wait for it ended.
    var entries: [Entry] {
        let now = elapsed
        return state.withLock { state in
            var entries = state.answered
            for (_, question) in state.open.sorted(by: { $0.key < $1.key }) {
                var entry = question.entry
                entry.at = min(now, question.limit)
                entry.failure = DriverError(.unanswered, subject: entry.of)
                entries.insert(entry, at: entries.firstIndex { $0.at > entry.at } ?? entries.endIndex)
            }
            return entries
        }
    }

    private var elapsed: Double { (began.seconds(to: .now) * 1e6).rounded() / 1e6 }

    func nextChannel() -> Int {
        state.withLock { state in
            defer { state.channels += 1 }
            return state.channels
        }
    }

    /// Stores a request when it is made, and returns its number; a request that is too late is ignored.
    func ask(_ entry: Entry, until limit: Double) -> Int {
        let isLate = elapsed > limit
        return state.withLock { state in
            defer { state.asked += 1 }
            if !isLate { state.open[state.asked] = WorldQuery(entry: entry, limit: limit) }
            return state.asked
        }
    }

    /// Stores the answer to a request, and returns its time; an answer that is too late is ignored.
    func answer(_ number: Int, _ entry: Entry) -> Double {
        let now = elapsed
        state.withLock { state in
            guard let question = state.open[number], now <= question.limit else { return }
            state.open[number] = nil
            var entry = entry
            entry.at = now
            state.answered.append(entry)
        }
        return now
    }
}
