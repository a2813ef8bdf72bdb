internal import IIOCapture

/// In what way a sensor is captured.
public struct RigMotionCapture: Sendable, Hashable {
    /// What the chip is called.
    public let name: String
    /// The kernel's name of today, such as `iio:device0`.
    public let device: String
    /// Whether samples come through the kernel's buffer with its own times; else attributes are read by a timer.
    public let isBuffered: Bool
    /// Samples a second, before those are left out that nobody asked for.
    public let frequency: Double
    /// Why there is no buffer; nil where there is one.
    public let reason: String?

    init(_ way: CaptureMode) {
        name = way.name
        device = way.device
        isBuffered = way.isBuffered
        frequency = way.hertz
        reason = way.reason
    }
}
