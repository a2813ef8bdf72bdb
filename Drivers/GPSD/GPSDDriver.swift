package import DriverKit
internal import Linux
package import Readiness
internal import Synchronization
internal import SystemPackage

/// Finds location receivers: those of a gpsd, those that the kernel shows and a local gpsd does not own, and those in modems
/// that ModemManager serves.
///
/// A receiver whose inertial unit reports while it is watched is an accelerometer and a gyroscope, too; gpsd does not
/// tell in advance which has one, so that none is found says nothing.
///
/// Speaks gpsd's JSON protocol over TCP, every version. Asks nothing at depth `presence`, sends `?DEVICES;` at `state`,
/// and watches at `sample`, which makes gpsd open its receivers. Reports key, path and availability of each receiver;
/// readings are in metres and degrees.
package struct GPSDDriver: Driver {
    package let name = "gpsd"
    package let kinds: [SensorKind] = [.locationReceiver]
    package let incidentalKinds: [SensorKind] = [.accelerometer, .gyroscope]
    package let causeWhenStalled = Cause.unreachable

    package var patience: Duration { .seconds(waitForFix) }

    let criteria: FixCriteria
    let waitForFix: Double
    let peer: HostPort
    /// What is read while the rig is watched.
    let watched = WatchedState()
    let ports = PortCache()

    /// Makes a driver for the gpsd of a peer.
    ///
    /// `criteria` are the requirements on a position. With `waitForFix` above zero (seconds), receivers without a fix
    /// are watched up to the deadline, which the caller extends by that time (`patience`).
    package init(
        _ peer: HostPort = HostPort(host: "127.0.0.1", port: 2947), criteria: FixCriteria = FixCriteria(),
        waitForFix: Double = 0
    ) {
        self.criteria = criteria
        self.waitForFix = waitForFix.isFinite ? max(0, waitForFix) : 0
        self.peer = peer
    }

    /// Makes the session; does not connect, since that may start gpsd, which depth `presence` must not.
    package func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        try GPSDSession(world, of: self)
    }

    package var eventSubsystems: Set<String> { ["tty", "gnss", "wwan"] }

    package var changeSources: [ChangeSource] {
        let events = deviceEvents(of: eventSubsystems, as: .findings) { [ports] in ports.forget(isNotified: true) }
        @Sendable func devices(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            defer { ports.forget(isNotified: false) }
            try events(world, monitor)
        }
        @Sendable func messages(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            // Connecting may start gpsd, which depth `presence` must not.
            guard monitor.depth != .presence else { return monitor.wait(.seconds(86_400 * 36_500)) }
            // Probes wait for the first state and do not connect themselves.
            if monitor.depth == .sample { watched.set(GPSDState()) }
            GPSDClient.follow(peer, criteria: criteria, isPatient: waitForFix > 0, in: world, monitor) {
                state, message in
                if monitor.depth == .sample { watched.set(state) }
                if message == nil { monitor.report(.findings) }
            }
            watched.set(nil)
        }
        return [devices, messages]
    }

    package func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        guard endpoint.kind == Endpoint.gpsdKind, let peer = HostPort(endpoint.address, defaultPort: 2947) else {
            return nil
        }
        return try DescriptorChannel.connect(
            host: peer.host, port: peer.port, subject: endpoint.description, until: deadline)
    }

    package var anonymizer: (any FrameAnonymizer)? { PositionAnonymizer() }
}

extension Endpoint {
    package static func gpsd(host: String, port: UInt16) -> Endpoint {
        Endpoint(gpsdKind, at: HostPort(host: host, port: port).description)
    }

    static let gpsdKind = "gpsd"
}

/// The address of a gpsd, and whether it is this machine.
struct GPSDAddress: Sendable, Equatable {
    let peer: HostPort
    /// Whether gpsd's device paths are this machine's.
    let isLocal: Bool

    init(_ peer: HostPort, world: any World) {
        self.peer = peer
        let host = peer.host
        let loopback = host == "localhost" || host == "::1" || host.hasPrefix("127.")
        let ownName = try? world.contents(of: "/proc/sys/kernel/hostname", limit: 256)
        isLocal = loopback || ownName.map { $0.prefix { $0 > 0x20 }.elementsEqual(host.utf8) } == true
    }

    var endpoint: Endpoint { .gpsd(host: peer.host, port: peer.port) }

    var text: String { peer.description }
}

/// The state that a watch has read last, for the probes that follow its changes.
final class WatchedState: Sendable {
    private struct Shared {
        /// Nil while nothing watches.
        var state: GPSDState?
        /// Woken when the state is settled, or the watch over.
        var waiting: [Waker] = []
    }
    private let shared = Mutex(Shared())

    /// Notes the next state; nil when the watch is over.
    func set(_ state: GPSDState?) {
        shared.withLock { shared in
            shared.state = state
            guard state?.isSettled != false else { return }
            for waker in shared.waiting { waker.wake() }
            shared.waiting = []
        }
    }

    /// The state once it is settled, at the latest when the watch has lasted as long as the time from now to `end`; nil
    /// without a watch.
    ///
    /// Cancelling the monitor ends the wait.
    func state(in world: any World, _ monitor: ChangeMonitor, until end: Instant) -> GPSDState? {
        let waker = monitor.end
        let first = shared.withLock { shared in
            if shared.state?.isSettled == false { shared.waiting.append(waker) }
            return shared.state
        }
        guard let first, !first.isSettled else { return first }
        let now = world.now()
        let watched = first.isCurrent ? first.since?.advanced(bySeconds: now.seconds(to: end)) : nil
        monitor.wait(.seconds(now.seconds(to: min(watched ?? end, end))))
        waker.drain()
        if monitor.isCancelled { waker.wake() }
        return shared.withLock { shared in
            shared.waiting.removeAll { $0 === waker }
            return shared.state
        }
    }
}
