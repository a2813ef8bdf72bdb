internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// The threads of one driver in one live probe.
///
/// One worker lists the sensors and then reads them in order. When it has been busy with one sensor for longer than a
/// slice, the next worker starts: fast sensors need one thread, slow ones are read in parallel, and one that
/// never answers delays only those of its group.
final class DriverProbe: Sendable {
    /// Seconds for which all workers may be busy before the next one starts.
    static let slice = 0.005
    /// The maximum number of workers of a driver at one time.
    static let workerLimit = 32

    let driver: any Driver
    let deadline: Instant
    let started: Instant
    private let world: any World
    private let depth: Depth
    private let timeout: Duration
    private let waker: Waker
    /// The findings of sensors that are listed unchanged; they are not read again.
    private let known: [Sensor: Finding]
    private let state = Mutex(State())

    /// Makes a probe that has not started.
    init(_ binding: DriverBinding, known: [Sensor: Finding], depth: Depth, timeout: Duration, waker: Waker) {
        driver = binding.driver
        world = binding.world
        self.known = known
        self.depth = depth
        self.timeout = timeout
        self.waker = waker
        started = .now
        deadline = started.advanced(bySeconds: timeout.seconds + driver.patience)
    }

    func start() {
        guard !Worker.start({ self.enumerate() }) else { return }
        fail(DriverError(.refused, errno: .resourceTemporarilyUnavailable, subject: driver.name))
    }

    /// Whether there is nothing more to wait for.
    var isDone: Bool { state.withLock { $0.ended != nil } }

    /// When the next worker is to start, unless a running one takes another candidate before; nil if none is.
    var nextStart: Instant? { state.withLock(\.nextStart) }

    /// Starts the next worker if that is due.
    func startNextWorker() {
        guard state.withLock({ $0.addWorker(at: .now) }) else { return }
        if !Worker.start({ self.read() }) { state.withLock { $0.workers -= 1 } }
    }

    /// Ends the probe for this driver; later results are ignored.
    func close() -> DriverResult {
        let seen = state.withLock { state in
            state.isClosed = true
            return state
        }
        if seen.ended == nil { seen.session?.cancel() }
        return DriverResult(
            driver, seen.answers, elapsed: started.seconds(to: seen.ended ?? .now), timeout: timeout)
    }

    private func fail(_ error: DriverError) {
        state.withLock { state in
            state.answers.failure = error
            state.ended = .now
        }
        waker.wake()
    }

    private func enumerate() {
        do throws(DriverError) {
            let session = try driver.open(world, until: world.driverDeadline(before: deadline))
            state.withLock { $0.session = session }
            let enumeration = try session.enumeration(depth, until: world.driverDeadline(before: deadline))
            guard Instant.now < deadline else { return }
            state.withLock { $0.begin(enumeration, known: known) }
        } catch {
            if Instant.now < deadline { fail(error) }
            return
        }
        // Wakes the waiting thread when all is done, or when the next worker would start.
        waker.wake()
        read()
    }

    /// Reads candidates until none is left that this worker may take.
    private func read() {
        while let (index, candidate, session) = state.withLock({ $0.take(before: deadline) }) {
            let finding = session.look(at: candidate, depth, until: world.driverDeadline(before: deadline))
            // A hung hub returns zero with success once the kernel gives up on it: a late result is no reading.
            let isLate = Instant.now >= deadline
            if state.withLock({ $0.finish(index, isLate ? nil : finding) }) { waker.wake() }
        }
    }
}

extension World {
    /// A driver's own deadline, a little before the probe's, so that it can still report what it waited for.
    func driverDeadline(before end: Instant) -> Instant {
        let now = now()
        return now.advanced(bySeconds: max(0, now.seconds(to: end) * 0.95 - 0.01))
    }
}
