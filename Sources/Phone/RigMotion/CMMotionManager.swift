// Importing Core Motion also imports Foundation, so importing this module does.
@_exported public import Foundation
internal import IIOCapture
internal import PhoneKit
internal import Readiness

/// Called with a sample of the accelerometer, or with an error.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// Called with a sample of the gyroscope, or with an error.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void

/// Starts and stops the updates of this rig's accelerometer and gyroscope.
///
/// Starting writes to the rig: the device's buffer is enabled, and its sampling frequency set as near to the interval
/// as possible. Stopping, the manager's deinitialization and the process's `exit` restore the previous settings.
/// Managers of one process share the devices; if another process captures, a start fails with `CMErrorNotAvailable`.
open class CMMotionManager: NSObject, @unchecked Sendable {
    private let accelerometer: SensorUpdates<CMAccelerometerData>
    private let gyro: SensorUpdates<CMGyroData>

    /// Creates a manager of this process's rig; accesses no sensor.
    public override init() {
        let rig = PhoneRig.current
        accelerometer = SensorUpdates(.accelerometer, of: rig) { CMAccelerometerData($0) }
        gyro = SensorUpdates(.gyroscope, of: rig) { CMGyroData($0) }
        super.init()
    }

    // MARK: Accelerometer

    /// Seconds between two samples; 0.01 by default; a change while updates run restarts the device.
    open var accelerometerUpdateInterval: TimeInterval {
        get { accelerometer.interval }
        set { accelerometer.interval = newValue }
    }

    /// Whether the rig lists an accelerometer; does not read it.
    open var isAccelerometerAvailable: Bool { accelerometer.isAvailable }
    /// Whether updates run; false after they ended with an error.
    open var isAccelerometerActive: Bool { accelerometer.isActive }
    /// The latest sample; nil before the first one.
    open var accelerometerData: CMAccelerometerData? { accelerometer.latest }

    /// How the accelerometer is captured; nil while it is not (Core Motion has no such member).
    public var accelerometerCapture: RigMotionCapture? { accelerometer.mode.map { RigMotionCapture($0) } }

    /// Starts updates that `accelerometerData` returns.
    open func startAccelerometerUpdates() { accelerometer.start(nil) }

    /// Starts updates that are passed to a handler on a queue; returns at once.
    open func startAccelerometerUpdates(to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler)
    {
        accelerometer.start(HandlerQueue(queue, handler))
    }

    /// Stops; the handler is not called again.
    open func stopAccelerometerUpdates() { accelerometer.stop() }

    // MARK: Gyroscope

    /// Seconds between two samples; 0.01 by default; a change while updates run restarts the device.
    open var gyroUpdateInterval: TimeInterval {
        get { gyro.interval }
        set { gyro.interval = newValue }
    }

    /// Whether the rig lists a gyroscope; does not read it.
    open var isGyroAvailable: Bool { gyro.isAvailable }
    /// Whether updates run; false after they ended with an error.
    open var isGyroActive: Bool { gyro.isActive }
    /// The latest sample; nil before the first one.
    open var gyroData: CMGyroData? { gyro.latest }

    /// How the gyroscope is captured; nil while it is not (Core Motion has no such member).
    public var gyroCapture: RigMotionCapture? { gyro.mode.map { RigMotionCapture($0) } }

    /// Starts updates that `gyroData` returns.
    open func startGyroUpdates() { gyro.start(nil) }

    /// Starts updates that are passed to a handler on a queue; returns at once.
    open func startGyroUpdates(to queue: OperationQueue, withHandler handler: @escaping CMGyroHandler) {
        gyro.start(HandlerQueue(queue, handler))
    }

    /// Stops; the handler is not called again.
    open func stopGyroUpdates() { gyro.stop() }

    // MARK: Not supported

    /// False: no sensor fusion is done here.
    open var isDeviceMotionAvailable: Bool { false }
    /// False: magnetometers are not read here.
    open var isMagnetometerAvailable: Bool { false }
}

/// How a sensor is captured.
public struct RigMotionCapture: Sendable, Hashable {
    /// The chip's name, and the kernel's current one, such as `iio:device0`.
    public let name, device: String
    /// Whether samples come through the kernel's buffer with its timestamps; else attributes are read by a timer.
    public let isBuffered: Bool
    /// Samples per second, before decimation.
    public let frequency: Double
    /// Why there is no buffer; nil if there is one.
    public let reason: String?

    init(_ mode: CaptureMode) {
        name = mode.name
        device = mode.device
        isBuffered = mode.isBuffered
        frequency = mode.hertz
        reason = mode.reason
    }
}
