public import DriverKit
internal import Synchronization
public import SystemPackage

/// A recorded world: answers as the rig did, and `notRecorded` to what it was never asked.
///
/// Its clock stands at the last answer given, so the same recording gives the same ages. Nobody waits in it: what the rig
/// never answered is `unanswered` at once. An answer that the rig gave
/// several times is given in that order, the last one for ever.
public struct ReplayWorld: World {
    private let script: ReplayQueue

    /// Makes the world of one driver of a recording.
    public init(_ recording: Recording, of driver: String) {
        script = ReplayQueue(recording.entries.filter { $0.driver == driver })
    }

    /// The instant of the last answer.
    public func now() -> Instant { script.now }

    /// The recorded list.
    public func devices(in subsystem: String) throws(DriverError) -> [FilePath] {
        try script.answer(.devices, subsystem).list?.map { FilePath($0) } ?? []
    }

    /// The recorded list.
    public func modules(for alias: String) throws(DriverError) -> [String] {
        try script.answer(.modules, alias).list ?? []
    }

    /// The recorded list.
    public func entries(of folder: FilePath) throws(DriverError) -> [String] {
        try script.answer(.entries, folder.string).list ?? []
    }

    /// The recorded bytes.
    public func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        let bytes = try script.answer(.contents, file.string).bytes ?? []
        guard bytes.count <= limit else {
            throw DriverError(.malformed, subject: file.string, detail: "longer than \(limit) bytes")
        }
        return bytes
    }

    /// The recorded status.
    public func status(of node: FilePath) throws(DriverError) -> NodeStatus {
        guard let status = try script.answer(.status, node.string).node else {
            throw DriverError(.notRecorded, subject: node.string)
        }
        return NodeStatus(
            owner: status.owner, group: status.group, mode: status.mode,
            entries: (status.entries ?? []).compactMap(AccessEntry.init), readable: status.readable,
            right: status.right.flatMap(AccessRight.init), changed: status.changed)
    }

    /// The recorded account.
    public func account() throws(DriverError) -> Account {
        guard let person = try script.answer(.account, "").person else {
            throw DriverError(.notRecorded, subject: "the account")
        }
        return person.account
    }

    /// The recorded conversation.
    public func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        let entry = try script.answer(.connect, endpoint.description)
        return ReplayChannel(script, entry.channel ?? -1, endpoint.description)
    }
}

/// The answers of one driver's world that are still to be given.
private final class ReplayQueue: Sendable {
    struct WorldQuery: Hashable {
        var ask: Entry.Ask
        var of: String
        var channel: Int?
    }
    private struct State {
        var answers: [WorldQuery: [Entry]]
        var now: Double = 0
    }
    private let state: Mutex<State>

    init(_ entries: [Entry]) {
        // Reversed, so that the next answer is the last of its list.
        state = Mutex(
            State(
                answers: Dictionary(
                    grouping: entries.reversed(),
                    by: { WorldQuery(ask: $0.ask, of: $0.of, channel: $0.ask == .connect ? nil : $0.channel) })))
    }

    var now: Instant { Instant(nanoseconds: 0).advanced(bySeconds: state.withLock(\.now)) }

    /// The next answer to a question, or its error; the last one is kept unless `once` is set.
    func answer(
        _ ask: Entry.Ask, _ subject: String, channel: Int? = nil, once: Bool = false
    ) throws(DriverError) -> Entry {
        let question = WorldQuery(ask: ask, of: subject, channel: channel)
        let entry = state.withLock { state -> Entry? in
            guard let entry = state.answers[question]?.last else { return nil }
            if once || state.answers[question, default: []].count > 1 { state.answers[question]?.removeLast() }
            if entry.at.isFinite, !entry.isUnanswered { state.now = max(state.now, entry.at) }
            return entry
        }
        guard let entry else { throw DriverError(.notRecorded, subject: subject) }
        if entry.isUnanswered { UnansweredFlag.current?.meet() }
        if let error = entry.failure { throw error }
        return entry
    }
}

/// A recorded conversation: it gives what the peer said, in that order, whatever it is asked.
private final class ReplayChannel: Channel {
    private let script: ReplayQueue
    private let number: Int
    private let endpoint: String

    init(_ script: ReplayQueue, _ number: Int, _ endpoint: String) {
        self.script = script
        self.number = number
        self.endpoint = endpoint
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        do throws(DriverError) {
            _ = try script.answer(.send, endpoint, channel: number, once: true)
        } catch  where error.code == .notRecorded {
            // A frame too many harms nothing: the peer's words decide.
        }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let frame = try script.answer(.receive, endpoint, channel: number, once: true).bytes ?? []
        guard frame.count <= limit else {
            throw DriverError(.malformed, subject: endpoint, detail: "a frame longer than \(limit) bytes")
        }
        return frame
    }

    func cancel() {}
}
