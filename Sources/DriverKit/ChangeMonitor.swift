internal import SystemPackage
public import Readiness
internal import Synchronization

/// What may have changed on a rig.
public enum Change: Int, Sendable, Hashable, Comparable {
    /// Something came or went: list again; what is as it was keeps what was found.
    case listing
    /// What was found may hold no longer: ask everything again.
    case findings

    /// The further-reaching one is greater.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Passes the changes that one source reports on its own thread to the watch of a rig.
///
/// What a source opens it hands over with `keep`, so that any thread can end the watch.
public final class ChangeMonitor: Sendable {
    private struct State {
        var channels: [any Channel] = []
        var isCancelled = false
    }
    private let state = Mutex(State())
    private let tell: @Sendable (Change) -> Void
    /// Woken once the watch is to end.
    private let end: Waker
    /// How deep the probes go that follow a change: at `presence` nothing may be connected to.
    public let depth: Depth

    /// Makes a monitor; `tell` may be called from any thread.
    public init(_ depth: Depth, tell: @escaping @Sendable (Change) -> Void) throws(DriverError) {
        self.depth = depth
        self.tell = tell
        end = try Waker()
    }

    /// Says that something may have changed.
    public func report(_ change: Change) { if !isCancelled { tell(change) } }

    /// Whether the watch is to end.
    public var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Waits so many seconds, or until the watch is to end.
    public func wait(_ seconds: Double) {
        end.wait(until: Instant.now.advanced(bySeconds: seconds))
    }

    /// Has a channel cancelled with the watch, at once where it has ended.
    public func keep(_ channel: any Channel) {
        let isLate = state.withLock { state in
            state.channels.append(channel)
            return state.isCancelled
        }
        if isLate { channel.cancel() }
    }

    /// Lets go of a channel that has ended.
    public func drop(_ channel: any Channel) {
        state.withLock { state in state.channels.removeAll { $0 === channel } }
    }

    /// Ends the watch; from any thread.
    public func cancel() {
        let channels = state.withLock { state in
            state.isCancelled = true
            return state.channels
        }
        for channel in channels { channel.cancel() }
        end.wake()
    }
}

/// How long a watch waits for an event before it asks again whether it is to end.
private let hour = 3600.0

/// Listens to an endpoint that speaks by itself, or once it is sent a request, and reports what its frames mean.
///
/// A source that loses events (ENOBUFS) or whose frames are damaged has everything listed again: nothing is lost. Calls
/// `forget` before each report, so that nothing kept from before is taken for what is now. Throws what ends the source.
public func listen(
    to endpoint: Endpoint, request: [UInt8] = [], in world: any World, _ monitor: ChangeMonitor,
    forget: () -> Void = {}, _ meaning: ([UInt8]) -> Change?
) throws(DriverError) {
    func report(_ change: Change) {
        forget()
        monitor.report(change)
    }
    let soon = world.now().advanced(bySeconds: 2)
    let channel = try world.channel(to: endpoint, until: soon)
    monitor.keep(channel)
    defer { monitor.drop(channel) }
    if !request.isEmpty { try channel.send(request, until: soon) }
    // What happened before the source was open.
    report(.listing)
    while !monitor.isCancelled {
        do throws(DriverError) {
            let frame = try channel.receive(limit: 128 << 10, until: world.now().advanced(bySeconds: hour))
            if let change = meaning(frame) { report(change) }
        } catch {
            switch error.code {
            case .timedOut: continue
            case .malformed: report(.findings)
            case .cancelled: return
            default:
                guard error.errno == .noBufferSpace else { throw error }
                report(.findings)
            }
        }
    }
}

/// Listens to what udev announces of some subsystems.
public func listenToDevices(
    of subsystems: Set<String>, in world: any World, _ monitor: ChangeMonitor, as change: Change,
    forget: () -> Void = {}
) throws(DriverError) {
    try listen(to: .uevents, in: world, monitor, forget: forget) { frame in
        subsystems.contains(Properties(parsing: frame)["SUBSYSTEM"] ?? "") ? change : nil
    }
}
