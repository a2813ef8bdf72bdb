public import DriverKit
public import Readiness
internal import Synchronization
internal import SystemPackage

/// Watches a rig: probes it once, and again with each driver that reports a change.
///
/// Each source of changes has a thread, which waits for the kernel or a peer. Drivers are probed side by side, and a
/// sensor that is slow or stuck delays only its own finding. A storm of changes causes few probes: the first `burst` are
/// made as they come, the others `calm` apart. A driver that does not answer in time is asked again, with pauses from a
/// second to a minute. Pull-based: a late reader gets the current state.
public final class InventoryWatch: Sendable {
    /// The time between two probes of one driver while changes keep coming.
    private static let calm = Duration.milliseconds(50)
    /// How many probes of one driver need not be apart: a device that is plugged in is several events.
    private static let burst = 4
    /// The longest time between two probes of a driver that does not answer in time; the first is a second.
    private static let longestPause = Duration.seconds(60)

    /// One driver: what may have changed since its last probe, and its last result.
    private struct DriverState {
        /// Nil of a recording.
        let probe: DriverProbe?
        var change: Change? = .findings
        var probed: Instant?
        /// When its probes so far would be over if each took `calm`.
        var paced = Instant(nanoseconds: 0)
        var result: DriverResult?
        /// How many times in a row it was probed again because it did not answer in time.
        var retries = 0

        /// When it is to be probed next; nil if nothing is pending, or while it lists its sensors.
        func due(_ resample: Duration?) -> Instant? {
            guard let probed else { return change.map { _ in Instant(nanoseconds: 0) } }
            if probe?.isListing == true { return nil }
            let changed = change.map { _ in paced.advanced(by: InventoryWatch.calm * -(InventoryWatch.burst - 1)) }
            return [changed, resample.map { probed.advanced(by: $0) }, retryDue].compactMap(\.self).min()
        }

        /// When a driver that did not answer in time is probed again: nothing may report that it answers now.
        private var retryDue: Instant? {
            guard let probed, result?.isWorthRepeating == true, probe?.isSettled == true else { return nil }
            let pause = min(Duration.seconds(1 << min(retries, 6)), InventoryWatch.longestPause)
            return probed.advanced(by: pause)
        }

        func isRetry(at now: Instant) -> Bool { retryDue.map { $0 <= now } ?? false }
    }
    private struct WatchState {
        var drivers: [DriverState]
        var monitors: [ChangeMonitor] = []
        var latest: Inventory?
        /// Whether a recording was probed since the latest inventory.
        var hasReplayed = false
        var isCalled = false
        var isEnded = false

        var isFirst: Bool { drivers.contains { $0.result == nil } }
    }

    private let rig: Probe
    private let depth: Depth
    private let limit: ProbeLimit
    /// The time after which a driver is probed again without a change.
    private let resample: Duration?
    private let keepsAccess: Bool
    private let waker: Waker
    private let waiting: @Sendable ([PendingReading]) -> Void
    private let state: Mutex<WatchState>

    /// Starts to watch; every sensor is read again after `resample`, never if that is nil.
    ///
    /// A recording never reports a change. `waiting` receives what the first inventory waits for longer than usual, as
    /// in `Probe.inventory`. With `keepsAccess`, a driver's access stays as it was last determined while the service
    /// answers too late; so an app keeps its permission on a busy rig.
    public init(
        _ rig: Probe, depth: Depth, limit: ProbeLimit, resample: Duration? = nil, keepsAccess: Bool = false,
        waiting: @escaping @Sendable ([PendingReading]) -> Void = { _ in }
    ) throws(DriverError) {
        self.rig = rig
        self.depth = depth
        self.limit = limit
        self.resample = resample
        self.keepsAccess = keepsAccess
        self.waiting = waiting
        let waker = try Waker()
        self.waker = waker
        state = Mutex(
            WatchState(
                drivers: rig.bindings.map {
                    DriverState(probe: DriverProbe($0, depth: depth, limit: limit, waker: waker))
                }))
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
        var pause = Duration.milliseconds(500)
        while !monitor.isCancelled {
            let began = Instant.now
            try? source(world, monitor)
            if monitor.isCancelled { return }
            // Events that it missed meanwhile.
            monitor.report(.findings)
            if began.seconds(to: .now) > 60 { pause = .milliseconds(500) }
            monitor.wait(pause)
            pause = min(pause * 2, .seconds(60))
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

    /// The next inventory, the first once every sensor has answered or its time is up; nil at the deadline, or once the
    /// watch was ended.
    ///
    /// Blocks. An inventory follows each change and each `resample`, and each sensor that answers later than the others;
    /// whether anything is another than before is for a `Comparison` to decide. After `call` it comes as it is.
    public func next(until deadline: Instant) throws(DriverError) -> Inventory? {
        var isSlow = false
        defer { if isSlow { waiting([]) } }
        while true {
            let now = Instant.now
            let (drivers, latest, isEnded) = state.withLock { ($0.drivers, $0.latest, $0.isEnded) }
            // A rig that keeps changing must not block its reader beyond the deadline; only the first inventory is
            // always returned.
            guard !isEnded, now < deadline || latest == nil else { return nil }
            for (index, driver) in drivers.enumerated() where driver.due(resample).map({ $0 <= now }) ?? false {
                start(index, at: now)
            }
            for driver in drivers { driver.probe?.advance() }
            if let inventory = takeNews(at: now) { return inventory }
            let isCalled = state.withLock { state in
                defer { state.isCalled = state.latest == nil && state.isCalled }
                return state.isCalled
            }
            if let latest, isCalled { return latest }
            var due = nextDue(before: latest == nil ? nil : deadline)
            if latest == nil {
                let pending = drivers.flatMap { $0.probe?.pendingReadings(at: now) ?? [] }
                if !pending.isEmpty || isSlow { waiting(pending) }
                isSlow = !pending.isEmpty
                due = min(due, now.advanced(by: Probe.tick))
            }
            waker.wait(until: max(due, now.advanced(by: .milliseconds(1))))
            waker.drain()
        }
    }

    private func start(_ index: Int, at now: Instant) {
        let (driver, change) = state.withLock { state in
            let driver = state.drivers[index]
            let isStale = resample.flatMap { driver.probed?.advanced(by: $0) }.map { $0 <= now } ?? false
            let isRetry = driver.change == nil && !isStale && driver.isRetry(at: now)
            if isRetry { state.drivers[index].retries += 1 }
            state.drivers[index].change = nil
            state.drivers[index].probed = now
            state.drivers[index].paced = max(driver.paced, now).advanced(by: Self.calm)
            // What has answered keeps its finding.
            return (driver, isStale ? .findings : driver.change ?? (isRetry ? .listing : .findings))
        }
        if let probe = driver.probe {
            probe.start(change)
        } else {
            let result = rig.bindings[index].replay(depth, limit)
            state.withLock { state in
                state.drivers[index].result = result
                state.hasReplayed = true
            }
        }
    }

    private func nextDue(before deadline: Instant?) -> Instant {
        let (drivers, isFirst) = state.withLock { ($0.drivers, $0.isFirst) }
        let dues = drivers.flatMap { driver in
            [driver.due(resample), driver.probe?.due, isFirst ? nil : driver.probe?.newsDue].compactMap(\.self)
        }
        return ([deadline].compactMap(\.self) + dues).min() ?? Instant.now.advanced(by: .seconds(3600))
    }

    /// The inventory with what drivers have found since the last one; nil if that is nothing, or not everything at first.
    private func takeNews(at now: Instant) -> Inventory? {
        state.withLock { state in
            let isFirst = state.isFirst
            // Not `isSettled`: a sensor that is slower than `resample` is always being read.
            if isFirst, state.drivers.contains(where: { $0.probe?.isComplete == false }) { return nil }
            var hasNews = state.latest == nil || state.hasReplayed
            state.hasReplayed = false
            for index in state.drivers.indices {
                guard let probe = state.drivers[index].probe, let due = probe.newsDue, isFirst || due <= now else {
                    continue
                }
                var result = probe.result()
                if keepsAccess, let previous = state.drivers[index].result { result.keepAccess(of: previous) }
                state.drivers[index].result = result
                if !result.isWorthRepeating { state.drivers[index].retries = 0 }
                hasNews = true
            }
            guard hasNews else { return nil }
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

    /// The inventories of `next`, the first immediately; a slow reader gets the newest, and no backlog.
    ///
    /// Ends with the watch; a reader that is cancelled ends the watch. Replaces `next`: a watch has one reader.
    public var inventories: AsyncStream<Inventory> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuation.onTermination = { _ in self.end() }
            let began = Worker.start {
                while !self.isEnded {
                    guard let inventory = try? self.next(until: Instant.now.advanced(bySeconds: 3600)) else { continue }
                    continuation.yield(inventory)
                }
                continuation.finish()
            }
            if !began { continuation.finish() }
        }
    }
}
