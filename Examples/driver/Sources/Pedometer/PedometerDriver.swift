public import DriverKit
internal import Linux
public import Readiness

/// A step counter that speaks a line protocol over TCP: `WHO`, `COUNT` and `WATCH`.
public struct PedometerDriver: Driver {
    /// The address where it listens.
    public let peer: HostPort

    /// Makes the driver of one step counter.
    public init(at peer: HostPort) { self.peer = peer }

    /// The name in reports.
    public var name: String { "pedometer" }
    /// Step counters.
    public var kinds: [SensorKind] { [.stepCounter] }
    /// A step counter that does not answer is unreachable.
    public var causeWhenStalled: Cause { .unreachable }

    /// Makes the session; does not connect yet.
    public func open(_ world: any World, until deadline: Instant) -> any Session { PedometerSession(peer, world) }

    // MARK: Its endpoint

    private static let kind = "pedometer"

    static func endpoint(_ peer: HostPort) -> Endpoint { Endpoint(kind, at: peer.description) }

    /// Connects over TCP.
    public func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        guard endpoint.kind == Self.kind, let peer = HostPort(endpoint.address, defaultPort: 0) else { return nil }
        return try DescriptorChannel.connect(
            host: peer.host, port: peer.port, subject: endpoint.description, until: deadline)
    }

    // MARK: Its events

    /// The events of switching it on and off; connects only at depth `sample`.
    public var changeSources: [ChangeSource] {
        let endpoint = Self.endpoint(peer)
        @Sendable func switches(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            guard monitor.depth == .sample else { return }
            try listen(to: endpoint, request: Array("WATCH\n".utf8), in: world, monitor) { frame in
                frame.starts(with: "O".utf8) ? .findings : nil
            }
        }
        return [switches]
    }

    /// Replaces serial number and owner.
    public var anonymizer: (any FrameAnonymizer)? { PedometerAnonymizer() }
}
