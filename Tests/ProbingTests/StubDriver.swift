import DriverKit
import Readiness
import Synchronization
import SystemPackage

/// A driver of fixed candidates, some of which never answer.
struct StubDriver: Driver {
    var name = "stub"
    var kinds: [SensorKind] = [.accelerometer]
    var causeWhenStalled: Cause = .indeterminate
    var patience = Duration.zero
    var candidates: [String] = []
    /// Keys whose read blocks until the gate opens.
    var hanging: Set<String> = []
    /// Keys of candidates that are not read further.
    var closed: Set<String> = []
    /// The groups of candidates, by their key.
    var groups: [String: String] = [:]
    /// The reading times of candidates, by their key.
    var readingTimes: [String: ReadingTime] = [:]
    /// The sensors that each reading finds in passing.
    var others: [Sensor] = []
    /// How many reads must run at the same time before one of them returns.
    var quorum = 0
    var openError: DriverError?
    var surveyHangs = false
    var gate = Gate()
    var reads = ReadCounter()

    func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        if let openError { throw openError }
        return StubSession(self, world)
    }
}

/// A gate that blocks callers until it opens.
final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait(or isMet: () -> Bool = { false }) {
        while !isOpen.withLock({ $0 }), !isMet() { Thread.sleep(milliseconds: 2) }
    }
}

/// Counts the reads that run at the same time.
final class ReadCounter: Sendable {
    private struct Counts {
        var running: [String: Int] = [:]
        var most = 0
        var mostOfAGroup = 0
    }
    private let counts = Mutex(Counts())

    /// The maximum of all.
    var most: Int { counts.withLock(\.most) }
    /// The maximum of one group.
    var mostOfAGroup: Int { counts.withLock(\.mostOfAGroup) }

    func begin(_ group: String) {
        counts.withLock { counts in
            counts.running[group, default: 0] += 1
            counts.most = max(counts.most, counts.running.values.reduce(0, +))
            counts.mostOfAGroup = max(counts.mostOfAGroup, counts.running[group, default: 0])
        }
    }

    func end(_ group: String) { counts.withLock { $0.running[group, default: 0] -= 1 } }
}

/// A recording that gives the same answer to all queries.
final class RecordedWorld: World {
    private let unanswered: Set<FilePath>
    private let unasked: Set<FilePath>
    private let counts = Mutex(ReplayCounts())

    init(unanswered: some Sequence<String>, unasked: some Sequence<String> = []) {
        self.unanswered = Set(unanswered.map { FilePath("/" + $0) })
        self.unasked = Set(unasked.map { FilePath("/" + $0) })
    }

    var replayCounts: ReplayCounts? { counts.withLock(\.self) }
    func now() -> Instant { Instant(nanoseconds: 0) }
    func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        let code: DriverError.Code? = counts.withLock { counts in
            if unanswered.contains(file) {
                counts.unanswered += 1
                return .unanswered
            } else if unasked.contains(file) {
                counts.notRecorded += 1
                return .notRecorded
            }
            counts.answered += 1
            return nil
        }
        if let code { throw DriverError(code, subject: file.string) }
        return []
    }
    func devices(in subsystem: String) -> [FilePath] { [] }
    func modules(for alias: String) -> [String] { [] }
    func entries(of folder: FilePath) -> [String] { [] }
    func status(of node: FilePath) throws(DriverError) -> NodeStatus { throw nothing(node.string) }
    func account() throws(DriverError) -> Account { throw nothing("account") }
    func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        throw nothing(endpoint.description)
    }

    private func nothing(_ subject: String) -> DriverError { DriverError(.notRecorded, subject: subject) }
}

final class StubSession: Session {
    private let driver: StubDriver
    private let world: any World

    init(_ driver: StubDriver, _ world: any World) {
        self.driver = driver
        self.world = world
    }

    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        if driver.surveyHangs { driver.gate.wait() }
        _ = try? world.contents(of: "/enumeration", limit: 0)
        return Enumeration(
            candidates: driver.candidates.map { key in
                SensorCandidate(
                    Sensor(key: key, kind: driver.kinds[0], name: key, driver: driver.name),
                    isOpen: !driver.closed.contains(key), group: driver.groups[key])
            }, access: .readable)
    }

    func readingTime(of candidate: SensorCandidate, until deadline: Instant) -> ReadingTime? {
        driver.readingTimes[candidate.sensor.key]
    }

    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        let key = candidate.sensor.key
        driver.reads.begin(driver.groups[key] ?? key)
        defer { driver.reads.end(driver.groups[key] ?? key) }
        driver.gate.wait { driver.reads.most >= driver.quorum && !driver.hanging.contains(key) }
        var sensor = candidate.sensor
        do throws(DriverError) {
            _ = try world.contents(of: FilePath("/" + key), limit: 0)
        } catch {
            sensor.detail = error.code == .notRecorded ? error.reason : nil
        }
        sensor.reading = .steps(7)
        var finding = Finding(sensor)
        finding.others = driver.others
        return finding
    }

    func cancel() {}
}
