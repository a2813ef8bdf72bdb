public import DriverKit
public import Readiness

/// Finds Bluetooth controllers and why they are off, without root.
///
/// Asks the kernel's management socket, the HCI ioctls if that does not answer, and rfkill for the cause. At depth
/// `presence` it only lists sysfs, so keys are places there; at greater depth, a key is the controller's address. It
/// never switches anything and does not make the kernel load its Bluetooth core, unless it is unknown whether this is a
/// container: then a depth beyond `presence` may load it.
public struct BluetoothDriver: Driver {
    static let identifier = "bluetooth"

    /// `bluetooth`.
    public var name: String { Self.identifier }
    /// Bluetooth controllers.
    public var kinds: [SensorKind] { [.bluetoothAdapter] }
    /// `indeterminate`: no daemon serves it, so a missing answer says nothing.
    public var causeWhenStalled: Cause { .indeterminate }

    /// Makes the driver.
    public init() {}

    /// Starts a session without any I/O.
    public func open(_ world: any World, until deadline: Instant) -> any Session { BluetoothSession(world) }
}
