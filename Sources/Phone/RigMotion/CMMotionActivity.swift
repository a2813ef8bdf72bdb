public import Foundation
internal import IIOCapture

/// The confidence in an activity.
@nonexhaustive(warn)
public enum CMMotionActivityConfidence: Int, Sendable {
    case low = 0
    case medium = 1
    case high = 2
}

/// The activity of the rig's bearer, as a chip reports it.
public final class CMMotionActivity: CMLogItem, @unchecked Sendable {
    /// The confidence in it.
    public let confidence: CMMotionActivityConfidence
    /// The time of the query.
    public let startDate: Date
    /// Whether the activity is unknown.
    public let unknown: Bool
    /// Whether the rig is stationary.
    public let stationary: Bool
    /// Whether its bearer walks.
    public let walking: Bool
    /// Whether its bearer runs or jogs.
    public let running: Bool
    /// False: no channel reports it.
    public var automotive: Bool { false }
    /// False: no channel reports it.
    public var cycling: Bool { false }

    init(_ observed: ObservedActivity, at date: Date, uptime: TimeInterval) {
        confidence = observed.confidence
        startDate = date
        unknown = observed.activity == nil
        stationary = observed.activity == .still
        walking = observed.activity == .walking
        running = observed.activity == .jogging || observed.activity == .running
        super.init(timestamp: uptime)
    }
}
