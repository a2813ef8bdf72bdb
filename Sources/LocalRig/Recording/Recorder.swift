internal import DriverKit
internal import Synchronization

/// Records the requests and answers of all drivers of one probe.
public final class Recorder: Sendable {
    private struct State {
        var answered: [Entry] = []
        /// The requests without an answer yet by their number, in the order in which they were asked; after `limit`
        /// seconds an answer is too late to count.
        var open: [Int: (entry: Entry, limit: Double)] = [:]
        var asked = 0
        var channels = 0
        /// The bytes of the lines in the file, at most.
        var size = 0
        var names = 0
        var leftOut = 0

        /// Counts an entry, unless the file could not be read with it.
        mutating func takesRoom(for entry: Entry) -> Bool {
            let count = entry.list?.count ?? 0
            guard answered.count + open.count < Recording.entryLimit, entry.flaw(isAnswered: false) == nil,
                // A line has a few values beside its list.
                count <= Recording.valueLimit - 100, names + count <= Recording.nameLimit,
                // What is left is for the header.
                size + entry.lineSize <= Recording.limit - (2 << 20)
            else {
                leftOut += 1
                return false
            }
            size += entry.lineSize
            names += count
            return true
        }
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

    /// How many requests or answers were left out, since the recording is full; a replay does not know them.
    public var leftOut: Int { state.withLock(\.leftOut) }

    var elapsed: Double { (began.seconds(to: .now) * 1e6).rounded() / 1e6 }

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
            if !isLate, state.takesRoom(for: entry) {
                state.open[state.asked] = (entry, limit)
            }
            return state.asked
        }
    }

    /// Stores the answer to a request, and returns its time; an answer that is too late is ignored.
    func answer(_ number: Int, _ entry: Entry) -> Double {
        state.withLock { state in
            // Under the lock, so that the entries are in the order of their times.
            let now = elapsed
            guard let question = state.open[number], now <= question.limit else { return now }
            state.open[number] = nil
            state.size -= question.entry.lineSize
            guard state.takesRoom(for: entry) else { return now }
            var entry = entry
            entry.at = now
            state.answered.append(entry)
            return now
        }
    }
}
