public import DriverKit
public import Readiness

/// The motion sensors and step counters of a libiio context: another machine, a USB device or a file.
public struct RemoteIIODriver: Driver {
    /// The context, such as `ip:bench-07`, `usb:1.5.0`, `xml:rig.xml`.
    public let uri: String

    /// Makes the driver of one context.
    public init(uri: String) { self.uri = uri }

    /// The context's URI.
    public var name: String { uri }
    /// What IIO devices can be.
    public var kinds: [SensorKind] { IIODriver.kinds }
    /// What serves the context did not answer; a file has nobody who would.
    public var causeWhenStalled: Cause { uri.hasPrefix("xml:") ? .indeterminate : .unreachable }

    /// Starts a conversation; connects at the survey.
    public func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        RemoteIIOSession(uri, world)
    }

    /// Opens libiio contexts.
    public func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        try endpoint.openedContext(until: deadline)
    }

    /// What a context says of the board that serves it.
    public var anonymizer: (any FrameAnonymizer)? { ContextAnonymizer() }
}
