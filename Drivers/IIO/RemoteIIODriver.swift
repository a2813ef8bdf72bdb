public import DriverKit
public import Readiness

/// Finds the motion sensors and step counters of a libiio context: another machine, a USB device or a file.
public struct RemoteIIODriver: Driver {
    /// The context, such as `ip:bench-07`, `usb:1.5.0`, `xml:rig.xml`.
    public let uri: String

    /// Makes the driver of one context.
    public init(uri: String) { self.uri = uri }

    /// The context's URI.
    public var name: String { uri }
    /// The kinds of sensor that IIO devices can have.
    public var kinds: [SensorKind] { IIODriver.kinds }
    /// `unreachable`, as the server of the context did not answer; a file has no server.
    public var causeWhenStalled: Cause { uri.hasPrefix("xml:") ? .indeterminate : .unreachable }

    /// Starts a session; it connects at the enumeration.
    public func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        RemoteIIOSession(uri, world)
    }

    /// Opens libiio contexts.
    public func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        try endpoint.openedContext(until: deadline)
    }

    /// Erases what a context says about the board that serves it.
    public var anonymizer: (any FrameAnonymizer)? { ContextAnonymizer() }
}
