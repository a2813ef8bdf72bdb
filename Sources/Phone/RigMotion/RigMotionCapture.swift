internal import IIOCapture

/// How a sensor is captured.
public struct RigMotionCapture: Sendable, Hashable {
    /// The chip's name.
    public let name: String
    /// The kernel's current name, such as `iio:device0`.
    public let device: String
    /// Whether samples come through the kernel's buffer with its timestamps; else attributes are read by a timer.
    public let isBuffered: Bool
    /// Samples per second, before decimation.
    public let frequency: Double
    /// Why there is no buffer; nil if there is one.
    public let reason: String?

    init(_ way: CaptureMode) {
        name = way.name
        device = way.device
        isBuffered = way.isBuffered
        frequency = way.hertz
        reason = way.reason
    }
}
