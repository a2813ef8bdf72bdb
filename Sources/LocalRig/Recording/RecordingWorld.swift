public import DriverKit
internal import Readiness
internal import Synchronization
public import SystemPackage

/// A world that forwards every request and records the answer.
///
/// Its clock shows the last answer, as that of the replay will: a driver then computes the same times.
public struct RecordingWorld: World {
    private let world: any World
    private let scribe: EntryWriter

    /// Makes a recording world of another, for one driver.
    ///
    /// An answer later than `limit` (since the recording began) does not count: the probe has abandoned the request by
    /// then. The clock begins with the recording, or now if `isLate`, for one whose requests begin much later.
    public init(
        _ world: any World, of driver: String, to recorder: Recorder, until limit: Duration? = nil, isLate: Bool = false
    ) {
        self.world = world
        scribe = EntryWriter(
            driver: driver, recorder: recorder, limit: limit?.seconds ?? .infinity, from: isLate ? recorder.elapsed : 0)
    }

    /// The counts of the recorded world.
    public var replayCounts: ReplayCounts? { world.replayCounts }

    /// The subject of the recorded world.
    public var subject: AccessSubject? { world.subject }

    /// The instant of the last answer.
    public func now() -> Instant { scribe.now }

    /// Records the list.
    public func devices(in subsystem: String) throws(DriverError) -> [FilePath] {
        try scribe.record(.devices, subsystem, try world.devices(in: subsystem)) { $0.list = $1.map(\.string) }
    }

    /// Records the list.
    public func modules(for alias: String) throws(DriverError) -> [String] {
        try scribe.record(.modules, alias, try world.modules(for: alias)) { $0.list = $1 }
    }

    /// Records the list.
    public func entries(of folder: FilePath) throws(DriverError) -> [String] {
        try scribe.record(.entries, folder.string, try world.entries(of: folder)) { $0.list = $1 }
    }

    /// Records the bytes.
    public func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        try scribe.record(.contents, file.string, try world.contents(of: file, limit: limit)) { $0.bytes = $1 }
    }

    /// Records the status.
    public func status(of node: FilePath) throws(DriverError) -> NodeStatus {
        try scribe.record(.status, node.string, try world.status(of: node)) { $0.node = Entry.Node($1) }
    }

    /// Records the account.
    public func account() throws(DriverError) -> Account {
        try scribe.record(.account, "", try world.account()) { $0.person = Entry.Person($1) }
    }

    /// Records the connection and its frames.
    public func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        let number = scribe.recorder.nextChannel()
        let channel = try scribe.record(
            .connect, endpoint.description, channel: number, try world.channel(to: endpoint, until: deadline))
        return RecordingChannel(channel, number, of: endpoint.description, scribe)
    }
}

/// Writes the entries of one driver.
private final class EntryWriter: Sendable {
    let recorder: Recorder
    private let driver: String
    private let limit: Double
    private let last: Mutex<Double>

    init(driver: String, recorder: Recorder, limit: Double, from begin: Double) {
        last = Mutex(begin)
        self.driver = driver
        self.recorder = recorder
        self.limit = limit
    }

    var now: Instant { recorder.began.advanced(bySeconds: last.withLock(\.self)) }

    /// Records one request, and its answer once it comes, as far as `keep` stores it.
    func record<Answer>(
        _ ask: Entry.Ask, _ subject: String, channel: Int? = nil, sending frame: [UInt8]? = nil,
        _ answer: @autoclosure () throws(DriverError) -> Answer,
        _ keep: (inout Entry, Answer) -> Void = { _, _ in }
    ) throws(DriverError) -> Answer {
        var entry = Entry(driver: driver, at: 0, ask: ask, of: subject, channel: channel)
        entry.bytes = frame
        let number = recorder.ask(entry, until: limit)
        defer {
            let at = recorder.answer(number, entry)
            last.withLock { $0 = max($0, at) }
        }
        do throws(DriverError) {
            let answer = try answer()
            keep(&entry, answer)
            return answer
        } catch {
            entry.failure = error
            throw error
        }
    }
}

private final class RecordingChannel: Channel {
    private let channel: any Channel
    private let number: Int
    private let endpoint: String
    private let scribe: EntryWriter

    init(_ channel: any Channel, _ number: Int, of endpoint: String, _ scribe: EntryWriter) {
        self.channel = channel
        self.number = number
        self.endpoint = endpoint
        self.scribe = scribe
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        try scribe.record(
            .send, endpoint, channel: number, sending: frame, try channel.send(frame, until: deadline))
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        try scribe.record(.receive, endpoint, channel: number, try channel.receive(limit: limit, until: deadline)) {
            $0.bytes = $1
        }
    }

    func cancel() { channel.cancel() }
}
