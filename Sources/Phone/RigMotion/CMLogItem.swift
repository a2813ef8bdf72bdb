public import Foundation
internal import IIOCapture
internal import Readiness

/// A measurement with its time.
open class CMLogItem: NSObject, @unchecked Sendable {
    /// Seconds since boot, on the clock of `ProcessInfo.systemUptime`.
    public let timestamp: TimeInterval

    init(timestamp: TimeInterval) { self.timestamp = timestamp }
}

/// Acceleration along the rig's three axes, in units of standard gravity.
public struct CMAcceleration: Sendable, Hashable {
    /// Along each axis; not a number if the chip lacks the axis.
    public var x, y, z: Double
    /// Creates an acceleration; zero by default.
    public init(x: Double = 0, y: Double = 0, z: Double = 0) { (self.x, self.y, self.z) = (x, y, z) }
}

/// One sample of the accelerometer.
public final class CMAccelerometerData: CMLogItem, @unchecked Sendable {
    /// The measured acceleration.
    public let acceleration: CMAcceleration

    init(_ sample: MotionSample) {
        // One unit in m/s²; exact by definition (CGPM 1901).
        func unit(_ value: Double?) -> Double { value.map { $0 / 9.80665 } ?? .nan }
        acceleration = CMAcceleration(x: unit(sample.axes.x), y: unit(sample.axes.y), z: unit(sample.axes.z))
        super.init(timestamp: Double(sample.time) / 1e9)
    }
}

/// Rotation about the rig's three axes, in radians per second.
public struct CMRotationRate: Sendable, Hashable {
    /// About each axis; not a number if the chip lacks the axis.
    public var x, y, z: Double
    /// Creates a rotation; zero by default.
    public init(x: Double = 0, y: Double = 0, z: Double = 0) { (self.x, self.y, self.z) = (x, y, z) }
}

/// One sample of the gyroscope.
public final class CMGyroData: CMLogItem, @unchecked Sendable {
    /// The measured rotation.
    public let rotationRate: CMRotationRate

    init(_ sample: MotionSample) {
        let axes = sample.axes
        rotationRate = CMRotationRate(x: axes.x ?? .nan, y: axes.y ?? .nan, z: axes.z ?? .nan)
        super.init(timestamp: Double(sample.time) / 1e9)
    }
}
