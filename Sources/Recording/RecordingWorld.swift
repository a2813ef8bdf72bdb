public import DriverKit
internal import Synchronization
public import SystemPackage

/// What listens at the seam: the questions and answers of all drivers of one probe.
public final class Recorder: Sendable {
    let entries = Mutex<[Entry]>([])
    private let channels = Mutex(0)
    private let began = Instant.now

    /// Makes a recorder that has heard nothing.
    public init() {}

    fileprivate var elapsed: Double { (began.seconds(to: .now) * 1e6).rounded() / 1e6 }

    fileprivate func nextChannel() -> Int {
        channels.withLock { number in
            defer { number += 1 }
            return number
        }
    }

    fileprivate func hear(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}

/// A world that passes every question on and writes down the answer.
public struct RecordingWorld: World {
    private let world: any World
    private let driver: String
    private let recorder: Recorder

    /// Makes a recording world of another, for one driver.
    public init(_ world: any World, of driver: String, to recorder: Recorder) {
        self.world = world
        self.driver = driver
        self.recorder = recorder
    }

    /// The other world's clock, which a recording does not hold.
    public func now() -> Instant { world.now() }

    /// Records the list.
    public func devices(in subsystem: String) throws(DriverError) -> [FilePath] {
        try record(.devices, subsystem) { (entry) throws(DriverError) in
            let devices = try world.devices(in: subsystem)
            entry.list = devices.map(\.string)
            return devices
        }
    }

    /// Records the list.
    public func modules(for alias: String) throws(DriverError) -> [String] {
        try record(.modules, alias) { (entry) throws(DriverError) in
            let modules = try world.modules(for: alias)
            entry.list = modules
            return modules
        }
    }

    /// Records the list.
    public func entries(of folder: FilePath) throws(DriverError) -> [String] {
        try record(.entries, folder.string) { (entry) throws(DriverError) in
            let names = try world.entries(of: folder)
            entry.list = names
            return names
        }
    }

    /// Records the bytes.
    public func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        try record(.contents, file.string) { (entry) throws(DriverError) in
            let bytes = try world.contents(of: file, limit: limit)
            entry.bytes = bytes
            return bytes
        }
    }

    /// Records the status.
    public func status(of node: FilePath) throws(DriverError) -> NodeStatus {
        try record(.status, node.string) { (entry) throws(DriverError) in
            let status = try world.status(of: node)
            entry.node = Entry.Node(
                owner: status.owner, group: status.group, mode: status.mode, readable: status.readable,
                right: status.right?.id)
            return status
        }
    }

    /// Records the connection, and what is said over it.
    public func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        let number = recorder.nextChannel()
        return try record(.connect, endpoint.description, channel: number) { (entry) throws(DriverError) in
            RecordingChannel(
                try world.channel(to: endpoint, until: deadline), number, of: endpoint.description, driver: driver,
                recorder: recorder)
        }
    }

    private func record<Answer>(
        _ ask: Entry.Ask, _ subject: String, channel: Int? = nil,
        _ body: (inout Entry) throws(DriverError) -> Answer
    ) throws(DriverError) -> Answer {
        try recorder.record(ask, subject, driver: driver, channel: channel, body)
    }
}

extension Recorder {
    /// Hears one question, timed at its answer.
    fileprivate func record<Answer>(
        _ ask: Entry.Ask, _ subject: String, driver: String, channel: Int?,
        _ body: (inout Entry) throws(DriverError) -> Answer
    ) throws(DriverError) -> Answer {
        var entry = Entry(driver: driver, at: 0, ask: ask, of: subject, channel: channel)
        do throws(DriverError) {
            let answer = try body(&entry)
            entry.at = elapsed
            hear(entry)
            return answer
        } catch {
            entry.at = elapsed
            entry.failure = error
            hear(entry)
            throw error
        }
    }
}

/// A conversation that is written down.
private final class RecordingChannel: Channel {
    private let channel: any Channel
    private let number: Int
    private let endpoint: String
    private let driver: String
    private let recorder: Recorder

    init(_ channel: any Channel, _ number: Int, of endpoint: String, driver: String, recorder: Recorder) {
        self.channel = channel
        self.number = number
        self.endpoint = endpoint
        self.driver = driver
        self.recorder = recorder
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        try recorder.record(.send, endpoint, driver: driver, channel: number) { (entry) throws(DriverError) in
            entry.bytes = frame
            try channel.send(frame, until: deadline)
        }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        try recorder.record(.receive, endpoint, driver: driver, channel: number) { (entry) throws(DriverError) in
            let frame = try channel.receive(limit: limit, until: deadline)
            entry.bytes = frame
            return frame
        }
    }

    func cancel() { channel.cancel() }
}
