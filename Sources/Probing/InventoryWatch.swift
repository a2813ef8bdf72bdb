public import DriverKit
public import Readiness
internal import Synchronization
internal import SystemPackage

/// Watches a rig: probes it once, and again with each driver that reports a change.
///
/// Each source of changes has a thread, which waits for the kernel or a peer. A burst causes few probes: the first is
/// made at once, the next no sooner than `calm` seconds after it. Pull-based: a late reader gets the current state.
public final class InventoryWatch: Sendable {
    /// Seconds between two probes of one driver while changes keep coming.
    private static let calm = 0.05

    /// The findings of one driver, and its pending change.
    private struct DriverState {
        /// What may have changed since the last probe.
        var change: Change? = .findings
        var result: DriverResult?
        var probed: Instant?

        /// When it is to be probed next; nil if nothing is pending.
        func due(_ resample: Double?) -> Instant? {
            guard let probed else { return change.map { _ in Instant(nanoseconds: 0) } }
            let pause = change == nil ? resample : min(InventoryWatch.calm, resample ?? InventoryWatch.calm)
            return pause.map { probed.advanced(bySeconds: $0) }
        }
    }
    private struct WatchState {
        var drivers: [DriverState]
        /// Seconds after which a driver is probed again without a change.
        let resample: Double?
        var monitors: [ChangeMonitor] = []
        var latest: Inventory?
        var isCalled = false
        var isEnded = false

        /// When a driver is to be probed next.
        var due: Instant? { drivers.compactMap { $0.due(resample) }.min() }

        /// The drivers to probe now, each with the findings to keep: all, if only the listing may have changed.
        mutating func takeDue(at now: Instant) -> [(driver: Int, known: [Sensor: Finding])] {
            drivers.indices.compactMap { index in
                let driver = drivers[index]
                guard let due = driver.due(resample), due <= now else { return nil }
                drivers[index].change = nil
                let isStale = resample.flatMap { driver.probed?.advanced(bySeconds: $0) }.map { $0 <= now } ?? false
                return (index, driver.change == .listing && !isStale ? driver.result?.known ?? [:] : [:])
            }
        }
    }

    private let rig: Probe
    private let depth: Depth
    private let timeout: Duration
    private let waker: Waker
    private let state: Mutex<WatchState>

    /// Starts to watch; every sensor is read again after `resample`, never if that is nil.
    ///
    /// A recording never reports a change.
    public init(_ rig: Probe, depth: Depth, timeout: Duration, resample: Duration? = nil) throws(DriverError) {
        self.rig = rig
        self.depth = depth
        self.timeout = timeout
        waker = try Waker()
        state = Mutex(
            WatchState(
                drivers: Array(repeating: DriverState(), count: rig.bindings.count), resample: resample?.seconds))
        for (index, binding) in rig.bindings.enumerated() where binding.world.replayCounts == nil {
            for source in binding.driver.changeSources {
                let monitor = try ChangeMonitor(depth) { [weak self] in self?.note($0, at: index) }
                state.withLock { $0.monitors.append(monitor) }
                _ = Worker.start { Self.serve(source, binding.world, monitor) }
            }
        }
    }

    deinit { state.withLock(\.monitors).forEach { $0.cancel() } }

    /// Listens to one source while the watch lasts; restarts one that fails.
    private static func serve(_ source: ChangeSource, _ world: any World, _ monitor: ChangeMonitor) {
        var pause = 0.5
        while !monitor.isCancelled {
            let began = Instant.now
            try? source(world, monitor)
            if monitor.isCancelled { return }
            // Events that it missed meanwhile.
            monitor.report(.findings)
            if began.seconds(to: .now) > 60 { pause = 0.5 }
            monitor.wait(pause)
            pause = min(pause * 2, 60)
        }
    }

    private func note(_ change: Change, at driver: Int) {
        // The reader is woken only once until it reads: a burst must not fill the pipe.
        let isFirst = state.withLock { state in
            let before = state.drivers[driver].change
            state.drivers[driver].change = max(before ?? change, change)
            return before == nil
        }
        if isFirst { waker.wake() }
    }

    /// The inventory after the next probe, the first at once; nil at the deadline, or once the watch was ended.
    ///
    /// Blocks. A probe follows each announced change and each `resample`; whether anything is another than before is for
    /// a `Comparison` to tell. After `call` the inventory comes as it is.
    public func next(until deadline: Instant) throws(DriverError) -> Inventory? {
        while true {
            let now = Instant.now
            let (before, isEnded) = state.withLock { ($0.latest, $0.isEnded) }
            // A rig that keeps changing must not block its reader beyond the deadline; only the first inventory is
            // always returned.
            guard !isEnded, now < deadline || before == nil else { return nil }
            let (due, isCalled) = state.withLock { state in
                let due = state.takeDue(at: now)
                guard due.isEmpty, before != nil else { return (due, false) }
                defer { state.isCalled = false }
                return (due, state.isCalled)
            }
            if before == nil || !due.isEmpty { return try probe(due) }
            if isCalled { return before }
            waker.wait(until: min(deadline, state.withLock(\.due) ?? deadline))
            waker.drain()
        }
    }

    /// Probes with some drivers, and merges the results with the previous ones of the others.
    private func probe(_ due: [(driver: Int, known: [Sensor: Finding])]) throws(DriverError) -> Inventory {
        let found: [DriverResult]
        do throws(DriverError) {
            found = try rig.results(
                of: due.map { (rig.bindings[$0.driver], $0.known) }, depth: depth, timeout: timeout)
        } catch {
            for (driver, _) in due { note(.findings, at: driver) }
            throw error
        }
        return state.withLock { state in
            for ((driver, _), result) in zip(due, found) {
                state.drivers[driver].result = result
                state.drivers[driver].probed = .now
            }
            let inventory = Inventory(state.drivers.compactMap(\.result), leftOut: rig.leftOut, depth: depth)
            state.latest = inventory
            return inventory
        }
    }

    /// Has the next `next` return the inventory without a probe; from any thread.
    public func call() {
        state.withLock { $0.isCalled = true }
        waker.wake()
    }

    /// Whether the watch was ended.
    public var isEnded: Bool { state.withLock(\.isEnded) }

    /// Ends the watch: a waiting `next` returns nil; may be called from any thread.
    public func end() {
        let monitors = state.withLock { state in
            state.isEnded = true
            return state.monitors
        }
        waker.wake()
        monitors.forEach { $0.cancel() }
    }
}
