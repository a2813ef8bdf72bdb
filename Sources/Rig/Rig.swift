public import DriverKit
public import Readiness
internal import SystemPackage

/// A rig: runs its drivers side by side under one deadline and merges what they found.
public struct Rig: Sendable {
    /// A driver and the world that it asks.
    public struct Post: Sendable {
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

    let posts: [Post]
    private let leftOut: [DriverReport]

    /// Makes a rig of its drivers; `leftOut` are the drivers that this build has not, whose kinds cannot be told.
    public init(_ posts: [Post], leftOut: [DriverReport] = []) {
        self.posts = posts
        self.leftOut = leftOut
    }

    /// Probes once, in at most `timeout` seconds and what a driver is allowed beyond it.
    ///
    /// A replayed rig's time is long past: `timeout` is then what it had, and `allowance` the seconds that this machine may
    /// take.
    /// Threads that are still blocked by then are left behind; they end when the kernel lets them, or with the process.
    public func inventory(depth: Depth, timeout: Double, allowance: Double? = nil) throws(DriverError) -> Inventory {
        merge(
            try outcomes(of: posts.map { ($0, [:]) }, depth: depth, timeout: timeout, allowance: allowance), depth)
    }

    /// Probes with some drivers; `known` is what is known of sensors that need not be asked again if listed as they were.
    func outcomes(
        of posts: [(post: Post, known: [Sensor: Finding])], depth: Depth, timeout: Double, allowance: Double? = nil
    ) throws(DriverError) -> [Outcome] {
        let bell: Bell
        do {
            bell = try Bell()
        } catch {
            throw DriverError(errno: error, subject: "pipe")
        }
        let crews = posts.map {
            Crew(
                $0.post.driver, $0.post.world, depth: depth, timeout: timeout, allowance: allowance, bell: bell,
                known: $0.known)
        }
        crews.forEach { $0.start() }
        while true {
            let waiting = crews.filter { !$0.isDone && $0.deadline > .now }
            if waiting.isEmpty { break }
            waiting.forEach { $0.relieve() }
            let wakes = waiting.map { crew in min(crew.nextStall ?? crew.deadline, crew.deadline) }
            bell.wait(until: max(wakes.min() ?? .now, Instant.now.advanced(bySeconds: 0.001)))
        }
        return crews.map { Outcome($0.driver, $0.close(), since: $0.started, timeout: timeout) }
    }

    func merge(_ outcomes: [Outcome], _ depth: Depth) -> Inventory {
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
