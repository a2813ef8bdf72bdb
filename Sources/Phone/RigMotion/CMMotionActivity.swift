internal import DriverKit
public import Foundation
internal import IIOCapture

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

/// The source of this rig's activities.
enum ActivitySource: Sendable {
    case channels(ActivityChannels)
    /// A count that grows while the bearer walks, and otherwise gives no information.
    case steps(StepCounter)

    /// The source in a world; nil if no chip reports activities.
    init?(in world: any World) {
        if let channels = try? ActivityChannels(in: world) {
            self = .channels(channels)
        } else if let counter = try? StepCounter(in: world) {
            self = .steps(counter)
        } else {
            return nil
        }
    }

    /// The current activity; blocks; a count is observed for two seconds, longer than a slow step.
    func observe() throws(DriverError) -> CMMotionActivity {
        switch self {
        case .channels(let channels): return CMMotionActivity(try channels.confidences())
        case .steps(let counter):
            let before = try counter.count()
            Thread.sleep(forTimeInterval: 2)
            return CMMotionActivity(try counter.count() > before ? .walking : nil, .low)
        }
    }
}
