internal import Foundation
internal import IIOCapture
internal import Readiness

/// Acceleration along the rig's three axes, in units of standard gravity.
public struct CMAcceleration: Sendable, Hashable {
    /// Along each axis; not a number if the chip lacks the axis.
    public var x, y, z: Double
    /// Creates zero acceleration.
    public init() { self.init(x: 0, y: 0, z: 0) }
    /// Creates an acceleration.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// One sample of the accelerometer.
public final class CMAccelerometerData: CMLogItem, @unchecked Sendable {
    /// The measured acceleration.
    public let acceleration: CMAcceleration

    /// The acceleration of one unit in m/s²; exact by definition (CGPM 1901).
    static let gravity = 9.80665

    init(_ sample: MotionSample) {
        func unit(_ value: Double?) -> Double { value.map { $0 / Self.gravity } ?? .nan }
        acceleration = CMAcceleration(x: unit(sample.axes.x), y: unit(sample.axes.y), z: unit(sample.axes.z))
        super.init(timestamp: Double(sample.time) / 1e9)
    }
}
