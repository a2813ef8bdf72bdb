public import DriverKit
public import Readiness
internal import Synchronization
internal import SystemPackage

/// A rig under watch: probed once, and again with whatever driver has a change to tell of.
///
/// Each source of changes has a thread, which waits for the kernel or a peer. A burst comes to few probes: the first is
/// made at once, the next no sooner than `calm` seconds after it. Pull-based: who asks late gets the newest state.
public final class RigWatch: Sendable {
    /// Seconds between two probes of one driver while changes keep coming.
    private static let calm = 0.05

    private let rig: Rig
    private let depth: Depth
    private let timeout: Double
    private let resample: Double?
    private let allowance: Double?
    private let desk: Desk
    private let lookouts: [Lookout]

    /// Starts to watch; `resample` (seconds) has every sensor read again that often, nil never.
    ///
    /// A replayed rig, which `allowance` stands for as in `Rig.inventory`, has nothing that announces a change.
    public init(
        _ rig: Rig, depth: Depth, timeout: Double, resample: Double? = nil, allowance: Double? = nil
    ) throws(DriverError) {
        self.rig = rig
        self.depth = depth
        self.timeout = timeout
        self.resample = resample
        self.allowance = allowance
        let desk: Desk
        do {
            desk = try Desk(stations: rig.posts.count)
        } catch {
            throw DriverError(errno: error, subject: "pipe")
        }
        self.desk = desk
        var lookouts: [Lookout] = []
        for (index, post) in rig.posts.enumerated() where allowance == nil {
            for source in post.driver.changeSources {
                let lookout = try Lookout(depth) { desk.note($0, at: index) }
                lookouts.append(lookout)
                _ = Worker.start { Self.serve(source, post.world, lookout) }
            }
        }
        self.lookouts = lookouts
    }

    deinit { lookouts.forEach { $0.cancel() } }

    /// Listens to one source for as long as the watch lasts; one that breaks off is listened to again.
    private static func serve(_ source: ChangeSource, _ world: any World, _ lookout: Lookout) {
        var pause = 0.5
        while !lookout.isCancelled {
            let began = Instant.now
            try? source(world, lookout)
            if lookout.isCancelled { return }
            // What it missed meanwhile.
            lookout.report(.findings)
            if began.seconds(to: .now) > 60 { pause = 0.5 }
            lookout.wait(pause)
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
        while !desk.isEnded {
            let now = Instant.now
            // A rig that never comes to rest must not hold its reader beyond the deadline; only the first look is due.
            guard now < deadline || !desk.hasLooked else { return nil }
            let due = desk.take(before: now.advanced(bySeconds: -Self.calm), resample: resample, now)
            // A rig without drivers has nothing due, and is looked at once all the same.
            if !due.isEmpty || rig.posts.isEmpty && !desk.hasLooked {
                let outcomes = try rig.outcomes(
                    of: due.map { (rig.posts[$0.station], $0.known) }, depth: depth,
                    timeout: timeout, allowance: allowance)
                let all = desk.put(zip(due.map(\.station), outcomes), at: .now)
                // Only the very first probe of all drivers together makes a whole inventory.
                guard let all else { continue }
                let inventory = rig.merge(all, depth)
                if desk.isNews(inventory) { return Update(inventory: inventory, isNews: true) }
                continue
            }
            if let inventory = desk.answerCall() { return Update(inventory: inventory, isNews: false) }
            guard now < deadline else { return nil }
            desk.bell.wait(until: min(deadline, desk.wake(calm: Self.calm, resample: resample) ?? deadline))
        }
        return nil
    }

    /// Has the next `next` return the inventory even if nothing changed; from any thread.
    public func call() { desk.call() }

    /// Whether the watch was ended.
    public var isEnded: Bool { desk.isEnded }

    /// Ends the watch: a waiting `next` returns nil; from any thread.
    public func end() {
        desk.end()
        lookouts.forEach { $0.cancel() }
    }
}

/// What the sources have told and the probes have found, driver by driver.
private final class Desk: Sendable {
    /// How far one driver has been seen.
    private struct Station {
        var pending: Change? = .findings
        var outcome: Outcome?
        var probed: Instant?
    }
    private struct State {
        var stations: [Station]
        var latest: Inventory?
        var isCalled = false
        var isEnded = false
    }
    struct Due {
        var station: Int
        /// What need not be asked again: all that was found, where only the listing may have changed.
        var known: [Sensor: Finding]
    }

    let bell: Bell
    private let state: Mutex<State>

    init(stations count: Int) throws(Errno) {
        bell = try Bell()
        state = Mutex(State(stations: Array(repeating: Station(), count: count)))
    }

    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Whether there is an inventory.
    var hasLooked: Bool { state.withLock { $0.latest != nil } }

    func end() {
        state.withLock { $0.isEnded = true }
        bell.ring()
    }

    func call() {
        state.withLock { $0.isCalled = true }
        bell.ring()
    }

    func answerCall() -> Inventory? {
        state.withLock { state in
            defer { state.isCalled = false }
            return state.isCalled ? state.latest : nil
        }
    }

    func note(_ change: Change, at station: Int) {
        // One ring until it is looked at: a burst must not fill the bell.
        let isFirst = state.withLock { state in
            let before = state.stations[station].pending
            state.stations[station].pending = max(before ?? change, change)
            return before == nil
        }
        if isFirst { bell.ring() }
    }

    /// The drivers to probe now, which count as told.
    func take(before calm: Instant, resample: Double?, _ now: Instant) -> [Due] {
        state.withLock { state in
            var due: [Due] = []
            for index in state.stations.indices {
                let station = state.stations[index]
                let isStale = resample.flatMap { limit in station.probed.map { $0.seconds(to: now) >= limit } } ?? false
                guard let change = isStale ? .findings : station.pending else { continue }
                if let probed = station.probed, probed > calm { continue }
                due.append(Due(station: index, known: change == .listing ? station.outcome?.known ?? [:] : [:]))
                state.stations[index].pending = nil
            }
            return due
        }
    }

    /// Keeps what probes found; all drivers' outcomes, once each has one.
    func put(_ found: some Sequence<(Int, Outcome)>, at now: Instant) -> [Outcome]? {
        state.withLock { state in
            for (index, outcome) in found {
                state.stations[index].outcome = outcome
                state.stations[index].probed = now
            }
            let outcomes = state.stations.compactMap(\.outcome)
            return outcomes.count == state.stations.count ? outcomes : nil
        }
    }

    /// Whether an inventory says something else than the last one; keeps it.
    func isNews(_ inventory: Inventory) -> Bool {
        state.withLock { state in
            defer { state.latest = inventory }
            return state.latest.map(Essence.init) != Essence(inventory)
        }
    }

    /// When something is to be done without anybody telling; nil where nothing is.
    func wake(calm: Double, resample: Double?) -> Instant? {
        state.withLock { state in
            state.stations.compactMap { station -> Instant? in
                guard let probed = station.probed else { return nil }
                if station.pending != nil { return probed.advanced(bySeconds: calm) }
                return resample.map { probed.advanced(bySeconds: $0) }
            }.min()
        }
    }
}
