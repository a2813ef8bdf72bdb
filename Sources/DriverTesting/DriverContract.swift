public import DriverKit
internal import Readiness
internal import Synchronization

/// The rules that every driver must keep, as checks for tests; `Drivers/README.md` lists them.
///
/// Each check runs on a thread of its own and is abandoned after `patience` seconds: a driver that hangs is a violation
/// and does not hang the test.
public struct DriverContract: Sendable {
    /// Makes a new, equal world at each call, since its conversations are used up.
    public typealias WorldMaker = @Sendable () -> any World

    private let driver: any Driver
    private let worlds: [(name: String, make: WorldMaker)]
    private let patience: Double

    /// Makes the contract of a driver in some worlds; worlds with sensors check the most.
    public init(_ driver: any Driver, in worlds: KeyValuePairs<String, WorldMaker>, patience: Double = 20) {
        self.driver = driver
        self.worlds = worlds.map { ($0.key, $0.value) }
        self.patience = patience
    }

    /// Runs every check; returns the violations, one line each, empty for a driver that keeps the contract.
    ///
    /// `mutants` is how many worlds with damaged bytes are made from each world.
    public func run(mutants: Int = 200) -> [String] {
        var violations: [String] = []
        for (name, make) in worlds {
            for depth in Depth.allCases {
                violations += sameTwice(make, depth).map { "\(name), \(depth.rawValue): \($0)" }
            }
            violations += untouchedAtPresence(make).map { "\(name): \($0)" }
            violations += deadline(make).map { "\(name): \($0)" }
            violations += cancellation(make).map { "\(name): \($0)" }
            violations += hostile(make, mutants).map { "\(name), damaged: \($0)" }
        }
        return violations + refusals()
    }

    // MARK: The checks

    /// The same world twice gives the same complete result.
    private func sameTwice(_ make: WorldMaker, _ depth: Depth) -> [String] {
        guard let first = probe(make(), depth), let second = probe(make(), depth) else { return [hangs] }
        return (first == second ? [] : ["the same world twice gives two results"]) + flaws(first)
    }

    /// Nothing is connected to at depth `presence`.
    private func untouchedAtPresence(_ make: WorldMaker) -> [String] {
        let opened = Mutex<[String]>([])
        let world = make()
        let observed = AlteredWorld(
            world: world,
            open: { endpoint, deadline throws(DriverError) in
                opened.withLock { $0.append(endpoint.description) }
                return try world.channel(to: endpoint, until: deadline)
            })
        guard probe(observed, .presence) != nil else { return [hangs] }
        return opened.withLock(\.self).map { "connects to \($0) at depth presence" }
    }

    /// Every call ends at its deadline if peers never answer.
    private func deadline(_ make: WorldMaker) -> [String] {
        guard let result = probe(AlteredWorld(silencing: make()), .sample, seconds: 0.2) else {
            return ["waits beyond its deadline"]
        }
        return flaws(result)
    }

    /// A session that is cancelled while a peer is silent returns soon.
    private func cancellation(_ make: WorldMaker) -> [String] {
        guard let asked = try? Waker(), let ended = try? Waker() else { return ["no eventfd"] }
        let world = AlteredWorld(silencing: make(), asked: asked)
        let began = Mutex<(any Session)?>(nil)
        let driver = driver
        let isStarted = Worker.start {
            let deadline = Instant.now.advanced(bySeconds: 3600)
            if let session = try? driver.open(world, until: deadline) {
                began.withLock { $0 = session }
                _ = try? session.enumeration(.sample, until: deadline)
            }
            ended.wake()
            asked.wake()
        }
        guard isStarted, asked.wait(until: .now.advanced(bySeconds: patience)) else { return [hangs] }
        began.withLock(\.self)?.cancel()
        return ended.wait(until: .now.advanced(bySeconds: patience)) ? [] : ["continues after cancel"]
    }

    /// If the world answers everything with one error, nothing is called absent that is only unknown.
    private func refusals() -> [String] {
        RefusingWorld.errors.flatMap { error in
            Depth.allCases.flatMap { depth -> [String] in
                let name = "a world of \(error.errno?.name ?? error.code.rawValue), \(depth.rawValue)"
                guard let result = probe(RefusingWorld(error: error), depth) else { return ["\(name): \(hangs)"] }
                return (flaws(result) + lies(result, about: error)).map { "\(name): \($0)" }
            }
        }
    }

    /// Bytes that no peer or kernel should send do no harm.
    private func hostile(_ make: WorldMaker, _ mutants: Int) -> [String] {
        for seed in 0..<UInt64(max(0, mutants)) {
            let damage = Damage(seed: seed)
            let world = AlteredWorld(world: make(), bytes: { damage.applied(to: $0) })
            guard let result = probe(world, .sample) else { return ["seed \(seed): \(hangs)"] }
            if let flaw = flaws(result).first { return ["seed \(seed): \(flaw)"] }
        }
        return []
    }

    // MARK: Rules for a result

    private var hangs: String { "no result within \(patience) s" }

    private func flaws(_ result: ProbeResult) -> [String] {
        guard let enumeration = result.enumeration else { return [] }
        let sensors = result.sensors
        let keys = Dictionary(grouping: sensors) { "\($0.kind.id) \($0.key)" }
        let unlisted = sensors.filter { !(driver.kinds + driver.incidentalKinds).contains($0.kind) }
        return enumeration.omissions(of: sensors) + keys.filter { $1.count > 1 }.map { "\($1.count) sensors of \($0)" }
            + unlisted.map { "a sensor of the kind \($0.kind.id), which the driver does not look for" }
    }

    /// What is reported as absent, or with another cause than the error itself.
    private func lies(_ result: ProbeResult, about error: DriverError) -> [String] {
        guard let enumeration = result.enumeration else { return [] }
        var allowed: Set<Cause> = [.indeterminate, driver.causeWhenStalled]
        if error.isDenied { allowed.insert(.denied) }
        if case .unavailable(let own) = error.availability { allowed.insert(own) }
        let classified =
            enumeration.obstacles.map { ($0.kind, $0.cause) }
            + result.sensors.compactMap { sensor in
                if case .unavailable(let cause) = sensor.availability { (sensor.kind, cause) } else { nil }
            }
        let silent = driver.kinds.filter { kind in !classified.contains { $0.0 == kind } }
        return classified.filter { !allowed.contains($0.1) }.map { "\($0.0.id) is called \($0.1.id)" }
            + silent.map { "\($0.id) is not mentioned, which means that it is absent" }
    }

    // MARK: A probe

    /// The result of one probe; without an enumeration if that threw.
    private struct ProbeResult: Sendable, Equatable {
        var enumeration: Enumeration?
        var error: DriverError?
        var findings: [Finding] = []
        /// The sensors as asked, or as listed if nothing more was asked of them.
        var sensors: [Sensor] = []
    }

    /// Probes on a thread of its own; nil if that does not end.
    private func probe(_ world: any World, _ depth: Depth, seconds: Double = 2) -> ProbeResult? {
        let driver = driver
        return try? Worker.answer(until: .now.advanced(bySeconds: patience)) {
            var result = ProbeResult()
            let deadline = world.now().advanced(bySeconds: seconds)
            do throws(DriverError) {
                let session = try driver.open(world, until: deadline)
                let enumeration = try session.enumeration(depth, until: deadline)
                result.enumeration = enumeration
                for candidate in enumeration.candidates {
                    guard candidate.isOpen else {
                        result.sensors.append(candidate.sensor)
                        continue
                    }
                    let finding = session.look(at: candidate, depth, until: deadline)
                    result.findings.append(finding)
                    result.sensors.append(finding.sensor)
                    result.sensors += finding.others
                }
            } catch {
                result.error = error
            }
            return result
        }
    }
}
