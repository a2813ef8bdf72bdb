public import DriverKit
public import Readiness
internal import SystemPackage

/// A driver and the world that it asks.
public struct DriverBinding: Sendable {
    /// The driver.
    public var driver: any Driver
    /// The world that it asks.
    public var world: any World

    /// Makes a binding.
    public init(_ driver: any Driver, in world: any World) {
        self.driver = driver
        self.world = world
    }
}

/// Runs the drivers of a rig in parallel under one deadline and merges their results.
public struct Probe: Sendable {
    let bindings: [DriverBinding]
    let leftOut: [DriverReport]
    /// How often a wait is told.
    static let tick = Duration.milliseconds(500)

    /// Makes a probe of a rig; `leftOut` are the drivers that this build lacks, whose kinds are indeterminate.
    public init(_ bindings: [DriverBinding], leftOut: [DriverReport] = []) {
        self.bindings = bindings
        self.leftOut = leftOut
    }

    /// Probes once, within the limits plus the time that a driver is allowed beyond them.
    ///
    /// Threads that are still blocked then are abandoned; they end when the kernel lets them. A driver whose world is a
    /// recording runs on the calling thread and waits for nothing; `limit` is then that of the recorded probe.
    /// `waiting` receives what takes longer than usual, sensor by sensor, again and again until that is over, and then
    /// nothing.
    public func inventory(
        depth: Depth, limit: ProbeLimit, waiting: ([PendingReading]) -> Void = { _ in }
    ) throws(DriverError) -> Inventory {
        let waker = try Waker()
        let probes = bindings.map { DriverProbe($0, depth: depth, limit: limit, waker: waker) }
        let live = probes.compactMap(\.self)
        for probe in live { probe.start(.findings) }
        var isSlow = false
        while live.contains(where: { !$0.isSettled }) {
            let now = Instant.now
            let pending = live.flatMap { $0.pendingReadings(at: now) }
            if !pending.isEmpty || isSlow { waiting(pending) }
            isSlow = !pending.isEmpty
            let due = min(live.compactMap(\.due).min() ?? now, now.advanced(by: Self.tick))
            waker.wait(until: max(due, now.advanced(by: .milliseconds(1))))
            waker.drain()
            for probe in live { probe.advance() }
        }
        if isSlow { waiting([]) }
        let results = zip(bindings, probes).map { binding, probe in
            probe?.close() ?? binding.replay(depth, limit)
        }
        return Inventory(results, leftOut: leftOut, depth: depth)
    }
}
