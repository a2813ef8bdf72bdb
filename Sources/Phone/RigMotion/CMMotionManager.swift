internal import LocalRig
internal import DriverKit
@_exported public import Foundation
internal import IIO
internal import PhoneKit
internal import Readiness
internal import Synchronization
// Importing Core Motion also imports Foundation, so importing this module does.

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
    public var accelerometerCapture: RigMotionCapture? { accelerometer.capture }

    /// Starts updates that `accelerometerData` returns.
    open func startAccelerometerUpdates() { accelerometer.start(nil) }

    /// Starts updates that are passed to a handler on a queue; returns immediately.
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
    public var gyroCapture: RigMotionCapture? { gyro.capture }

    /// Starts updates that `gyroData` returns.
    open func startGyroUpdates() { gyro.start(nil) }

    /// Starts updates that are passed to a handler on a queue; returns immediately.
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
    /// Seconds between two samples of the updates; longer than the interval asked for if no sensor of the rig keeps that.
    public let actualInterval: TimeInterval
    /// Why there is no buffer; nil if there is one.
    public let reason: String?

    init(_ mode: CaptureMode, interval: Double) {
        name = mode.name
        device = mode.device
        isBuffered = mode.reason == nil
        frequency = mode.hertz
        actualInterval = Decimation.interval(for: MotionCapture.clamped(interval), step: 1 / mode.hertz)
        reason = mode.reason
    }
}

/// The updates of one sensor of one manager, from their start to their stop.
final class SensorUpdates<Item: Sendable>: Sendable {
    /// From a start to its stop or its error; the number distinguishes late events.
    private struct Run {
        let number: Int
        var handlers: HandlerQueue<Item>?
        var mode: CaptureMode?
        var observation: Observation?
    }

    private struct State {
        var interval = 0.01
        var latest: Item?
        var token: MotionCapture.Token?
        var run: Run?
        var runsEver = 0
    }

    private let kind: SensorKind
    private let rig: PhoneRig
    private let source: MotionCapture
    private let make: @Sendable (MotionSample) -> Item
    private let state = Mutex(State())
    /// Held while the capture is started or stopped, so that a stop during a start is not lost.
    private let change = Mutex(())

    init(_ kind: SensorKind, of rig: PhoneRig, _ make: @escaping @Sendable (MotionSample) -> Item) {
        self.kind = kind
        self.rig = rig
        self.make = make
        source = rig.attachment(MotionCapture.self) {
            MotionCapture(world: $0.settings.world, hardware: LiveCaptureHardware())
        }
    }

    deinit { stop() }

    private var pin: String? { rig.state.configuration.pins[kind] }

    var isAvailable: Bool { source.isListed(kind, pinned: pin) }
    var isActive: Bool { state.withLock { $0.run != nil } }
    var latest: Item? { state.withLock(\.latest) }
    var capture: RigMotionCapture? {
        state.withLock { state in state.run?.mode.map { RigMotionCapture($0, interval: state.interval) } }
    }

    var interval: Double {
        get { state.withLock(\.interval) }
        set {
            let isChanged = state.withLock { state in
                defer { state.interval = newValue }
                return state.run != nil && state.interval != newValue
            }
            // The device is restarted; the handler stays.
            if isChanged { begin(state.withLock { $0.run?.handlers }) }
        }
    }

    /// Starts, or restarts with another handler.
    func start(_ handlers: HandlerQueue<Item>?) {
        state.withLock { $0.run?.handlers }?.cancel()
        begin(handlers)
    }

    func stop() {
        state.withLock { $0.run.take() }?.handlers?.cancel()
        release()
    }

    private func release() {
        change.withLock { _ in
            if let token = state.withLock({ $0.token.take() }) { source.stop(token) }
        }
    }

    private func begin(_ handlers: HandlerQueue<Item>?) {
        let number = state.withLock { state in
            state.runsEver += 1
            state.run = Run(number: state.runsEver, handlers: handlers)
            return state.runsEver
        }
        rig.obtainMotion(CMErrorNotAuthorized) { [weak self] refusal in self?.run(number, refusal) }
    }

    private func run(_ number: Int, _ refusal: NSError?) {
        if let refusal { return end(number, refusal) }
        let observation = rig.observe { [weak self] _ in
            if let self, let refusal = rig.motionRefusal(CMErrorNotAuthorized) { end(number, refusal) }
        }
        change.withLock { _ in
            let before = state.withLock { state -> (interval: Double, token: MotionCapture.Token?)? in
                guard state.run?.number == number else { return nil }
                state.run?.observation = observation
                return (state.interval, state.token.take())
            }
            guard let before else { return }
            if let token = before.token { source.stop(token) }
            do throws(DriverError) {
                let token = try source.start(kind, pinned: pin, every: before.interval) { [weak self] event in
                    self?.receive(event, number)
                }
                state.withLock { $0.token = token }
            } catch {
                end(number, cause(of: error), isReleased: true)
            }
        }
    }

    private func receive(_ event: MotionEvent, _ number: Int) {
        switch event {
        case .started(let mode): state.withLock { if $0.run?.number == number { $0.run?.mode = mode } }
        case .sample(let sample):
            let item = make(sample)
            let handlers = state.withLock { state -> HandlerQueue<Item>? in
                guard let run = state.run, run.number == number else { return nil }
                state.latest = item
                return run.handlers
            }
            handlers?.send(item)
        case .failure(let error, isFinal: false):
            state.withLock { $0.run?.number == number ? $0.run?.handlers : nil }?.send(cause(of: error))
        case .failure(let error, isFinal: true): end(number, cause(of: error), isReleased: true)
        }
    }

    private func cause(of error: DriverError) -> NSError {
        let own: Requirement = kind == .gyroscope ? .gyroscope : .accelerometer
        return CMError.error(error, remedy: rig.state.remedy(for: error, of: [.motion, own]))
    }

    /// Ends the updates with an error, which the handler receives; a later start begins again.
    private func end(_ number: Int, _ error: NSError, isReleased: Bool = false) {
        let run = state.withLock { state -> Run? in
            guard state.run?.number == number else { return nil }
            if isReleased { state.token = nil }
            return state.run.take()
        }
        guard let run else { return }
        run.handlers?.send(error)
        if !isReleased { release() }
    }
}

/// Calls an app's handler, which need not be `Sendable`, only on the app's queue, with a bounded number of pending calls.
final class HandlerQueue<Value: Sendable>: @unchecked Sendable {
    private let queue: OperationQueue
    private let handler: (Value?, (any Error)?) -> Void
    private let waiting = Atomic(0)
    private let isWanted = Atomic(true)

    init(_ queue: OperationQueue, _ handler: @escaping (Value?, (any Error)?) -> Void) {
        self.queue = queue
        self.handler = handler
    }

    /// Ends the calls; pending ones are skipped.
    func cancel() { isWanted.store(false, ordering: .releasing) }

    func send(_ value: Value) {
        // With that many pending calls further samples are dropped, errors never.
        if waiting.load(ordering: .relaxed) < 512 { call(value, nil) }
    }

    func send(_ error: NSError) { call(nil, error) }

    private func call(_ value: Value?, _ error: NSError?) {
        waiting.add(1, ordering: .relaxed)
        queue.addOperation { [self] in
            waiting.subtract(1, ordering: .relaxed)
            if isWanted.load(ordering: .acquiring) { handler(value, error) }
        }
    }
}
