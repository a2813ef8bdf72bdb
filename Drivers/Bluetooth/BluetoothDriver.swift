public import DriverKit
public import Readiness

/// Bluetooth controllers and why they are off, without root.
///
/// Asks the kernel's management socket, the HCI ioctls where that does not answer, and rfkill for the cause. At depth
/// `presence` it lists sysfs alone, so keys are places there; deeper, a key is the controller's address. Nothing is ever
/// switched, and the kernel is not made to load its Bluetooth core, except where it cannot be told whether this is a
/// container: there, asking deeper than `presence` may load it.
public struct BluetoothDriver: Driver {
    static let identifier = "bluetooth"

    /// `bluetooth`.
    public var name: String { Self.identifier }
    /// Bluetooth controllers.
    public var kinds: [SensorKind] { [.bluetoothAdapter] }
    /// No daemon serves it, so silence tells nothing.
    public var causeWhenStalled: Cause { .indeterminate }

    /// Makes the driver.
    public init() {}

    /// Starts a session; asks nothing yet.
    public func open(_ world: any World, until deadline: Instant) -> any Session { BluetoothSession(world) }
}
