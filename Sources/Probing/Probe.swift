public import DriverKit
public import Readiness
internal import SystemPackage

/// A driver and the world that it asks.
public struct DriverBinding: Sendable {
    /// The driver.
    public var driver: any Driver
    /// Its world.
    public var world: any World

    /// Makes a post.
    public init(_ driver: any Driver, in world: any World) {
        self.driver = driver
        self.world = world
    }
}

/// A rig: runs its drivers side by side under one deadline and merges what they found.
public struct Probe: Sendable {
    let bindings: [DriverBinding]
    private let leftOut: [DriverReport]

    /// Makes a rig of its drivers; `leftOut` are the drivers that this build has not, whose kinds cannot be told.
    public init(_ bindings: [DriverBinding], leftOut: [DriverReport] = []) {
        self.bindings = bindings
        self.leftOut = leftOut
    }

    /// Probes once, in at most `timeout` seconds and what a driver is allowed beyond it.
    ///
    /// A replayed rig's time is long past: `timeout` is then what it had, and `allowance` the seconds that this machine may
    /// take.
    /// Threads that are still blocked by then are left behind; they end when the kernel lets them, or with the process.
    public func inventory(depth: Depth, timeout: Double, allowance: Double? = nil) throws(DriverError) -> Inventory {
        merge(
            try outcomes(of: bindings.map { ($0, [:]) }, depth: depth, timeout: timeout, allowance: allowance), depth)
    }

    /// Probes with some drivers; `known` is what is known of sensors that need not be asked again if listed as they were.
    func outcomes(
        of bindings: [(binding: DriverBinding, known: [Sensor: Finding])], depth: Depth, timeout: Double,
        allowance: Double? = nil
    ) throws(DriverError) -> [DriverResult] {
        let waker = try Waker()
        let probes = bindings.map {
            DriverProbe(
                $0.binding.driver, $0.binding.world, depth: depth, timeout: timeout, allowance: allowance, waker: waker,
                known: $0.known)
        }
        probes.forEach { $0.start() }
        while true {
            let waiting = probes.filter { !$0.isDone && $0.deadline > .now }
            if waiting.isEmpty { break }
            waiting.forEach { $0.relieve() }
            let wakes = waiting.map { probe in min(probe.nextStall ?? probe.deadline, probe.deadline) }
            waker.wait(until: max(wakes.min() ?? .now, Instant.now.advanced(bySeconds: 0.001)))
            waker.drain()
        }
        return probes.map { DriverResult($0.driver, $0.close(), since: $0.started, timeout: timeout) }
    }

    func merge(_ outcomes: [DriverResult], _ depth: Depth) -> Inventory {
        Inventory(
            depth: depth,
            drivers: outcomes.map(\.report) + leftOut,
            sensors: outcomes.flatMap(\.sensors),
            obstacles: outcomes.flatMap(\.namedObstacles)
                + leftOut.flatMap { report in
                    report.kinds.map { kind in
                        Obstacle(
                            kind: kind, cause: .indeterminate,
                            detail: "this build has no \(report.name) driver",
                            remedy: "build with the trait, as Drivers/README.md tells")
                    }
                },
            notices: outcomes.flatMap(\.notices))
    }
}
