internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// One probe of one gpsd: through the client that watches it, or over its own connection.
///
/// Ends its own work 50 ms before each deadline (or a quarter of the remaining time, if that is less), so that its
/// results are reported and not discarded.
final class GPSDSession: Session {
    private static let margin = 0.05
    private let world: any World
    private let driver: GPSDDriver
    private let address: GPSDAddress
    /// The connection of this session; nil while a thread reads from it.
    private let client = Mutex<GPSDClient?>(nil)
    /// The last state, of that connection or of the watch.
    private let state = Mutex(GPSDState())
    /// The receivers in modems, which gpsd does not serve.
    private let modems = Mutex<ModemListing?>(nil)
    private let listing = Mutex<ReceiverListing?>(nil)
    private let monitor: ChangeMonitor

    init(_ world: any World, of driver: GPSDDriver) throws(DriverError) {
        self.world = world
        self.driver = driver
        address = GPSDAddress(driver.peer, world: world)
        monitor = try ChangeMonitor(.sample) { _ in }
    }

    func cancel() { monitor.cancel() }

    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        var enumeration = list(depth, until: deadline)
        enumeration.makeKeysDistinct()
        return enumeration
    }

    private func list(_ depth: Depth, until deadline: Instant) -> Enumeration {
        let listing = ReceiverListing(world, address, driver.ports)
        self.listing.withLock { $0 = listing }
        guard depth != .presence else { return listing.enumeration() }
        var limit = deadline
        if depth == .sample, let known = watchedState(until: end(before: deadline)) {
            state.withLock { $0 = known }
        } else {
            // Waiting for a fix does not extend the wait for gpsd itself.
            let now = world.now()
            limit = now.advanced(bySeconds: max(1, now.seconds(to: deadline) - driver.waitForFix))
            connect(depth, until: min(end(before: deadline), limit))
        }
        let known = state.withLock(\.self)
        let end = min(end(before: deadline), limit)
        var enumeration = listing.enumeration(known, depth)
        guard address.isLocal else { return enumeration }
        // The receivers in modems that gpsd does not read.
        let owned = Set(known.receivers.map(\.device.path))
        let found = ModemListing(world, ports: listing.ports, owned: owned, until: end, monitor)
        found.add(to: &enumeration, depth)
        modems.withLock { $0 = found }
        return enumeration
    }

    /// The state that a watch of the driver has read; nil without a watch.
    private func watchedState(until end: Instant) -> GPSDState? {
        guard var state = driver.watched.state(in: world, monitor, until: end) else { return nil }
        state.evaluateSilent(rules, at: world.now())
        return state
    }

    private var rules: StatusRules {
        StatusRules(driver.criteria, isPatient: driver.waitForFix > 0, at: address)
    }

    /// Lists gpsd's devices over this session's connection.
    private func connect(_ depth: Depth, until end: Instant) {
        var client: GPSDClient? = GPSDClient(at: address, rules, in: world, monitor)
        client?.connect(until: end) {
            // gpsd remembers the fix of a receiver that was unplugged.
            address.isLocal && $0.hasPrefix("/") && world.exists(FilePath($0))
        }
        if depth == .sample { client?.removeOthers(until: end) }
        if let listed = client?.state { state.withLock { $0 = listed } }
        self.client.withLock { swap(&$0, &client) }
    }

    /// The state in which a receiver is decided, and its time.
    private func decide(_ index: Int, until end: Instant) -> (state: GPSDState, at: Instant) {
        var client: GPSDClient?
        self.client.withLock { swap(&$0, &client) }
        defer { self.client.withLock { swap(&$0, &client) } }
        let decided = client?.decide(index, until: end) { read, _ in state.withLock { $0 = read } }
        return decided ?? (state.withLock(\.self), world.now())
    }

    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        if let listing = modems.withLock(\.self), let modem = listing.modem(of: candidate) {
            return listing.look(
                at: modem, candidate.sensor, driver.criteria, isPatient: driver.waitForFix > 0,
                until: end(before: deadline))
        }
        let (state, now) = decide(candidate.token, until: end(before: deadline))
        guard state.receivers.indices.contains(candidate.token),
            case let receiver = state.receivers[candidate.token], var status = receiver.status
        else { return Finding(candidate.sensor) }
        refine(&status, of: receiver)
        var finding = receiver.finding(candidate.sensor, status, at: now)
        finding.others = receiver.inertialSensors(of: finding.sensor, release: state.release, at: now)
        return finding
    }

    /// Sets the remedies that depend on this machine, and whether the node that gpsd lists is gone.
    private func refine(_ status: inout ReceiverStatus, of receiver: Receiver) {
        let path = receiver.device.path
        guard address.isLocal, path.hasPrefix("/") else { return }
        if receiver.isDropped {
            // A container has few of the host's nodes.
            let error = ContainerEnvironment.container(in: world) == nil ? world.absence(of: FilePath(path)) : nil
            if let error {
                status = ReceiverStatus(
                    .absent, "gpsd lists \(path), but the node is gone",
                    remedies: [.advice("plug the receiver in again")], evidence: error.evidence())
            } else {
                status.remedies = ReceiverRemedies(address: address).reopening(path, in: world)
            }
        } else if status.isQuiet, let port = listing.withLock({ $0?.port(at: path) }), port.isOfModem {
            status.detail? += "; it is a port of a modem, whose receiver may be switched off"
            status.remedies = port.switchingOnRemedies(in: world)
        }
    }

    /// What a receiver without a fix has said so far, with the satellites that it sees and uses.
    func progress(of candidate: SensorCandidate) -> String? {
        let receivers = state.withLock(\.receivers)
        guard receivers.indices.contains(candidate.token) else { return nil }
        return receivers[candidate.token].progress
    }

    private func end(before deadline: Instant) -> Instant {
        deadline.advanced(bySeconds: -min(Self.margin, max(0, world.now().seconds(to: deadline) / 4)))
    }
}
