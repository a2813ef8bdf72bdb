internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// The threads of one driver in one probe.
///
/// One worker surveys and then walks the leads; while all is well it is the only one. When it stalls, the next worker
/// takes over behind it, so that what hangs costs its own line alone.
final class DriverProbe: Sendable {
    static let slice = 0.25
    static let limit = 8

    let driver: any Driver
    let deadline: Instant
    let started: Instant
    private let world: any World
    /// The end of the probe on the world's clock, which a replayed rig has of its own.
    private let endInWorld: Instant
    private let depth: Depth
    private let waker: Waker
    /// What is known of sensors that are listed as they were; they are not asked again.
    private let known: [Sensor: Finding]
    private let progress = Mutex(Progress())

    /// Makes a crew that has not begun; `allowance` is what `Probe.inventory` says.
    init(
        _ driver: any Driver, _ world: any World, depth: Depth, timeout: Double, allowance: Double?, waker: Waker,
        known: [Sensor: Finding] = [:]
    ) {
        self.known = known
        self.driver = driver
        self.world = world
        self.depth = depth
        self.waker = waker
        started = .now
        let limit = timeout + driver.patience
        deadline = started.advanced(bySeconds: allowance ?? limit)
        endInWorld = world.now().advanced(bySeconds: limit)
    }

    /// A driver's own deadline lies a little before the crew's, so that it can still say itself what it waited for.
    private var limitInWorld: Instant {
        let now = world.now()
        return now.advanced(bySeconds: max(0, now.seconds(to: endInWorld) * 0.95 - 0.01))
    }

    func start() {
        let began = employ { self.work($0) }
        guard !began else { return }
        fail(DriverError(.refused, errno: .resourceTemporarilyUnavailable, subject: driver.name))
    }

    /// Whether there is nothing more to wait for.
    var isDone: Bool { progress.withLock { $0.ended != nil } }

    /// The instant at which the walking worker counts as stalled; nil while none walks or none could relieve it.
    var nextStall: Instant? {
        progress.withLock { $0.canBeRelieved ? $0.since?.advanced(bySeconds: Self.slice) : nil }
    }

    /// Starts the next worker if the walking one has stalled and leads are left.
    func relieve() {
        let generation = progress.withLock { progress -> Int? in
            guard progress.canBeRelieved, let since = progress.since, since.advanced(bySeconds: Self.slice) <= .now
            else { return nil }
            progress.generation += 1
            progress.since = .now
            return progress.generation
        }
        guard let generation else { return }
        _ = employ { self.walk(generation, $0) }
    }

    private func employ(_ body: @escaping @Sendable (UnansweredFlag) -> Void) -> Bool {
        Worker.start {
            let stall = UnansweredFlag()
            UnansweredFlag.$current.withValue(stall) { body(stall) }
        }
    }

    /// Ends the probe for this driver: what comes later is no reading.
    func close() -> Progress {
        let (seen, session) = progress.withLock { progress in
            progress.isClosed = true
            return (progress, progress.session)
        }
        if seen.ended == nil { session?.cancel() }
        return seen
    }

    /// Ends the driver's part before any lead was asked; without an error, nothing was answered at all.
    private func fail(_ error: DriverError?) {
        progress.withLock {
            $0.failure = error
            $0.ended = .now
        }
        waker.wake()
    }

    private func work(_ stall: UnansweredFlag) {
        do throws(DriverError) {
            let session = try driver.open(world, until: limitInWorld)
            progress.withLock { $0.session = session }
            let enumeration = try session.enumeration(depth, until: limitInWorld)
            if stall.take() { return fail(nil) }
            progress.withLock {
                $0.enumeration = enumeration
                // The waiting thread must find a stall to wake for even if it looks before the first lead is claimed.
                $0.since = .now
                // A closed lead is its own finding.
                $0.findings = enumeration.candidates.map { $0.isOpen ? known[$0.sensor] : Finding($0.sensor) }
            }
            // The waiting thread must learn when the first stall would be.
            if enumeration.candidates.contains(where: \.isOpen) { waker.wake() }
        } catch {
            return fail(stall.take() ? nil : error)
        }
        walk(0, stall)
    }

    private func walk(_ generation: Int, _ stall: UnansweredFlag) {
        var generation = generation
        while let (index, candidate, session) = claim(generation) {
            let finding = session.look(at: candidate, depth, until: limitInWorld)
            if stall.take() {
                generation = abandon(index, generation)
                continue
            }
            // A hung hub gives zero with success once the kernel tires of it: what comes late is no reading.
            let isLate = Instant.now >= deadline
            let isLast = progress.withLock { progress in
                guard !progress.isClosed, !isLate else { return false }
                progress.findings[index] = finding
                return settle(&progress)
            }
            if isLast { waker.wake() }
        }
        if progress.withLock({ settle(&$0) }) { waker.wake() }
    }

    /// The next open lead; nil to a worker that was replaced.
    private func claim(_ generation: Int) -> (Int, SensorCandidate, any Session)? {
        progress.withLock { progress in
            guard progress.generation == generation, !progress.isClosed, !progress.isExhausted,
                let enumeration = progress.enumeration,
                let session = progress.session
            else { return nil }
            while progress.next < enumeration.candidates.count, progress.findings[progress.next] != nil {
                progress.next += 1
            }
            guard progress.next < enumeration.candidates.count else { return nil }
            defer { progress.next += 1 }
            progress.since = .now
            return (progress.next, enumeration.candidates[progress.next], session)
        }
    }

    /// Gives up a lead that a replayed rig never answered, and gives the generation in which its worker goes on.
    ///
    /// Live it would have held the worker, and the next one would have taken over a slice later, while there was time;
    /// here the worker takes over from itself at once.
    private func abandon(_ index: Int, _ generation: Int) -> Int {
        let now = world.now()
        return progress.withLock { progress in
            progress.abandoned.insert(index)
            guard progress.generation == generation else { return generation }
            let relieved = max(progress.relieved ?? now, now).advanced(bySeconds: Self.slice)
            progress.relieved = relieved
            guard progress.canBeRelieved, relieved < endInWorld else {
                progress.isExhausted = true
                return generation
            }
            progress.generation += 1
            return progress.generation
        }
    }

    /// Marks the end once nothing more is to be told; true to the one who did.
    private func settle(_ progress: inout Progress) -> Bool {
        guard progress.ended == nil, progress.isSettled() else { return false }
        progress.ended = .now
        return true
    }
}
