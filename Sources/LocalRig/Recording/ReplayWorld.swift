public import DriverKit
internal import Synchronization
public import SystemPackage

/// A recorded world: gives the rig's answers, and `notRecorded` for requests that were never made.
///
/// Its clock shows the last answer given, so the same recording gives the same ages. Nothing waits: a request that the
/// rig never answered is `unanswered` at once. Several answers to one request are given in their order, the last one
/// forever.
public struct ReplayWorld: World {
    /// The subject of the recorded world.
    public let subject: AccessSubject?
    private let script: ReplayQueue

    /// Makes the world of one driver of a recording.
    public init(_ recording: Recording, of driver: String) {
        script = ReplayQueue(recording.entries.filter { $0.driver == driver })
        subject = recording.header.subject.flatMap(AccessSubject.init)
    }

    /// How the requests were answered so far.
    public var replayCounts: ReplayCounts? { script.counts }

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
        guard let node = try script.answer(.status, node.string).node else {
            throw DriverError(.notRecorded, subject: node.string)
        }
        return node.status
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
        if endpoint.isStateless { script.pairRequests(of: endpoint.description) }
        return ReplayChannel(
            script, endpoint.description, number: endpoint.isStateless ? nil : entry.channel ?? -1)
    }
}

/// The remaining answers of one driver's world.
private final class ReplayQueue: Sendable {
    struct WorldQuery: Hashable {
        var ask: Entry.Ask
        var of: String
        var channel: Int?
        /// The request, if the answer depends on nothing else.
        var request: [UInt8]?
    }
    private struct State {
        /// The answers to each request, the next one last.
        var answers: [WorldQuery: [Entry]]
        /// The endpoints whose answers are found by the request.
        var paired: Set<String> = []
        var now: Double = 0
        var counts = ReplayCounts()
    }
    private let entries: [Entry]
    private let state: Mutex<State>

    init(_ entries: [Entry]) {
        self.entries = entries
        // Reversed, so that the next answer is the last of its list.
        state = Mutex(
            State(
                answers: Dictionary(
                    grouping: entries.reversed(),
                    by: { WorldQuery(ask: $0.ask, of: $0.of, channel: $0.ask == .connect ? nil : $0.channel) })))
    }

    var counts: ReplayCounts { state.withLock(\.counts) }

    var now: Instant { Instant(nanoseconds: 0).advanced(bySeconds: state.withLock(\.now)) }

    /// Finds the answers of a peer by the request, whichever conversation they came in.
    func pairRequests(of endpoint: String) {
        state.withLock { state in
            guard state.paired.insert(endpoint).inserted else { return }
            var requests: [Int: [UInt8]] = [:]
            var paired: [(WorldQuery, Entry)] = []
            for entry in entries where entry.of == endpoint {
                guard let channel = entry.channel, entry.ask != .connect else { continue }
                if entry.ask == .send { requests[channel] = entry.bytes }
                paired.append((WorldQuery(ask: entry.ask, of: endpoint, request: requests[channel]), entry))
            }
            for (question, entry) in paired.reversed() { state.answers[question, default: []].append(entry) }
        }
    }

    /// The next answer to a request, or its error; the last one is kept unless `once` is set.
    func answer(
        _ ask: Entry.Ask, _ subject: String, channel: Int? = nil, request: [UInt8]? = nil, once: Bool = false
    ) throws(DriverError) -> Entry {
        let question = WorldQuery(ask: ask, of: subject, channel: channel, request: request)
        let entry = state.withLock { state -> Entry? in
            guard let entry = state.answers[question]?.last else {
                state.counts.notRecorded += 1
                return nil
            }
            if once || state.answers[question, default: []].count > 1 { state.answers[question]?.removeLast() }
            if entry.isUnanswered {
                state.counts.unanswered += 1
            } else {
                state.counts.answered += 1
                if entry.at.isFinite {
                    state.now = max(state.now, entry.at)
                    state.counts.lastAnswer = Instant(nanoseconds: 0).advanced(bySeconds: entry.at)
                }
            }
            return entry
        }
        guard let entry else { throw DriverError(.notRecorded, subject: subject) }
        if let error = entry.failure { throw error }
        return entry
    }
}

/// A recorded conversation: returns the peer's frames in order, whatever is sent.
///
/// Of a peer that answers each request by one frame it returns the answer to the last request: sensors that were read in
/// parallel had a conversation each; read one after the other they share one.
private final class ReplayChannel: Channel {
    private let script: ReplayQueue
    private let endpoint: String
    /// The conversation; nil if answers are found by the request.
    private let number: Int?
    private let request = Mutex<[UInt8]?>(nil)

    init(_ script: ReplayQueue, _ endpoint: String, number: Int?) {
        self.script = script
        self.endpoint = endpoint
        self.number = number
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        guard let number else {
            request.withLock { $0 = frame }
            _ = try script.answer(.send, endpoint, request: frame)
            return
        }
        do throws(DriverError) {
            _ = try script.answer(.send, endpoint, channel: number, once: true)
        } catch  where error.code == .notRecorded {
            // An additional frame does no harm: the peer's frames decide.
        }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let frame = try script.answer(
            .receive, endpoint, channel: number, request: request.withLock(\.self), once: number != nil
        ).bytes
        guard let frame, frame.count > limit else { return frame ?? [] }
        throw DriverError(.malformed, subject: endpoint, detail: "a frame longer than \(limit) bytes")
    }

    func cancel() {}
}
