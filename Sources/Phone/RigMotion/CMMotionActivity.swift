public import Foundation
internal import IIOCapture

/// How sure an activity is.
@nonexhaustive(warn)
public enum CMMotionActivityConfidence: Int, Sendable {
    case low = 0
    case medium = 1
    case high = 2
}

/// What the bearer of the rig does, as a chip tells it.
public final class CMMotionActivity: CMLogItem, @unchecked Sendable {
    /// How sure it is.
    public let confidence: CMMotionActivityConfidence
    /// When it was asked.
    public let startDate: Date
    /// Whether nothing is known.
    public let unknown: Bool
    /// Whether the rig lies still.
    public let stationary: Bool
    /// Whether its bearer walks.
    public let walking: Bool
    /// Whether its bearer runs or jogs.
    public let running: Bool
    /// False: no chip's channel tells it.
    public var automotive: Bool { false }
    /// False: no chip's channel tells it.
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
