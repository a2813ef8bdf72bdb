public import DriverKit
public import Readiness

/// The motion sensors and step counters of this machine's Industrial I/O subsystem, by sysfs.
///
/// Does not go through libiio: its local context gives up on all devices at the first bad one.
public struct IIODriver: Driver {
    /// Makes the driver.
    public init() {}

    /// `iio`.
    public var name: String { "iio" }
    /// What IIO devices can be.
    public var kinds: [SensorKind] { Self.kinds }
    /// Nothing serves sysfs but the kernel.
    public var causeWhenStalled: Cause { .indeterminate }

    static let kinds: [SensorKind] = [.accelerometer, .gyroscope, .stepCounter]

    /// The devices, and the chips and hubs behind them.
    public var eventSubsystems: Set<String> { ["iio", "i2c", "spi", "hid"] }

    /// udev's events.
    public var changeSources: [ChangeSource] {
        let subsystems = eventSubsystems
        @Sendable func devices(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            try listenToDevices(of: subsystems, in: world, monitor, as: .listing)
        }
        return [devices]
    }

    /// Starts a conversation; asks nothing yet.
    public func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        IIOSession(world)
    }

    /// Opens libiio contexts.
    public func openChannel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> (any Channel)? {
        try endpoint.openedContext(until: deadline)
    }

    /// What a context says of the board that serves it.
    public var anonymizer: (any FrameAnonymizer)? { ContextAnonymizer() }
}
