internal import Foundation
internal import IIOCapture
internal import Readiness

/// Rotation about the rig's three axes, in radians per second.
public struct CMRotationRate: Sendable, Hashable {
    /// About each axis; not a number if the chip lacks the axis.
    public var x, y, z: Double
    /// Creates zero rotation.
    public init() { self.init(x: 0, y: 0, z: 0) }
    /// Creates a rotation.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// One sample of the gyroscope.
public final class CMGyroData: CMLogItem, @unchecked Sendable {
    /// The measured rotation.
    public let rotationRate: CMRotationRate

    init(_ sample: MotionSample) {
        rotationRate = CMRotationRate(
            x: sample.axes.x ?? .nan, y: sample.axes.y ?? .nan, z: sample.axes.z ?? .nan)
        super.init(timestamp: Double(sample.time) / 1e9)
    }
}
