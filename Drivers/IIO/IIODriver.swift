public import DriverKit
public import Readiness

/// Finds the motion sensors and step counters of this machine's Industrial I/O subsystem, through sysfs.
///
/// Does not use libiio: its local context fails for all devices at the first bad one.
public struct IIODriver: Driver {
    /// Makes the driver.
    public init() {}

    /// `iio`.
    public var name: String { "iio" }
    /// The kinds of sensor that IIO devices can have.
    public var kinds: [SensorKind] { Self.kinds }
    /// `indeterminate`: only the kernel serves sysfs.
    public var causeWhenStalled: Cause { .indeterminate }

    static let kinds: [SensorKind] = [.accelerometer, .gyroscope, .stepCounter]

    /// The devices, and the buses of chips and hubs.
    public var eventSubsystems: Set<String> { ["iio", "i2c", "spi", "hid"] }

    /// udev's events.
    public var changeSources: [ChangeSource] {
        let subsystems = eventSubsystems
        @Sendable func devices(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            try listenToDevices(of: subsystems, in: world, monitor, as: .listing)
        }
        return [devices]
    }

    /// Starts a session without any I/O.
    public func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        IIOSession(world)
    }

    /// Opens libiio contexts.
    public func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        try endpoint.openedContext(until: deadline)
    }

    /// Erases what a context says about the board that serves it.
    public var anonymizer: (any FrameAnonymizer)? { ContextAnonymizer() }
}
