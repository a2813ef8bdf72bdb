internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// Lists the sensors of one driver and reads them in parallel, on threads that can be abandoned.
///
/// A check is one round; a watch starts a round after each change. One worker lists the sensors and then reads them in
/// order. When it has been busy with one sensor for longer than a slice, or the sensor is known to be slow, the next
/// worker starts: fast sensors need one thread, slow ones are read in parallel, and one that never answers delays only
/// those of its group. A sensor that is still being read is not read a second time, so the threads stay bounded.
final class DriverProbe: Sendable {
    /// After how long a wait is told.
    static let usual = Duration.seconds(1)
    /// How long all workers may be busy before the next one starts.
    static let slice = Duration.milliseconds(5)
    static let workerLimit = 32
    /// How long after the listing the findings so far are reported although some sensors are still being read.
    static let grace = Duration.milliseconds(100)

    private let driver: any Driver
    private let world: any World
    private let depth: Depth
    private let waker: Waker
    private let state: Mutex<State>

    /// Makes a probe that has not started, nil of a recording; `waker` is woken when there is something to do or to
    /// report.
    init?(_ binding: DriverBinding, depth: Depth, limit: ProbeLimit, waker: Waker) {
        guard binding.world.replayCounts == nil else { return nil }
        driver = binding.driver
        world = binding.world
        self.depth = depth
        self.waker = waker
        state = Mutex(State(limit.extended(by: driver.patience)))
    }

    /// Starts a round, unless the previous listing has not returned.
    func start(_ change: Change) {
        guard let deadline = state.withLock({ $0.start(change, at: .now) }) else { return }
        if !Worker.start({ self.enumerate(until: deadline) }) {
            let error = DriverError(.refused, errno: .resourceTemporarilyUnavailable, subject: driver.name)
            state.withLock { $0.fail(error, at: .now) }
        }
    }

    /// Whether a listing has not returned, even if its time is up.
    var isListing: Bool { state.withLock { $0.listing != nil } }

    // As the state has them at this moment; `advance` is to be called when it is `due`, `result` at `newsDue`.
    var isSettled: Bool { state.withLock(\.isSettled) }
    var isComplete: Bool { state.withLock(\.isComplete) }
    var due: Instant? { state.withLock(\.due) }
    var newsDue: Instant? { state.withLock(\.newsDue) }

    /// What is waited for longer than usual, sensor by sensor.
    func pendingReadings(at now: Instant) -> [PendingReading] {
        let (entries, listing) = state.withLock { ($0.slowEntries(at: now), $0.slowListing(at: now)) }
        let readings = entries.map { entry in
            PendingReading(
                name: entry.answer.sensor.name,
                reason: entry.session.progress(of: entry.answer.candidate) ?? entry.answer.readingTime?.reason,
                deadline: entry.deadline)
        }
        return readings + (listing.map { [PendingReading(name: driver.name, deadline: $0)] } ?? [])
    }

    /// Starts the next worker if that is due, and ends what is past its deadline.
    func advance() {
        let now = Instant.now
        let (starts, abandoned) = state.withLock { ($0.addWorker(at: now), $0.expire(at: now)) }
        for session in abandoned { session.cancel() }
        if starts, !Worker.start({ self.read() }) { state.withLock { $0.removeWorker() } }
    }

    /// The findings so far; a sensor that is still being read keeps its last one.
    func result() -> DriverResult { state.withLock { $0.result(of: driver) } }

    /// Ends the probe and returns its result; what is not known by now is cut off.
    func close() -> DriverResult {
        state.withLock { state in
            state.isClosed = true
            return state.result(of: driver)
        }
    }

    private func enumerate(until deadline: Instant) {
        do throws(DriverError) {
            let session = try driver.open(world, until: world.driverDeadline(before: deadline))
            state.withLock { $0.session = session }
            let enumeration = try session.listing(
                depth, of: driver.kinds, until: world.driverDeadline(before: deadline))
            let reads = state.withLock { $0.begin(session, enumeration, at: .now) && $0.addWorker(at: .now) }
            // Wakes the waiting thread when all is done, or when the next worker would start.
            waker.wake()
            if reads { read() }
        } catch {
            state.withLock { $0.fail(error, at: .now) }
            waker.wake()
        }
    }

    /// Reads candidates until none is left that this worker may take.
    private func read() {
        while let (entry, taken) = state.withLock({ $0.take(at: .now) }) {
            let (session, candidate) = (entry.session, entry.answer.candidate)
            var deadline = taken
            if depth == .sample,
                let time = session.readingTime(of: candidate, until: world.driverDeadline(before: deadline))
            {
                deadline = state.withLock { $0.expect(time, of: entry.id, at: .now) }
                if time.duration > Self.slice { waker.wake() }
            }
            let finding = session.look(at: candidate, depth, until: world.driverDeadline(before: deadline))
            let hasNews = state.withLock { state in
                state.finish(entry, finding, at: .now)
                return state.newsDue != nil
            }
            if hasNews { waker.wake() }
        }
    }
}

extension Session {
    /// The enumeration with no more candidates and obstacles than a probe takes.
    ///
    /// If there are more, it says so: any kind may have further ones.
    func listing(
        _ depth: Depth, of kinds: [SensorKind], until deadline: Instant
    ) throws(DriverError) -> Enumeration {
        var enumeration = try enumeration(depth, until: deadline)
        guard enumeration.isFull else { return enumeration }
        let limit = Enumeration.candidateLimit
        enumeration.candidates = Array(enumeration.candidates.prefix(limit))
        enumeration.obstacles = Array(enumeration.obstacles.prefix(limit))
        let detail = "at most \(limit) sensors are listed, and there are more"
        enumeration.notices.append(Notice(.tooManySensors, detail: detail))
        enumeration.obstacles += kinds.obstacles(
            .indeterminate, detail, remedies: [.advice("remove devices that are not under test")],
            evidence: [enumeration.searched ?? Evidence(said: detail)])
        return enumeration
    }
}

extension World {
    /// A driver's own deadline, a little before the probe's, so that it can still report what it waited for.
    func driverDeadline(before end: Instant) -> Instant {
        let now = now()
        return now.advanced(bySeconds: max(0, now.seconds(to: end) * 0.95 - 0.01))
    }
}
