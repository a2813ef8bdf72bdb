internal import DriverKit
internal import Foundation
internal import IIOCapture

/// The current activity as a chip reports it.
struct ObservedActivity: Sendable, Hashable {
    /// The activity; nil if it is unknown.
    var activity: ActivityChannels.Activity?
    /// The confidence in it.
    var confidence: CMMotionActivityConfidence

    init(_ activity: ActivityChannels.Activity?, _ confidence: CMMotionActivityConfidence) {
        self.activity = activity
        self.confidence = confidence
    }

    /// The activity of the highest confidence; of equal ones the more vigorous.
    init(_ confidences: [ActivityChannels.Activity: Double]) {
        var best: (activity: ActivityChannels.Activity, percent: Double)?
        for activity in ActivityChannels.Activity.allCases {
            guard let percent = confidences[activity], percent > 0, percent >= best?.percent ?? 0 else { continue }
            best = (activity, percent)
        }
        guard let best else {
            self.init(nil, .low)
            return
        }
        self.init(best.activity, best.percent >= 67 ? .high : best.percent >= 34 ? .medium : .low)
    }
}

/// The source of this rig's activities.
enum ActivitySource: Sendable {
    case channels(ActivityChannels)
    /// A count that grows while the bearer walks, and otherwise gives no information.
    case steps(StepCounter)

    /// How long a count is observed, in seconds: longer than a slow step.
    static let watch = 2.0

    /// The source in a world; nil if no chip reports activities.
    static func find(in world: any World) -> ActivitySource? {
        if let channels = try? ActivityChannels(in: world) { return .channels(channels) }
        if let counter = try? StepCounter(in: world) { return .steps(counter) }
        return nil
    }

    /// The current activity; blocks.
    func observe() throws(DriverError) -> ObservedActivity {
        switch self {
        case .channels(let channels): return ObservedActivity(try channels.confidences())
        case .steps(let counter):
            let before = try counter.count()
            Thread.sleep(forTimeInterval: Self.watch)
            return ObservedActivity(try counter.count() > before ? .walking : nil, .low)
        }
    }
}
