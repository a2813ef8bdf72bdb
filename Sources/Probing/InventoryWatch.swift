public import DriverKit
public import Readiness
internal import Synchronization
internal import SystemPackage

/// A rig under watch: probed once, and again with whatever driver has a change to tell of.
///
/// Each source of changes has a thread, which waits for the kernel or a peer. A burst comes to few probes: the first is
/// made at once, the next no sooner than `calm` seconds after it. Pull-based: who asks late gets the newest state.
public final class InventoryWatch: Sendable {
    /// Seconds between two probes of one driver while changes keep coming.
    private static let calm = 0.05

    private let rig: Probe
    private let depth: Depth
    private let timeout: Double
    private let resample: Double?
    private let allowance: Double?
    private let watchState: WatchState
    private let monitors: [ChangeMonitor]

    /// Starts to watch; `resample` (seconds) has every sensor read again that often, nil never.
    ///
    /// A replayed rig, which `allowance` stands for as in `Probe.inventory`, has nothing that announces a change.
    public init(
        _ rig: Probe, depth: Depth, timeout: Double, resample: Double? = nil, allowance: Double? = nil
    ) throws(DriverError) {
        self.rig = rig
        self.depth = depth
        self.timeout = timeout
        self.resample = resample
        self.allowance = allowance
        let watchState = try WatchState(drivers: rig.bindings.count)
        self.watchState = watchState
        var monitors: [ChangeMonitor] = []
        for (index, binding) in rig.bindings.enumerated() where allowance == nil {
            for source in binding.driver.changeSources {
                let monitor = try ChangeMonitor(depth) { watchState.note($0, at: index) }
                monitors.append(monitor)
                _ = Worker.start { Self.serve(source, binding.world, monitor) }
            }
        }
        self.monitors = monitors
    }

    deinit { monitors.forEach { $0.cancel() } }

    /// Listens to one source for as long as the watch lasts; one that breaks off is listened to again.
    private static func serve(_ source: ChangeSource, _ world: any World, _ monitor: ChangeMonitor) {
        var pause = 0.5
        while !monitor.isCancelled {
            let began = Instant.now
            try? source(world, monitor)
            if monitor.isCancelled { return }
            // What it missed meanwhile.
            monitor.report(.findings)
            if began.seconds(to: .now) > 60 { pause = 0.5 }
            monitor.wait(pause)
            pause = min(pause * 2, 60)
        }
    }

    /// What a watch has to say.
    public struct Update: Sendable {
        /// The inventory as it is now.
        public var inventory: Inventory
        /// Whether it says something else than the one before; false after a `call` alone.
        public var isNews: Bool
    }

    /// The inventory at its next change, the first at once; nil at the deadline, or once the watch was ended.
    ///
    /// Blocks. After `call` the inventory comes as it is.
    public func next(until deadline: Instant) throws(DriverError) -> Update? {
        while !watchState.isEnded {
            let now = Instant.now
            // A rig that never comes to rest must not hold its reader beyond the deadline; only the first look is due.
            guard now < deadline || !watchState.hasLooked else { return nil }
            let due = watchState.take(before: now.advanced(bySeconds: -Self.calm), resample: resample, now)
            // A rig without drivers has nothing due, and is looked at once all the same.
            if !due.isEmpty || rig.bindings.isEmpty && !watchState.hasLooked {
                let outcomes = try rig.outcomes(
                    of: due.map { (rig.bindings[$0.driver], $0.known) }, depth: depth,
                    timeout: timeout, allowance: allowance)
                let all = watchState.put(zip(due.map(\.driver), outcomes), at: .now)
                // Only the very first probe of all drivers together makes a whole inventory.
                guard let all else { continue }
                let inventory = rig.merge(all, depth)
                if watchState.isNews(inventory) { return Update(inventory: inventory, isNews: true) }
                continue
            }
            if let inventory = watchState.answerCall() { return Update(inventory: inventory, isNews: false) }
            guard now < deadline else { return nil }
            watchState.waker.wait(
                until: min(deadline, watchState.wake(calm: Self.calm, resample: resample) ?? deadline))
            watchState.waker.drain()
        }
        return nil
    }

    /// Has the next `next` return the inventory even if nothing changed; from any thread.
    public func call() { watchState.call() }

    /// Whether the watch was ended.
    public var isEnded: Bool { watchState.isEnded }

    /// Ends the watch: a waiting `next` returns nil; from any thread.
    public func end() {
        watchState.end()
        monitors.forEach { $0.cancel() }
    }
}

/// What the sources have told and the probes have found, driver by driver.
private final class WatchState: Sendable {
    /// How far one driver has been seen.
    private struct DriverState {
        var pending: Change? = .findings
        var outcome: DriverResult?
        var probed: Instant?
    }
    private struct State {
        var drivers: [DriverState]
        var latest: Inventory?
        var isCalled = false
        var isEnded = false
    }
    struct Due {
        var driver: Int
        /// What need not be asked again: all that was found, where only the listing may have changed.
        var known: [Sensor: Finding]
    }

    let waker: Waker
    private let state: Mutex<State>

    init(drivers count: Int) throws(DriverError) {
        waker = try Waker()
        state = Mutex(State(drivers: Array(repeating: DriverState(), count: count)))
    }

    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Whether there is an inventory.
    var hasLooked: Bool { state.withLock { $0.latest != nil } }

    func end() {
        state.withLock { $0.isEnded = true }
        waker.wake()
    }

    func call() {
        state.withLock { $0.isCalled = true }
        waker.wake()
    }

    func answerCall() -> Inventory? {
        state.withLock { state in
            defer { state.isCalled = false }
            return state.isCalled ? state.latest : nil
        }
    }

    func note(_ change: Change, at driver: Int) {
        // One ring until it is looked at: a burst must not fill the bell.
        let isFirst = state.withLock { state in
            let before = state.drivers[driver].pending
            state.drivers[driver].pending = max(before ?? change, change)
            return before == nil
        }
        if isFirst { waker.wake() }
    }

    /// The drivers to probe now, which count as told.
    func take(before calm: Instant, resample: Double?, _ now: Instant) -> [Due] {
        state.withLock { state in
            var due: [Due] = []
            for index in state.drivers.indices {
                let driver = state.drivers[index]
                let isStale = resample.flatMap { limit in driver.probed.map { $0.seconds(to: now) >= limit } } ?? false
                guard let change = isStale ? .findings : driver.pending else { continue }
                if let probed = driver.probed, probed > calm { continue }
                due.append(Due(driver: index, known: change == .listing ? driver.outcome?.known ?? [:] : [:]))
                state.drivers[index].pending = nil
            }
            return due
        }
    }

    /// Keeps what probes found; all drivers' outcomes, once each has one.
    func put(_ found: some Sequence<(Int, DriverResult)>, at now: Instant) -> [DriverResult]? {
        state.withLock { state in
            for (index, outcome) in found {
                state.drivers[index].outcome = outcome
                state.drivers[index].probed = now
            }
            let outcomes = state.drivers.compactMap(\.outcome)
            return outcomes.count == state.drivers.count ? outcomes : nil
        }
    }

    /// Whether an inventory says something else than the last one; keeps it.
    func isNews(_ inventory: Inventory) -> Bool {
        state.withLock { state in
            defer { state.latest = inventory }
            return state.latest.map(InventoryFingerprint.init) != InventoryFingerprint(inventory)
        }
    }

    /// When something is to be done without anybody telling; nil where nothing is.
    func wake(calm: Double, resample: Double?) -> Instant? {
        state.withLock { state in
            state.drivers.compactMap { driver -> Instant? in
                guard let probed = driver.probed else { return nil }
                if driver.pending != nil { return probed.advanced(bySeconds: calm) }
                return resample.map { probed.advanced(bySeconds: $0) }
            }.min()
        }
    }
}
