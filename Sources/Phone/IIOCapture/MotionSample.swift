package import DriverKit
package import Readiness

/// One sample of an accelerometer or gyroscope.
package struct MotionSample: Sendable, Hashable {
    /// The values on the rig's axes; an axis that the chip lacks is nil.
    package var axes: AxesReading
    /// When it was taken, in nanoseconds on CLOCK_MONOTONIC.
    ///
    /// By the kernel's own stamp where the sample came through a buffer that has one, else the moment of the read.
    package var time: Int64

    /// Makes a sample.
    package init(axes: AxesReading, time: Int64) {
        self.axes = axes
        self.time = time
    }
}

/// What a capture told its reader.
package enum MotionEvent: Sendable {
    /// The capture runs, in this way.
    case started(CaptureMode)
    /// A sample.
    case sample(MotionSample)
    /// Nothing came for a while, or the capture has ended; `isFinal` tells which.
    case failure(DriverError, isFinal: Bool)
}

/// In what way a sensor is captured.
package struct CaptureMode: Sendable, Hashable {
    /// The kernel's name of today, such as `iio:device0`.
    package var device: String
    /// What the chip is called.
    package var name: String
    /// Whether samples come through the kernel's buffer, paced by its trigger; else attributes are read one by one.
    package var isBuffered: Bool
    /// How many samples a second are taken, as the device or the reader's own timer says.
    package var hertz: Double
    /// Why there is no buffer; nil where there is one.
    package var reason: String?

    /// Makes one.
    package init(device: String, name: String, isBuffered: Bool, hertz: Double, reason: String? = nil) {
        self.device = device
        self.name = name
        self.isBuffered = isBuffered
        self.hertz = hertz
        self.reason = reason
    }
}
