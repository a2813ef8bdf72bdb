internal import DriverKit
public import Foundation
internal import IIO
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
        func unit(_ value: Double?) -> Double { value.map { $0 / standardGravity } ?? .nan }
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

/// The confidence in an activity.
@nonexhaustive(warn)
public enum CMMotionActivityConfidence: Int, Sendable {
    case low, medium, high
}

/// The activity of the rig's bearer, as a chip reports it.
public final class CMMotionActivity: CMLogItem, @unchecked Sendable {
    /// The confidence in it.
    public let confidence: CMMotionActivityConfidence
    /// The time of the query.
    public let startDate = Date()
    private let activity: ActivityChannels.Activity?

    /// Whether the activity is unknown.
    public var unknown: Bool { activity == nil }
    /// Whether the rig is stationary.
    public var stationary: Bool { activity == .still }
    /// Whether its bearer walks.
    public var walking: Bool { activity == .walking }
    /// Whether its bearer runs or jogs.
    public var running: Bool { activity == .jogging || activity == .running }
    /// False: no channel reports them.
    public let automotive = false, cycling = false

    init(_ activity: ActivityChannels.Activity?, _ confidence: CMMotionActivityConfidence) {
        self.activity = activity
        self.confidence = confidence
        super.init(timestamp: ProcessInfo.processInfo.systemUptime)
    }

    /// The activity of the highest confidence; of equal ones the more vigorous.
    convenience init(_ confidences: [ActivityChannels.Activity: Double]) {
        let percents = ActivityChannels.Activity.allCases.reversed().map { ($0, confidences[$0] ?? 0) }
        if let (activity, percent) = percents.max(by: { $0.1 < $1.1 }), percent > 0 {
            self.init(activity, percent >= 67 ? .high : percent >= 34 ? .medium : .low)
        } else {
            self.init(nil, .low)
        }
    }

    /// Whether an earlier activity was the same, with the same confidence.
    func isRepeated(from other: CMMotionActivity?) -> Bool {
        activity == other?.activity && confidence == other?.confidence
    }
}

/// Returns what observes the current activity, and blocks meanwhile; nil if no chip of the world reports activities.
func activitySource(in world: any World) -> (@Sendable () throws(DriverError) -> CMMotionActivity)? {
    if let channels = try? ActivityChannels(in: world) {
        return { () throws(DriverError) in CMMotionActivity(try channels.confidences()) }
    }
    guard let counter = try? StepCounter(in: world) else { return nil }
    // A count grows while the bearer walks, and otherwise gives no information.
    return { () throws(DriverError) in
        let before = try counter.count()
        // Longer than a slow step.
        Thread.sleep(forTimeInterval: 2)
        return CMMotionActivity(try counter.count() > before ? .walking : nil, .low)
    }
}
