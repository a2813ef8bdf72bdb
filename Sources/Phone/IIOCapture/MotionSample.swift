package import DriverKit
package import Readiness

/// One sample of an accelerometer or gyroscope.
package struct MotionSample: Sendable, Hashable {
    /// The values on the rig's axes; nil for an axis that the chip lacks.
    package var axes: AxesReading
    /// The time of the sample, in nanoseconds on CLOCK_MONOTONIC.
    ///
    /// The kernel's timestamp if the sample came through a buffer that has one, else the time of the read.
    package var time: Int64

    /// Makes a sample.
    package init(axes: AxesReading, time: Int64) {
        self.axes = axes
        self.time = time
    }
}

/// An event that a capture delivers to its reader.
package enum MotionEvent: Sendable {
    /// The capture runs, by this method.
    case started(CaptureMode)
    /// A sample.
    case sample(MotionSample)
    /// Nothing came for a while, or the capture has ended; `isFinal` distinguishes them.
    case failure(DriverError, isFinal: Bool)
}

/// How a sensor is captured.
package struct CaptureMode: Sendable, Hashable {
    /// The kernel's current name, such as `iio:device0`.
    package var device: String
    /// The chip's name.
    package var name: String
    /// Whether samples come through the kernel's buffer, at its trigger's rate; else attributes are read one by one.
    package var isBuffered: Bool
    /// Samples per second, as the device reports or the reader's own timer has it.
    package var hertz: Double
    /// Why there is no buffer; nil if there is one.
    package var reason: String?

    /// Stores device, chip, method and rate.
    package init(device: String, name: String, isBuffered: Bool, hertz: Double, reason: String? = nil) {
        self.device = device
        self.name = name
        self.isBuffered = isBuffered
        self.hertz = hertz
        self.reason = reason
    }
}
