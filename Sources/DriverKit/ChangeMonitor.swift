internal import SystemPackage
public import Readiness

/// What may have changed on a rig; a change that covers more comes later.
public enum Change: Sendable, Comparable {
    /// Devices may have come or gone: list again; findings of unchanged sensors are kept.
    case listing
    /// Findings may no longer be valid: ask everything again.
    case findings
}

/// Passes the changes that one source reports on its own thread to the watch of a rig.
///
/// A source hands over what it opens with `keep`, so that any thread can end the watch.
public final class ChangeMonitor: Sendable {
    private let channels = OpenChannels()
    private let onChange: @Sendable (Change) -> Void
    /// Woken when the watch ends.
    package let end: Waker
    /// The depth of the probes that follow a change: at `presence` the source must not connect to anything.
    public let depth: Depth

    /// Makes a monitor; `onChange` may be called from any thread.
    public init(_ depth: Depth, onChange: @escaping @Sendable (Change) -> Void) throws(DriverError) {
        self.depth = depth
        self.onChange = onChange
        end = try Waker()
    }

    /// Reports that something may have changed.
    public func report(_ change: Change) { if !isCancelled { onChange(change) } }

    /// Whether the watch has ended.
    public var isCancelled: Bool { channels.isCancelled }

    /// Waits this long, or until the watch ends.
    public func wait(_ duration: Duration) { end.wait(until: Instant.now.advanced(by: duration)) }

    /// Cancels a channel together with the watch, immediately if that has ended.
    public func keep(_ channel: any Channel) { channels.keep(channel) }

    /// Forgets a channel that has ended.
    public func drop(_ channel: any Channel) { channels.drop(channel) }

    /// Ends the watch; may be called from any thread.
    public func cancel() {
        channels.cancel()
        end.wake()
    }
}

/// Listens to an endpoint that sends unsolicited frames, or sends them after a request, and reports their meaning.
///
/// A source that loses events (ENOBUFS) or whose frames are damaged causes a full probe, so nothing is lost. Calls
/// `forget` before each report, so that no outdated state is used. If a state may change without a frame for some time
/// after one, it is reported once more after `settling`. Throws the error that ends the source.
public func listen(
    to endpoint: Endpoint, request: [UInt8] = [], in world: any World, _ monitor: ChangeMonitor,
    settling: Duration? = nil, forget: () -> Void = {}, _ meaning: ([UInt8]) -> Change?
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
    // Changes from before the source was open.
    report(.listing)
    var settled = settling.map { world.now().advanced(by: $0) }
    while !monitor.isCancelled {
        do throws(DriverError) {
            // After an hour without an event it looks again whether it was cancelled.
            let later = settled ?? world.now().advanced(bySeconds: 3600)
            let frame = try channel.receive(limit: 128 << 10, until: later)
            guard let change = meaning(frame) else { continue }
            report(change)
            settled = settling.map { world.now().advanced(by: $0) }
        } catch {
            switch error.code {
            case .timedOut:
                if settled != nil { report(.findings) }
                settled = nil
            case .malformed: report(.findings)
            case .cancelled: return
            default:
                guard error.errno == .noBufferSpace else { throw error }
                report(.findings)
            }
        }
    }
}

/// The source of udev's events of some subsystems; calls `forget` before each report.
public func deviceEvents(
    of subsystems: Set<String>, as change: Change, forget: @escaping @Sendable () -> Void = {}
) -> ChangeSource {
    { world, monitor throws(DriverError) in
        try listen(to: .uevents, in: world, monitor, forget: forget) { frame in
            subsystems.contains(Properties(parsing: frame)["SUBSYSTEM"] ?? "") ? change : nil
        }
    }
}
