package import DriverKit
internal import Linux
package import Readiness

/// Finds the motion sensors and step counters of this machine's Industrial I/O subsystem, through sysfs.
///
/// Does not use libiio: its local context fails for all devices at the first bad one.
package struct IIODriver: Driver {
    package init() {}

    package var name: String { "iio" }
    package var kinds: [SensorKind] { Self.kinds }
    /// `indeterminate`: only the kernel serves sysfs.
    package var causeWhenStalled: Cause { .indeterminate }

    static let kinds: [SensorKind] = [.accelerometer, .gyroscope, .stepCounter]

    package var eventSubsystems: Set<String> { ["iio", "i2c", "spi", "hid"] }

    package var changeSources: [ChangeSource] { [deviceEvents(of: eventSubsystems, as: .listing)] }

    /// Starts a session without any I/O.
    package func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        IIOSession(world)
    }

    package func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        endpoint.kind == "iio" ? try openIIOChannel(endpoint.address, until: deadline) : nil
    }

    package var anonymizer: (any FrameAnonymizer)? { ContextAnonymizer() }
}

/// Finds the motion sensors and step counters of a libiio context: another machine, a USB device or a file.
///
/// The world opens contexts through `IIODriver`, whose anonymizer is theirs.
package struct RemoteIIODriver: Driver {
    /// The context, such as `ip:bench-07`, `usb:1.5.0`, `serial:/dev/ttyUSB0`, `xml:rig.xml`.
    package let uri: String

    package init(uri: String) { self.uri = uri }

    package var name: String { uri }
    package var kinds: [SensorKind] { IIODriver.kinds }
    /// `unreachable`, as the server of the context did not answer; a file has no server.
    package var causeWhenStalled: Cause { uri.hasPrefix("xml:") ? .indeterminate : .unreachable }

    /// Starts a session, which connects at the enumeration.
    package func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        RemoteIIOSession(uri, world)
    }
}

extension Endpoint {
    /// A libiio context by URI (`ip:`, `usb:`, `serial:`, `xml:`); the frames are those of `RemoteRequest`.
    package static func iio(uri: String) -> Endpoint { Endpoint("iio", at: uri, named: uri, isStateless: true) }
}

extension HostPort {
    /// The server of an `ip:` context, on iiod's own port unless the URI names another.
    ///
    /// Nil for every other kind of context, and for one that must be discovered. Source: libiio 0.24, `network.c`.
    package init?(context uri: String) {
        guard uri.hasPrefix("ip:") else { return nil }
        self.init(uri.dropFirst(3), defaultPort: 30431)
    }
}

/// Opens a context for the live world: a file, iiod at an address, or else through libiio.
///
/// The first two need no libiio, which serves `usb:`, `serial:` and names that only it resolves. Throws `unsupported` if
/// libiio is missing or was built without that kind of context, `timedOut` if the peer sends nothing, `malformed` if it is not iiod, and the errno of the peer or the file.
package func openIIOChannel(_ uri: String, until deadline: Instant) throws(DriverError) -> any Channel {
    if uri.hasPrefix("xml:") { return try ContextFileChannel(uri) }
    if let address = HostPort(context: uri) {
        do throws(DriverError) {
            return try openIIOD(uri, until: deadline) { () throws(DriverError) in
                try DescriptorChannel.connect(
                    host: address.host, port: address.port, subject: uri, until: deadline)
            }
        } catch {
            // libiio asks Avahi for names of the local link if the C library is not set up to.
            guard error.errno == nil, error.code == .refused, address.host.hasSuffix(".local") else { throw error }
        }
    }
    return try LibIIOChannel(uri, LibIIO())
}
