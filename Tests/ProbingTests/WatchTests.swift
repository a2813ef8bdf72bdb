import DriverKit
import Readiness
import LocalRig
import Support
import Synchronization
import Testing

/// A rig whose hardware a test changes during a watch.
private final class Bench: Driver, Sendable {
    struct State {
        var keys: [String] = ["a"]
        var looks: [String: Int] = [:]
        var surveys = 0
        var monitor: ChangeMonitor?
        var sources = 0
        /// Keys whose reading blocks until the gate opens.
        var hanging: Set<String> = []
        /// How long each reading takes, in milliseconds.
        var time: UInt32 = 0
        /// How the next listings end: with an error, or with an answer that lacks something for want of time.
        var listings: [Listing] = []
        enum Listing { case failed(DriverError.Code), incomplete, accessLate }
    }
    let state = Mutex(State())
    let gate = Gate()
    let breaksOff: Bool

    init(breaksOff: Bool = false) { self.breaksOff = breaksOff }

    var name: String { "bench" }
    var kinds: [SensorKind] { [.accelerometer] }
    var causeWhenStalled: Cause { .indeterminate }

    var changeSources: [ChangeSource] {
        @Sendable func source(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            let isFirst = state.withLock { state in
                state.monitor = monitor
                state.sources += 1
                return state.sources == 1
            }
            if breaksOff, isFirst { throw DriverError(.closed, subject: "source") }
            monitor.wait(.seconds(3600))
        }
        return [source]
    }

    func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session { BenchSession(self) }

    /// The watch, once the source runs.
    func monitor() -> ChangeMonitor {
        while true {
            if let monitor = state.withLock(\.monitor) { return monitor }
            Thread.sleep(milliseconds: 1)
        }
    }

    /// Changes the hardware and announces it.
    func set(_ keys: [String], _ change: Change = .listing) {
        state.withLock { $0.keys = keys }
        monitor().report(change)
    }
}

private final class BenchSession: Session {
    private let bench: Bench
    init(_ bench: Bench) { self.bench = bench }

    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        let (keys, end) = bench.state.withLock { state in
            state.surveys += 1
            return (state.keys, state.listings.isEmpty ? nil : state.listings.removeFirst())
        }
        if case .failed(let code)? = end { throw DriverError(code, subject: "bench") }
        var enumeration = Enumeration(
            candidates: keys.map { SensorCandidate(Sensor(key: $0, kind: .accelerometer, name: $0, driver: "bench")) },
            access: .readable)
        switch end {
        case nil, .failed: break
        case .incomplete: (enumeration.isWorthRepeating, enumeration.access) = (true, .unknown)
        case .accessLate: (enumeration.isAccessLate, enumeration.access) = (true, .unknown)
        }
        return enumeration
    }

    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        let (hangs, time) = bench.state.withLock { state in
            state.looks[candidate.sensor.key, default: 0] += 1
            return (state.hanging.contains(candidate.sensor.key), state.time)
        }
        Thread.sleep(milliseconds: time)
        if hangs { bench.gate.wait() }
        return Finding(candidate.sensor)
    }

    func cancel() {}
}

@Suite struct WatchTests {
    private func watch(_ bench: Bench, resample: Duration? = nil) throws -> InventoryWatch {
        try InventoryWatch(
            Probe([DriverBinding(bench, in: FakeWorld())]), depth: .sample, limit: ProbeLimit(.seconds(5)),
            resample: resample)
    }

    /// A limit that only a hang reaches.
    private var late: Instant { Instant.now.advanced(bySeconds: 60) }

    @Test func `additions and removals are reported and only new sensors are read`() throws {
        let bench = Bench()
        let watch = try watch(bench)
        defer { watch.end() }
        #expect(try watch.next(until: late)?.sensors.map(\.key) == ["a"])
        bench.set(["a", "b"])
        #expect(try watch.next(until: late)?.sensors.map(\.key) == ["a", "b"])
        bench.set(["b"])
        #expect(try watch.next(until: late)?.sensors.map(\.key) == ["b"])
        #expect(bench.state.withLock(\.looks) == ["a": 1, "b": 1])
    }

    @Test func `a lesser change does not hide a greater one`() throws {
        for changes in [[Change.findings, .listing], [.listing, .findings]] {
            let bench = Bench()
            let watch = try watch(bench)
            defer { watch.end() }
            _ = try watch.next(until: late)
            // Both before the watch looks again.
            for change in changes { bench.monitor().report(change) }
            _ = try watch.next(until: late)
            #expect(bench.state.withLock(\.looks) == ["a": 2])
        }
    }

    @Test func `findings that may have changed are read again`() throws {
        let bench = Bench()
        let watch = try watch(bench)
        defer { watch.end() }
        _ = try watch.next(until: late)
        bench.set(["a", "b"], .findings)
        _ = try watch.next(until: late)
        #expect(bench.state.withLock(\.looks) == ["a": 2, "b": 1])
    }

    @Test func `each announced change is one probe, and a call is none`() throws {
        let bench = Bench()
        let watch = try watch(bench)
        defer { watch.end() }
        _ = try watch.next(until: late)
        bench.set(["a"], .findings)
        #expect(try watch.next(until: late)?.sensors.map(\.key) == ["a"])
        #expect(try watch.next(until: Instant.now.advanced(bySeconds: 0.5)) == nil)
        watch.call()
        #expect(try watch.next(until: late)?.sensors.map(\.key) == ["a"])
        #expect(bench.state.withLock(\.surveys) == 2)
    }

    @Test func `a burst causes few probes and is not lost`() throws {
        let bench = Bench()
        let watch = try watch(bench)
        defer { watch.end() }
        _ = try watch.next(until: late)
        for count in 1...1000 { bench.set((0..<count).map { "s\($0)" }) }
        var seen = 0
        while seen < 1000 {
            seen = try #require(try watch.next(until: late)).sensors.count
        }
        #expect(bench.state.withLock(\.surveys) <= 50)
        #expect(bench.state.withLock { $0.looks.values.max() } == 1)
    }

    @Test func `a rig that always changes does not exceed the deadline`() throws {
        let bench = Bench()
        let watch = try watch(bench)
        defer { watch.end() }
        _ = try watch.next(until: late)
        let hasEnded = Mutex(false)
        #expect(
            Worker.start {
                var count = 0
                while !hasEnded.withLock({ $0 }), count < 5000 {
                    count += 1
                    bench.set(["s\(count)"])
                    Thread.sleep(milliseconds: 2)
                }
            })
        let deadline = Instant.now.advanced(bySeconds: 0.5)
        var updates = 0
        while try watch.next(until: deadline) != nil { updates += 1 }
        hasEnded.withLock { $0 = true }
        #expect(updates > 0)
        #expect(bench.state.withLock(\.keys) != ["s5000"])
    }

    @Test func `a source that ends is opened again and nothing is missed`() throws {
        let bench = Bench(breaksOff: true)
        let watch = try watch(bench)
        defer { watch.end() }
        _ = try watch.next(until: late)
        while bench.state.withLock(\.sources) < 2 { Thread.sleep(milliseconds: 2) }
        bench.set(["a", "b"])
        // The end of the source is a change of its own.
        while try #require(try watch.next(until: late)).sensors.count != 2 {}
    }

    @Test(.waits) func `what the first inventory waits for is told, and that it is over`() throws {
        let bench = Bench()
        bench.state.withLock { $0.hanging = ["a"] }
        let told = Mutex<[[PendingReading]]>([])
        let watch = try InventoryWatch(
            Probe([DriverBinding(bench, in: FakeWorld())]), depth: .sample, limit: ProbeLimit(.seconds(600))
        ) { pending in
            told.withLock { $0.append(pending) }
            if !pending.isEmpty { bench.gate.open() }
        }
        defer { watch.end() }
        _ = try watch.next(until: late)
        #expect(told.withLock { $0.first?.map(\.name) == ["a"] && $0.last == [] })
    }

    @Test func `sensors are read again only on request`() throws {
        let bench = Bench()
        let watch = try watch(bench, resample: .milliseconds(100))
        defer { watch.end() }
        for _ in 1...3 { _ = try watch.next(until: late) }
        #expect(bench.state.withLock(\.looks) == ["a": 3])
    }

    @Test func `a slow sensor delays its own line and no other`() throws {
        let bench = Bench()
        let watch = try InventoryWatch(
            Probe([DriverBinding(bench, in: FakeWorld())]), depth: .sample, limit: ProbeLimit(.seconds(600)))
        defer { watch.end() }
        defer { bench.gate.open() }
        _ = try watch.next(until: late)
        bench.state.withLock { $0.hanging = ["slow"] }
        bench.set(["a", "slow"])
        #expect(try watch.next(until: late)?.sensors.map(\.key) == ["a"])
        bench.set(["a", "b", "slow"])
        #expect(try watch.next(until: late)?.sensors.map(\.key) == ["a", "b"])
        bench.set(["b", "slow"])
        #expect(try watch.next(until: late)?.sensors.map(\.key) == ["b"])
        bench.gate.open()
        #expect(try watch.next(until: late)?.sensors.map(\.key) == ["b", "slow"])
        #expect(bench.state.withLock { $0.looks["slow"] } == 1)
    }

    @Test func `a sensor that is slower than the interval is reported`() throws {
        let bench = Bench()
        bench.state.withLock { $0.time = 400 }
        let watch = try InventoryWatch(
            Probe([DriverBinding(bench, in: FakeWorld())]), depth: .sample, limit: ProbeLimit(.seconds(600)),
            resample: .milliseconds(100))
        defer { watch.end() }
        #expect(try watch.next(until: late)?.sensors.map(\.availability) == [.available])
        #expect(try watch.next(until: late)?.sensors.map(\.availability) == [.available])
    }

    @Test(arguments: [
        // How the second listing ends, whether the reader wants rights to stay, and the right after it.
        (Bench.State.Listing.failed(.timedOut), true, Access.readable), (.failed(.timedOut), false, .unknown),
        (.accessLate, true, .readable), (.accessLate, false, .unknown),
        // Something else is late, and the right is unknown for another reason.
        (.incomplete, true, .unknown),
        (.failed(.closed), true, .unknown), (.failed(.refused), true, .unknown),
    ])
    fileprivate func `a right stays while its service answers too late, for a reader that wants that`(
        _ second: Bench.State.Listing, _ keepsAccess: Bool, _ access: Access
    ) throws {
        let bench = Bench()
        let watch = try InventoryWatch(
            Probe([DriverBinding(bench, in: FakeWorld())]), depth: .sample, limit: ProbeLimit(.seconds(600)),
            keepsAccess: keepsAccess)
        defer { watch.end() }
        #expect(try watch.next(until: late)?.drivers.map(\.access) == [.readable])
        bench.state.withLock { $0.listings = [second] }
        bench.monitor().report(.listing)
        #expect(try watch.next(until: late)?.drivers.map(\.access) == [access])
        bench.monitor().report(.listing)
        #expect(try watch.next(until: late)?.drivers.map(\.access) == [.readable])
    }

    @Test func `a stuck sensor is not read a second time, and stays as it was found`() throws {
        let bench = Bench()
        bench.state.withLock { $0.hanging = ["a"] }
        let watch = try InventoryWatch(
            Probe([DriverBinding(bench, in: FakeWorld())]), depth: .sample, limit: ProbeLimit(.milliseconds(300)),
            resample: .milliseconds(100))
        defer { watch.end() }
        for _ in 1...8 {
            #expect(try watch.next(until: late)?.sensors.map(\.availability) == [.unavailable(.silent)])
        }
        #expect(bench.state.withLock(\.looks) == ["a": 1])
        // Once it has returned it is read again.
        bench.gate.open()
        while try watch.next(until: late)?.sensors[0].availability != .available {}
        #expect(bench.state.withLock { $0.looks["a"] ?? 0 } >= 2)
    }

    @Test(
        .waits,
        arguments: [
            // How two listings end, whether another follows without a change, and how often the sensor is read by then.
            ([.failed(.timedOut), .failed(.timedOut)], true, 1),
            ([.incomplete, .incomplete], true, 1),
            ([.failed(.closed)], false, 0),
            ([], false, 1),
        ] as [([Bench.State.Listing], Bool, Int)])
    private func `what did not answer in time is asked again, and what answered keeps its finding`(
        _ listings: [Bench.State.Listing], _ isRepeated: Bool, _ looks: Int
    ) throws {
        let bench = Bench()
        bench.state.withLock { $0.listings = listings }
        let watch = try watch(bench)
        defer { watch.end() }
        _ = try watch.next(until: late)
        while isRepeated, bench.state.withLock(\.surveys) <= listings.count { _ = try watch.next(until: late) }
        #expect(try watch.next(until: .now.advanced(bySeconds: 1.5)) == nil)
        #expect(bench.state.withLock(\.surveys) == (isRepeated ? listings.count + 1 : 1))
        #expect(bench.state.withLock { $0.looks["a"] ?? 0 } == looks)
    }

    @Test func `a sequence gives a slow reader the newest`() async throws {
        let bench = Bench()
        let watch = try watch(bench)
        var inventories = watch.inventories.makeAsyncIterator()
        #expect(await inventories.next()?.sensors.count == 1)
        // There is no reader while a hundred sensors are added one after another.
        for count in 2...100 {
            bench.set((0..<count).map { "s\($0)" })
            Thread.sleep(milliseconds: 2)
        }
        while bench.state.withLock({ $0.looks["s99"] }) == nil { Thread.sleep(milliseconds: 2) }
        Thread.sleep(milliseconds: 50)
        var read = 0
        while await inventories.next()?.sensors.count != 100 { read += 1 }
        #expect(read <= 1)
        watch.end()
        #expect(await inventories.next() == nil)
    }

    @Test func `a cancelled reader ends the watch`() async throws {
        let watch = try watch(Bench())
        let task = Task {
            for await _ in watch.inventories {}
        }
        task.cancel()
        await task.value
        #expect(watch.isEnded)
    }

    @Test func `an ended watch reports nothing more`() throws {
        let bench = Bench()
        let watch = try watch(bench)
        _ = try watch.next(until: late)
        let monitor = bench.monitor()
        watch.end()
        #expect(try watch.next(until: late) == nil)
        #expect(monitor.isCancelled)
    }

    @Test func `a rig without drivers is probed once`() throws {
        let watch = try InventoryWatch(Probe([]), depth: .state, limit: ProbeLimit(.seconds(1)))
        #expect(try watch.next(until: .now.advanced(bySeconds: 60))?.sensors == [])
        #expect(try watch.next(until: .now.advanced(bySeconds: 0.05)) == nil)
        watch.call()
        #expect(try watch.next(until: .now.advanced(bySeconds: 60))?.sensors == [])
    }
}
