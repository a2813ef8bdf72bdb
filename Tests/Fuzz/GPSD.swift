import DriverKit
import GPSD
import Readiness
import Synchronization
import SystemPackage

/// The JSON reader.
func fuzzJSON(_ bytes: [UInt8]) { _ = JSON(parsing: bytes) }

/// A whole conversation: the first half answers `?DEVICES;`, the second the watch; the first byte gives the position of
/// the cut.
func fuzzGPSD(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = bytes.dropFirst()
    let cut = rest.startIndex + rest.count * Int(first) / 255
    let world = FuzzedGPSD(answers: [Array(rest[..<cut]), Array(rest[cut...])])
    let deadline = world.now().advanced(bySeconds: 2)
    guard let session = try? GPSDDriver().open(world, until: deadline),
        let enumeration = try? session.enumeration(.sample, until: deadline)
    else { return }
    for candidate in enumeration.candidates where candidate.isOpen {
        _ = session.look(at: candidate, .sample, until: deadline)
    }
}

/// A world that contains only a gpsd with a fixed answer to each request; its time passes while nothing comes.
private final class FuzzedGPSD: World, Channel {
    private let answers: Mutex<[[UInt8]]>
    private let pending = Mutex<[[UInt8]]>([])
    private let clock = Mutex(Instant(nanoseconds: 1_000_000_000_000))

    init(answers: [[UInt8]]) { self.answers = Mutex(answers) }

    func account() throws(DriverError) -> Account { .current }
    func now() -> Instant { clock.withLock(\.self) }
    func devices(in subsystem: String) throws(DriverError) -> [FilePath] { [] }
    func modules(for alias: String) throws(DriverError) -> [String] { [] }
    func entries(of folder: FilePath) throws(DriverError) -> [String] { [] }
    func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] { throw missing(file) }
    func status(of node: FilePath) throws(DriverError) -> NodeStatus { throw missing(node) }
    func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel { self }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        let answer = answers.withLock { $0.isEmpty ? [] : $0.removeFirst() }
        pending.withLock { $0.append(answer) }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let frame = pending.withLock { pending -> [UInt8]? in
            guard let first = pending.first, !first.isEmpty else { return nil }
            pending[0] = Array(first.dropFirst(limit))
            return Array(first.prefix(limit))
        }
        if let frame { return frame }
        clock.withLock { $0 = max($0, deadline) }
        throw DriverError(.timedOut, subject: "the fuzzed gpsd")
    }

    func cancel() {}

    private func missing(_ path: FilePath) -> DriverError {
        DriverError(errno: .noSuchFileOrDirectory, subject: path.string)
    }
}
