public import DriverKit

/// A sensor, or a driver's list of them, that is waited for longer than usual.
public struct PendingReading: Sendable, Equatable {
    /// The name of the sensor, or of the driver while it lists its sensors.
    public var name: String
    /// What is known meanwhile, in one clause: why it takes long, or what it has said so far.
    public var reason: String?
    /// When its time is up.
    public var deadline: Instant

    /// Makes a wait for something of this name.
    public init(name: String, reason: String? = nil, deadline: Instant) {
        self.name = name
        self.reason = reason
        self.deadline = deadline
    }
}
