import DriverKit
import Synchronization
import SystemPackage

/// A world with only one peer, which answers from a script.
struct ScriptedWorld: World {
    private let answers: [String: String]

    init(_ answers: [String: String]) { self.answers = answers }

    func now() -> Instant { Instant(nanoseconds: 1) }
    func devices(in subsystem: String) throws(DriverError) -> [FilePath] { [] }
    func modules(for alias: String) throws(DriverError) -> [String] { [] }
    func entries(of folder: FilePath) throws(DriverError) -> [String] { throw missing(folder.string) }
    func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] { throw missing(file.string) }
    func status(of node: FilePath) throws(DriverError) -> NodeStatus { throw missing(node.string) }
    func account() throws(DriverError) -> Account { .current }
    func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        ScriptedChannel(answers)
    }

    private func missing(_ path: String) -> DriverError { DriverError(errno: .noSuchFileOrDirectory, subject: path) }
}

private final class ScriptedChannel: Channel {
    private let answers: [String: String]
    private let pending = Mutex<[[UInt8]]>([])

    init(_ answers: [String: String]) { self.answers = answers }

    func send(_ frame: [UInt8], until deadline: Instant) {
        guard let answer = answers[String(decoding: frame.dropLast(), as: UTF8.self)] else { return }
        pending.withLock { $0.append(Array(answer.utf8)) }
    }
    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let frame = pending.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let frame else { throw DriverError(.timedOut, subject: "the script") }
        return Array(frame.prefix(limit))
    }
    func cancel() {}
}
