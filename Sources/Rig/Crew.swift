internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// The threads of one driver in one probe.
///
/// One worker surveys and then walks the leads; while all is well it is the only one. When it stalls, the next worker
/// takes over behind it, so that what hangs costs its own line alone.
final class Crew: Sendable {
    /// How far the driver has come.
    struct Progress {
        var survey: Survey?
        var failure: DriverError?
        var session: (any Session)?
        var findings: [Finding?] = []
        /// The next lead to walk.
        var next = 0
        /// The worker that walks; one that was replaced takes no further lead.
        var generation = 0
        /// When the walking worker took up its lead.
        var since: Instant?
        /// When the last of it was done.
        var ended: Instant?
        var isClosed = false

        /// Whether leads are left that another worker could walk.
        var canBeRelieved: Bool { ended == nil && next < findings.count && generation < Crew.limit }
    }

    static let slice = 0.25
    static let limit = 8

    let driver: any Driver
    let deadline: Instant
    let started: Instant
    private let world: any World
    private let depth: Depth
    private let bell: Bell
    /// What is known of sensors that are listed as they were; they are not asked again.
    private let known: [Sensor: Finding]
    private let progress = Mutex(Progress())

    init(
        _ driver: any Driver, _ world: any World, depth: Depth, timeout: Double, bell: Bell,
        known: [Sensor: Finding] = [:]
    ) {
        self.known = known
        self.driver = driver
        self.world = world
        self.depth = depth
        self.bell = bell
        started = .now
        deadline = started.advanced(bySeconds: timeout + driver.patience)
    }

    /// A driver's own deadline lies a little before the crew's, so that it can still say itself what it waited for.
    private var limitInWorld: Instant {
        world.now().advanced(bySeconds: max(0, Instant.now.seconds(to: deadline) * 0.95 - 0.01))
    }

    func start() {
        let began = Worker.start { self.work() }
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
        _ = Worker.start { self.walk(generation) }
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

    private func fail(_ error: DriverError) {
        progress.withLock {
            $0.failure = error
            $0.ended = .now
        }
        bell.ring()
    }

    private func work() {
        do throws(DriverError) {
            let session = try driver.open(world, until: limitInWorld)
            progress.withLock { $0.session = session }
            let survey = try session.survey(depth, until: limitInWorld)
            progress.withLock {
                $0.survey = survey
                // The waiting thread must find a stall to wake for even if it looks before the first lead is claimed.
                $0.since = .now
                // A closed lead is its own finding.
                $0.findings = survey.leads.map { $0.isOpen ? known[$0.sensor] : Finding($0.sensor) }
            }
            // The waiting thread must learn when the first stall would be.
            if survey.leads.contains(where: \.isOpen) { bell.ring() }
        } catch {
            return fail(error)
        }
        walk(0)
    }

    private func walk(_ generation: Int) {
        while let (index, lead, session) = claim(generation) {
            let finding = session.look(at: lead, depth, until: limitInWorld)
            // A hung hub gives zero with success once the kernel tires of it: what comes late is no reading.
            let isLate = Instant.now >= deadline
            let isLast = progress.withLock { progress in
                guard !progress.isClosed, !isLate else { return false }
                progress.findings[index] = finding
                return settle(&progress)
            }
            if isLast { bell.ring() }
        }
        if progress.withLock({ settle(&$0) }) { bell.ring() }
    }

    /// The next open lead; nil to a worker that was replaced.
    private func claim(_ generation: Int) -> (Int, Lead, any Session)? {
        progress.withLock { progress in
            guard progress.generation == generation, !progress.isClosed, let survey = progress.survey,
                let session = progress.session
            else { return nil }
            while progress.next < survey.leads.count, progress.findings[progress.next] != nil { progress.next += 1 }
            guard progress.next < survey.leads.count else { return nil }
            defer { progress.next += 1 }
            progress.since = .now
            return (progress.next, survey.leads[progress.next], session)
        }
    }

    /// Marks the end once every lead is told; true to the one who did.
    private func settle(_ progress: inout Progress) -> Bool {
        guard progress.ended == nil, progress.findings.allSatisfy({ $0 != nil }) else { return false }
        progress.ended = .now
        return true
    }
}
