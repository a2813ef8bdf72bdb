internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// One conversation with one gpsd; a session is for one probe.
///
/// Ends its own work 50 ms before each deadline (a quarter of what is left, where that is less), so that what it found
/// is told rather than abandoned.
final class GPSDSession: Session {
    private static let margin = 0.05
    private let world: any World
    private let address: GPSDAddress
    private let criteria: FixCriteria
    private let waitForFix: Double
    /// What the rig's watch hears anyway.
    private let stream: WatchCache
    private let watch = Mutex<GPSDWatch?>(nil)
    /// Whether the watch is a copy of what was heard: its stream is another's to read.
    private let isHeard = Atomic(false)
    private let line = Mutex<(channel: (any Channel)?, isCancelled: Bool)>((nil, false))

    init(_ world: any World, _ address: GPSDAddress, criteria: FixCriteria, waitForFix: Double, stream: WatchCache) {
        self.stream = stream
        self.world = world
        self.address = address
        self.criteria = criteria
        self.waitForFix = waitForFix
    }

    /// Wakes whoever waits for gpsd.
    func cancel() {
        line.withLock { line in
            line.isCancelled = true
            line.channel?.cancel()
        }
    }

    /// What gpsd owns, and what the kernel shows besides.
    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        var enumeration = list(depth, until: deadline)
        enumeration.makeKeysDistinct()
        return enumeration
    }

    private func list(_ depth: Depth, until deadline: Instant) -> Enumeration {
        let listing = ReceiverListing(world, address, stream)
        guard depth != .presence else { return listing.enumeration() }
        let now = world.now()
        if depth == .sample, let heard = stream.latest,
            heard.decides(criteria, ReceiverRemedies(address: address), at: now, until: end(before: deadline))
        {
            if !heard.vouches(criteria, at: now) {
                let greeting = greet(until: limit(of: deadline))
                guard case .answered = greeting else { return listing.enumeration(greeting) }
            }
            isHeard.store(true, ordering: .relaxed)
            watch.withLock { $0 = heard }
            return enumeration(listing, of: heard, depth)
        }
        let greeting = greet(until: limit(of: deadline))
        guard case .answered(let conversation, let devices) = greeting else { return listing.enumeration(greeting) }
        let asked = GPSDWatch(conversation, devices)
        if depth == .sample { watch.withLock { $0 = asked } }
        return enumeration(listing, of: asked, depth)
    }

    private func enumeration(_ listing: ReceiverListing, of watch: GPSDWatch, _ depth: Depth) -> Enumeration {
        listing.enumeration(of: watch.receivers.map(\.device), among: watch.devices, release: watch.release, depth)
    }

    /// One receiver, watched until it is decided or the time is up.
    ///
    /// All receivers share one stream: whoever waits reads for all.
    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        if isHeard.load(ordering: .relaxed) {
            let now = world.now()
            return watch.withLock { judge(candidate, $0, at: now, isOver: true) } ?? Finding(candidate.sensor)
        }
        let end = end(before: deadline)
        var isDry = false
        while true {
            let finding = watch.withLock { watch -> Finding? in
                guard watch?.receivers.indices.contains(candidate.token) == true else {
                    return Finding(candidate.sensor)
                }
                let now = world.now()
                watch?.begin(at: now, until: end)
                if let finding = judge(candidate, watch, at: now, isOver: isDry || now >= end) {
                    watch?.finish(candidate.token, until: now.advanced(bySeconds: Self.margin))
                    return finding
                }
                isDry = watch?.listen(in: world, until: end) == false
                return nil
            }
            if let finding { return finding }
        }
    }

    private func judge(_ candidate: SensorCandidate, _ watch: GPSDWatch?, at now: Instant, isOver: Bool) -> Finding? {
        guard let watch else { return Finding(candidate.sensor) }
        let ending = watch.loss.map(lost) ?? (isOver ? .deadline(watch.seconds(until: now)) : nil)
        let receiver = watch.receivers[candidate.token]
        guard
            var verdict = receiver.verdict(
                criteria, isPatient: waitForFix > 0, ReceiverRemedies(address: address), at: now, ending: ending)
        else { return nil }
        if receiver.isDropped && address.isLocal, let error = absence(of: receiver.device.path) {
            verdict = receiver.gone(error)
        }
        return receiver.finding(candidate.sensor, verdict, at: now)
    }

    private func lost(_ error: DriverError) -> WatchEnd {
        .lost(error, remedy: Remedy(world: world, address: address, nodes: []).text)
    }

    /// The error that says that a node which gpsd lists is not there.
    private func absence(of path: String) -> DriverError? {
        guard path.hasPrefix("/") else { return nil }
        do throws(DriverError) {
            _ = try world.status(of: FilePath(path))
            return nil
        } catch {
            return error.errno == .noSuchFileOrDirectory ? error : nil
        }
    }

    /// Waiting for a fix is no reason to wait for gpsd itself.
    private func limit(of deadline: Instant) -> Instant {
        let now = world.now()
        return min(end(before: deadline), now.advanced(bySeconds: max(1, now.seconds(to: deadline) - waitForFix)))
    }

    private func end(before deadline: Instant) -> Instant {
        deadline.advanced(bySeconds: -min(Self.margin, max(0, world.now().seconds(to: deadline) / 4)))
    }

    private func greet(until end: Instant) -> DeviceListResponse {
        do throws(DriverError) {
            let channel = try world.channel(to: address.endpoint, until: end)
            let isCancelled = line.withLock { line in
                line.channel = channel
                return line.isCancelled
            }
            guard !isCancelled else { throw DriverError(.cancelled, subject: address.endpoint.description) }
            return DeviceListResponse.ask(channel, at: address, in: world, until: end)
        } catch {
            return DeviceListResponse(error, address)
        }
    }
}
