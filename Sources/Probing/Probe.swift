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

    /// Makes a probe of a rig; `leftOut` are the drivers that this build lacks, whose kinds are indeterminate.
    public init(_ bindings: [DriverBinding], leftOut: [DriverReport] = []) {
        self.bindings = bindings
        self.leftOut = leftOut
    }

    /// Probes once, in at most `timeout` plus the time that a driver is allowed beyond it.
    ///
    /// Threads that are still blocked then are abandoned; they end when the kernel lets them, or with the process.
    /// A driver whose world is a recording runs on the calling thread and waits for nothing; `timeout` is then that of
    /// the recorded probe.
    public func inventory(depth: Depth, timeout: Duration) throws(DriverError) -> Inventory {
        Inventory(
            try results(of: bindings.map { ($0, [:]) }, depth: depth, timeout: timeout), leftOut: leftOut, depth: depth)
    }

    /// Probes with some drivers; `known` are the findings of sensors that are not read again if listed unchanged.
    func results(
        of bindings: [(binding: DriverBinding, known: [Sensor: Finding])], depth: Depth, timeout: Duration
    ) throws(DriverError) -> [DriverResult] {
        let waker = try Waker()
        let probes = bindings.map { binding, known in
            binding.world.replayCounts == nil
                ? DriverProbe(binding, known: known, depth: depth, timeout: timeout, waker: waker) : nil
        }
        let live = probes.compactMap(\.self)
        live.forEach { $0.start() }
        while true {
            let waiting = live.filter { !$0.isDone && $0.deadline > .now }
            if waiting.isEmpty { break }
            waiting.forEach { $0.startNextWorker() }
            let wakes = waiting.map { probe in min(probe.nextStart ?? probe.deadline, probe.deadline) }
            waker.wait(until: max(wakes.min() ?? .now, Instant.now.advanced(bySeconds: 0.001)))
            waker.drain()
        }
        return zip(bindings, probes).map { binding, probe in
            probe?.close() ?? ReplayProbe(binding.binding, depth: depth, timeout: timeout).result(known: binding.known)
        }
    }
}
