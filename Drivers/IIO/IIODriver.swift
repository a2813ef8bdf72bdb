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

    /// udev's word of devices, and of the chips and hubs behind them.
    public var changeSources: [ChangeSource] {
        @Sendable func devices(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            try listenToDevices(of: ["iio", "i2c", "spi", "hid"], in: world, monitor, as: .listing)
        }
        return [devices]
    }

    /// Starts a conversation; asks nothing yet.
    public func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        IIOSession(world)
    }
}
